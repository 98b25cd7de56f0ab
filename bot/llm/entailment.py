"""Judges with a natural-language-inference model from a local folder whether a text bears a sentence out."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from knowledge.errors import SettingsProblem, TransientError

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

# For one pair, the waiting for its turn included.
DEADLINE_S = 5.0
ENTAILMENT = "entailment"
# In the order in which they are looked for; the folder `onnx` is where exports are published beside the weights.
MODELS = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
TOKENIZERS = ("tokenizer.json", "onnx/tokenizer.json")
CONFIGS = ("config.json", "onnx/config.json")
INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
LOG_ERRORS = 3  # onnxruntime's severity: errors, no warnings
EXTRA = 'pip install "answerdesk[entailment]"'
EXPORT = "export it anew, as docs/entailment.md says"
SHORTEST_WORD = "a "

log = logging.getLogger(__name__)


class EntailmentSettings(BaseModel):
    """`[entailment]` of kind "onnx": the model's folder, the tokens it reads at most, the cores one pair may take."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: Path
    max_tokens: int = Field(default=512, ge=16, le=8192)
    threads: int = Field(default=1, ge=1)


@asynccontextmanager
async def build(settings: EntailmentSettings, *, base: Path) -> AsyncIterator["OnnxEntailment"]:
    """Load the model and try it on the longest pair; raise SettingsProblem where its folder or the model is unfit."""
    yield OnnxEntailment(await asyncio.to_thread(load, settings, base / settings.path.expanduser()))


class OnnxEntailment:
    """The `Entailment` port: one pair at a time, so that many sentences take no more cores than one.

    Raises TransientError when a pair is not judged within the deadline, or not at all: something else must decide.
    """

    def __init__(self, model: "CrossEncoder", *, deadline_s: float = DEADLINE_S) -> None:
        self._model = model
        self._deadline_s = deadline_s
        self._turn = asyncio.Lock()

    async def entails(self, premise: str, hypothesis: str) -> float:
        try:
            async with asyncio.timeout(self._deadline_s), self._turn:
                return await self._judge(premise, hypothesis)
        except TimeoutError as exc:
            raise TransientError(
                f"{self._model.path} judged no sentence within {self._deadline_s:g} s;"
                " take a quantized or smaller model, a lower max_tokens or more threads"
            ) from exc

    async def _judge(self, premise: str, hypothesis: str) -> float:
        from onnxruntime import RunOptions  # an optional package

        run = RunOptions()
        try:
            return await asyncio.to_thread(self._model.probability, premise, hypothesis, run)
        finally:
            # A thread cannot be cancelled, but onnxruntime looks at this before every operator.
            run.terminate = True


class CrossEncoder:
    """A loaded model with its tokenizer; blocks the calling thread."""

    def __init__(self, path: Path, tokenizer: "Tokenizer", session: Any, *, labels: Sequence[str], most: int) -> None:
        self.path = path
        self.max_tokens = most
        self._tokenizer = tokenizer
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(most, strategy="only_first")
        self._session = session
        self._labels = labels
        self._inputs: frozenset[str] = frozenset(wanted.name for wanted in session.get_inputs())

    def probability(self, premise: str, hypothesis: str, run: Any = None) -> float:
        """Return how likely `premise` entails `hypothesis`: 0 for a hypothesis too long to be read with a premise."""
        pair = self._read(_whole(premise), _whole(hypothesis))
        if pair is None:
            return 0.0
        logits = self._logits(pair, run)
        likelihoods = np.exp(logits - logits.max())
        return float(likelihoods[self._labels.index(ENTAILMENT)] / likelihoods.sum())

    def _read(self, premise: str, hypothesis: str) -> "Encoding | None":
        """Return the pair's tokens: a long premise loses its end, the hypothesis nothing; None where that leaves none.

        Asked beforehand, since the tokenizer raises no more than `Exception` for what it cannot cut.
        """
        marks = self._tokenizer.num_special_tokens_to_add(is_pair=True)
        needed = len(self._tokenizer.encode(hypothesis, add_special_tokens=False))
        return self._tokenizer.encode(premise, hypothesis) if marks + needed < self.max_tokens else None

    def _logits(self, pair: "Encoding", run: Any) -> NDArray[np.float64]:
        columns = {"input_ids": pair.ids, "attention_mask": pair.attention_mask, "token_type_ids": pair.type_ids}
        feed = {name: np.array([column], np.int64) for name, column in columns.items() if name in self._inputs}
        try:
            found = np.asarray(self._session.run(None, feed, run)[0], np.float64)
        except Exception as exc:  # onnxruntime has one class per kind of failure and only Exception in common
            raise TransientError(f"{self.path} cannot judge a pair of {len(pair)} tokens ({exc})") from exc
        if found.shape != (1, len(self._labels)):
            raise TransientError(
                f"{self.path} gives an output of shape {found.shape} for {len(self._labels)} labels in config.json"
            )
        if not np.isfinite(found).all():
            raise TransientError(f"{self.path} gives numbers that are none ({found[0].tolist()})")
        logits: NDArray[np.float64] = found[0]
        return logits


def _whole(text: str) -> str:
    """Join surrogate pairs and replace halves of them, which a tokenizer refuses."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def load(settings: EntailmentSettings, folder: Path) -> CrossEncoder:
    """Return the model of a folder, tried on the longest pair it may be given."""
    if not folder.is_dir():
        raise SettingsProblem(f"[entailment] path: {folder} is no folder; name the one that holds {MODELS[0]}")
    path = _first(folder, MODELS)
    labels = _labels(_first(folder, CONFIGS))
    tokenizer = _tokenizer(_first(folder, TOKENIZERS))
    session = _session(path, settings.threads)
    model = CrossEncoder(path, tokenizer, session, labels=labels, most=settings.max_tokens)
    _try(model)
    return model


def _first(folder: Path, names: Sequence[str]) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise SettingsProblem(f"[entailment] path: {folder} has no {' or '.join(names)}; put it there: docs/entailment.md")


class _Config(BaseModel):
    """What is read of a model's config.json."""

    id2label: dict[int, str]


def _labels(path: Path) -> list[str]:
    """Return the lower-case name of each output in order; one of them is "entailment"."""
    try:
        named = _Config.model_validate_json(path.read_bytes()).id2label
    except (OSError, ValidationError) as exc:
        raise SettingsProblem(f"{path} cannot be read ({exc}); {EXPORT}") from exc
    labels = [named[place].strip().lower() for place in sorted(named)]
    if labels.count(ENTAILMENT) != 1 or sorted(named) != list(range(len(named))):
        raise SettingsProblem(
            f'{path}: id2label {named} does not say which output means "{ENTAILMENT}"; write it there as the model\'s'
            ' card says, for instance {"0": "entailment", "1": "neutral", "2": "contradiction"}'
        )
    return labels


def _tokenizer(path: Path) -> "Tokenizer":
    try:
        from tokenizers import Tokenizer  # an optional package
    except ImportError as exc:
        raise SettingsProblem(f"[entailment] needs the package tokenizers ({exc}); {EXTRA}") from exc
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as exc:  # the tokenizer raises nothing narrower
        raise SettingsProblem(f"{path} cannot be read ({exc}); {EXPORT}") from exc
    if not tokenizer.num_special_tokens_to_add(is_pair=True):
        raise SettingsProblem(f"{path} puts no mark between two texts, so no model could tell them apart; {EXPORT}")
    return tokenizer


def _session(path: Path, threads: int) -> Any:
    try:
        import onnxruntime  # an optional package
    except ImportError as exc:
        raise SettingsProblem(f"[entailment] needs the package onnxruntime ({exc}); {EXTRA}") from exc
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = LOG_ERRORS
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as exc:  # onnxruntime has one class per kind of failure and only Exception in common
        raise SettingsProblem(f"onnxruntime cannot load {path} ({exc}); {EXPORT}") from exc
    unknown = sorted({wanted.name for wanted in session.get_inputs()} - INPUTS)
    if unknown:
        raise SettingsProblem(f"{path} asks for {', '.join(unknown)}, which no tokenizer gives; {EXPORT}")
    return session


def _try(model: CrossEncoder) -> None:
    """Judge a pair of full length: what fits neither the model nor the deadline shows before anybody asks."""
    most = model.max_tokens
    started = time.monotonic()
    try:
        model.probability(SHORTEST_WORD * most, SHORTEST_WORD)
    except TransientError as exc:
        raise SettingsProblem(f"{exc}; lower max_tokens ({most}) to what the model reads, or {EXPORT}") from exc
    took_s = time.monotonic() - started
    log.info("entailment model ready", extra={"path": str(model.path), "longest_pair_s": round(took_s, 3)})
    if took_s > DEADLINE_S:
        remedy = "lower max_tokens, or take a quantized or smaller model"
        log.warning("%s needs %.1f s of %g s for %d tokens; %s", model.path, took_s, DEADLINE_S, most, remedy)
