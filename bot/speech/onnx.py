"""Turns recordings into words with a speech model from a local folder."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from knowledge.errors import SettingsProblem, TransientError

if TYPE_CHECKING:
    from bot.speech.recognizer import Recognizer

EXTRA = 'pip install "answerdesk[speech]"'
# What onnx-asr 0.12 can read from a folder, whichever model of the type stands there.
ModelType = Literal[
    "gigaam-multilingual-ctc",
    "gigaam-v2-ctc",
    "gigaam-v2-rnnt",
    "gigaam-v3-ctc",
    "gigaam-v3-e2e-ctc",
    "gigaam-v3-e2e-rnnt",
    "gigaam-v3-rnnt",
    "kaldi-rnnt",
    "nemo-conformer-aed",
    "nemo-conformer-ctc",
    "nemo-conformer-rnnt",
    "nemo-conformer-tdt",
    "t-one-ctc",
    "vosk",
    "whisper",
    "whisper-ort",
]

log = logging.getLogger(__name__)


class OnnxSettings(BaseModel):
    """`[transcriber]` of kind "onnx": which model stands in which folder, and how much time and cores it may take."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: Path
    model: ModelType
    # It becomes part of a file's name: "int8" of encoder-model.int8.onnx.
    quantization: str | None = Field(default=None, pattern=r"^[a-z0-9_]{1,20}$")
    max_seconds: int = Field(default=180, ge=1, le=900)
    deadline_s: float = Field(default=120.0, gt=0, le=900)
    threads: int = Field(default=1, ge=1)


@asynccontextmanager
async def build(settings: OnnxSettings, *, base: Path) -> AsyncIterator["OnnxTranscriber"]:
    """Look whether all is there, and load the model when somebody first speaks; raise SettingsProblem otherwise."""
    folder = base / settings.path.expanduser()
    await asyncio.to_thread(_check, settings, folder)
    one_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="transcriber")
    try:
        yield OnnxTranscriber(partial(_load, settings, folder), one_thread, settings)
    finally:
        # What runs now cannot be stopped before its piece ends; the loop goes on meanwhile.
        await asyncio.to_thread(one_thread.shutdown, cancel_futures=True)


def _check(settings: OnnxSettings, folder: Path) -> None:
    try:
        import bot.speech.recognizer as parts  # optional packages
    except (ImportError, OSError) as exc:  # soundfile raises OSError without libsndfile
        raise SettingsProblem(f"[transcriber] needs the packages onnx-asr and soundfile ({exc}); {EXTRA}") from exc
    parts.check(folder, model=settings.model, quantization=settings.quantization)


def _load(settings: OnnxSettings, folder: Path) -> "Recognizer":
    from bot.speech.recognizer import load  # optional packages

    started = time.monotonic()
    loaded = load(folder, model=settings.model, quantization=settings.quantization, threads=settings.threads)
    log.info("speech model loaded", extra={"path": str(folder), "took_s": round(time.monotonic() - started, 3)})
    return loaded


class OnnxTranscriber:
    """The `Transcriber` port: one recording at a time, in the order in which they came, on the one thread given."""

    def __init__(self, load: Callable[[], "Recognizer"], one_thread: Executor, settings: OnnxSettings) -> None:
        self._load = load
        self._one_thread = one_thread
        self._settings = settings
        self._recognizer: Recognizer | None = None

    async def transcribe(self, recording: bytes, *, language: str | None) -> str:
        given_up = Event()
        listen = partial(self._listen, recording, language, given_up)
        deadline_s = self._settings.deadline_s
        try:
            async with asyncio.timeout(deadline_s):
                return await asyncio.get_running_loop().run_in_executor(self._one_thread, listen)
        except TimeoutError as exc:
            raise TransientError(
                f"{self._settings.path} did not hear {len(recording)} bytes within {deadline_s:g} s, the waiting for"
                " others included; take a quantized or smaller model, more threads, or a higher deadline_s"
            ) from exc
        finally:
            given_up.set()

    def _listen(self, recording: bytes, language: str | None, given_up: Event) -> str:
        from bot.speech.sound import pieces, read  # optional packages

        started = time.monotonic()
        sound = read(recording, max_seconds=self._settings.max_seconds)
        code = language.partition("-")[0].lower() if language else None
        words: list[str] = []
        for piece in pieces(sound):
            # A thread cannot be cancelled: it has to look by itself.
            if given_up.is_set():
                return ""
            words.append(self._loaded().words(piece, code))
        lasts_s, took_s = len(sound.samples) / sound.rate_hz, time.monotonic() - started
        log.info("recording heard", extra={"lasts_s": round(lasts_s, 3), "took_s": round(took_s, 3)})
        return " ".join(filter(None, words))

    def _loaded(self) -> "Recognizer":
        if self._recognizer is None:
            self._recognizer = self._load()
        return self._recognizer
