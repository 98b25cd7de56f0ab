"""What a model that judges entailment promises."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from bot.core.verify.entailment import Entailment
from bot.llm.entailment import CrossEncoder, EntailmentSettings, OnnxEntailment, build, load
from bot.registry import settings_model
from knowledge.errors import SettingsProblem, TransientError
from tests.fakes.entailment_model import POSITIONS, THREE, TinyModel, tiny_tokenizer

PAIRS = [
    ("the port is 443", "the port is 443"),
    ("the port is 443", "the port is not 443"),
    ("порт відкритий", "the port is unheard-of"),
    ("puerto 443", "порт 443"),
    ("", "443"),
    ("443", ""),
]


def opened(folder: Path, max_tokens: int = POSITIONS) -> CrossEncoder:
    return load(EntailmentSettings(path=folder, max_tokens=max_tokens), folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return TinyModel().write(tmp_path / "nli")


@pytest.mark.parametrize(("premise", "hypothesis"), PAIRS)
@pytest.mark.parametrize(
    "tiny",
    [
        TinyModel(),
        TinyModel(inputs=("input_ids", "attention_mask")),
        TinyModel(labels=("not_entailment", "entailment"), outputs=2),
        TinyModel(labels=("ENTAILMENT", "NOT_ENTAILMENT"), outputs=2),
        *[TinyModel(labels=order) for order in permutations(THREE)],
    ],
    ids=str,
)
async def test_says_how_likely_the_output_named_entailment_is(
    tiny: TinyModel, premise: str, hypothesis: str, tmp_path: Path
) -> None:
    tiny.write(tmp_path / "nli")

    async with build(EntailmentSettings(path=Path("nli"), max_tokens=POSITIONS), base=tmp_path) as model:
        judged = await model.entails(premise, hypothesis)

    assert judged == pytest.approx(tiny.probability(premise.split(), hypothesis.split()), abs=1e-6)


@pytest.mark.parametrize("hypothesis", [["порт", "443"], ["puerto", "443", "is"] * 3, ["443"] * 12])
def test_a_long_premise_loses_its_end_and_the_hypothesis_nothing(hypothesis: list[str], folder: Path) -> None:
    premise = ["the", "port", "is", "not", "443"] * 40

    judged = opened(folder, max_tokens=16).probability(" ".join(premise), " ".join(hypothesis))

    read = premise[: 16 - 3 - len(hypothesis)]
    assert judged == pytest.approx(TinyModel().probability(read, hypothesis), abs=1e-6)


@pytest.mark.parametrize(("words", "is_judged"), [(12, True), (13, False), (500, False)])
def test_nothing_entails_a_hypothesis_that_leaves_no_room_for_a_premise(
    words: int, is_judged: bool, folder: Path
) -> None:
    judged = opened(folder, max_tokens=16).probability("the port is 443", "443 " * words)

    assert (judged > 0) == is_judged


@pytest.mark.parametrize("odd", ["", " ", "\0", "half \ud83d pair", "😀👩‍👩‍👧", "你好。" * 200, "слово " * 2_000])
async def test_any_text_can_be_judged(odd: str, folder: Path) -> None:
    model: Entailment = OnnxEntailment(opened(folder))

    judged = await model.entails(odd, "443"), await model.entails("443", odd)

    assert all(0 <= probability <= 1 for probability in judged)


async def test_many_at_once_are_judged_as_each_alone(folder: Path) -> None:
    model = OnnxEntailment(opened(folder))

    together = await asyncio.gather(*[model.entails(*pair) for pair in PAIRS * 20])

    assert together == [await model.entails(*pair) for pair in PAIRS] * 20


async def test_a_pair_that_takes_too_long_is_given_up_and_the_next_is_judged(folder: Path) -> None:
    model = OnnxEntailment(opened(folder), deadline_s=0.2)

    with pytest.raises(TransientError, match=r"judged no sentence within 0\.2 s; take a"):
        await model.entails("slow", "443")

    assert await model.entails("443", "443") > 0


async def test_a_cancelled_pair_takes_no_thread_any_longer(folder: Path) -> None:
    model = OnnxEntailment(opened(folder))
    judging = asyncio.create_task(model.entails("slow", "443"))
    await asyncio.sleep(0.1)

    judging.cancel()

    with pytest.raises(asyncio.CancelledError):
        await judging
    async with asyncio.timeout(5):
        await asyncio.get_running_loop().shutdown_default_executor()


@pytest.mark.parametrize(
    ("there", "used"),
    [
        (("model.onnx", "model_quantized.onnx"), "model.onnx"),
        (("onnx/model.onnx", "onnx/model_quantized.onnx"), "onnx/model.onnx"),
        (("model_quantized.onnx",), "model_quantized.onnx"),
        (("onnx/model_quantized.onnx",), "onnx/model_quantized.onnx"),
    ],
)
def test_finds_the_model_where_exports_put_it(there: Sequence[str], used: str, tmp_path: Path) -> None:
    for name in there:
        TinyModel().write(tmp_path, model=name)

    assert opened(tmp_path).path == tmp_path / used


def named(labels: Mapping[str, str]) -> Callable[[Path], object]:
    return lambda folder: (folder / "config.json").write_text(json.dumps({"id2label": labels}), encoding="utf-8")


def broken(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(b"\xff{")


def missing(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).unlink()


UNFIT: list[tuple[Callable[[Path], object], str]] = [
    (missing("model.onnx"), "has no model.onnx or .*; put it there"),
    (missing("tokenizer.json"), "has no tokenizer.json or .*; put it there"),
    (missing("config.json"), "has no config.json or .*; put it there"),
    (broken("model.onnx"), "cannot load .*model.onnx .*; export it anew"),
    (broken("tokenizer.json"), "tokenizer.json cannot be read .*; export it anew"),
    (broken("config.json"), "config.json cannot be read .*; export it anew"),
    (named({}), 'does not say which output means "entailment"; write it there'),
    (named({"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}), "{0: 'LABEL_0', .*; write it there"),
    (named({"1": "entailment", "2": "neutral", "3": "contradiction"}), "write it there"),
    (named({"0": "entailment", "1": "not_entailment"}), r"shape \(1, 3\) for 2 labels .* or export it anew"),
    (
        lambda folder: TinyModel(inputs=(*TinyModel().inputs, "pixels")).write(folder),
        "asks for pixels, .*; export it anew",
    ),
    (lambda folder: TinyModel(scale=np.inf).write(folder), "gives numbers that are none .*; .* export it anew"),
    (lambda folder: tiny_tokenizer("$A $B:1").save(str(folder / "tokenizer.json")), "puts no mark .*; export it anew"),
]


@pytest.mark.parametrize(("spoil", "said"), UNFIT, ids=[said for _, said in UNFIT])
def test_an_unfit_folder_is_refused_with_its_name_and_the_remedy(
    spoil: Callable[[Path], object], said: str, folder: Path
) -> None:
    spoil(folder)

    with pytest.raises(SettingsProblem, match=f"(?s){said}") as refused:
        opened(folder)
    assert str(folder) in str(refused.value)


@pytest.mark.parametrize("name", ["nowhere", "nli/model.onnx"])
def test_a_path_that_is_no_folder_is_refused(name: str, folder: Path) -> None:
    with pytest.raises(SettingsProblem, match=f"{name} is no folder; name the one that holds model.onnx"):
        opened(folder.parent / name)


def test_more_tokens_than_the_model_has_places_for_are_refused_before_anybody_asks(folder: Path) -> None:
    with pytest.raises(SettingsProblem, match=r"(?s)a pair of 65 tokens .*; lower max_tokens \(65\)"):
        opened(folder, max_tokens=POSITIONS + 1)


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_missing_package_is_named_with_what_installs_it(package: str, folder: Path) -> None:
    program = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from pathlib import Path\n"
        "from bot.llm.entailment import EntailmentSettings, load\n"
        f"load(EntailmentSettings(path='.'), Path({str(folder)!r}))\n"
    )

    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)

    assert f"SettingsProblem: [entailment] needs the package {package}" in ended.stderr
    assert 'pip install "answerdesk[entailment]"' in ended.stderr


@pytest.mark.parametrize("table", [{}, {"path": "nli", "model": "x"}, {"path": "nli", "max_tokens": 8}])
def test_a_wrong_table_is_refused(table: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        settings_model("entailment", "onnx").model_validate(table)
