"""What turns a recording into words promises."""

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import ValidationError

from bot.core.errors import RecordingProblem
from bot.core.transcribe import Transcriber
from bot.speech.onnx import ModelType, OnnxSettings, build
from knowledge.errors import SettingsProblem, TransientError
from tests.fakes.speech_model import TinySpeechModel, TinyWhisper, recorded, spoken

WORDS = ["порт", "443", "відкритий", "port", "443"]
SLOW = TinySpeechModel(rounds=1_000_000)  # about half a second for each piece


def opened(folder: Path, **chosen: Any) -> AbstractAsyncContextManager[Transcriber]:
    settings = {"path": folder.name, "model": "nemo-conformer-ctc", **chosen}
    return build(OnnxSettings.model_validate(settings), base=folder.parent)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return TinySpeechModel().write(tmp_path / "speech")


@pytest.fixture
async def transcriber(folder: Path) -> AsyncIterator[Transcriber]:
    async with opened(folder, max_seconds=120) as built:
        yield built


@pytest.mark.parametrize("rate_hz", [8_000, 12_000, 16_000, 24_000, 48_000])
async def test_hears_what_was_said_into_a_messenger(rate_hz: int, transcriber: Transcriber) -> None:
    recording = recorded(spoken(WORDS, rate_hz=rate_hz), rate_hz=rate_hz)

    assert await transcriber.transcribe(recording, language="uk") == "порт 443 відкритий port 443"


@pytest.mark.parametrize(
    ("kind", "subtype"), [("OGG", "VORBIS"), ("MP3", None), ("WAV", "PCM_16"), ("WAV", "FLOAT"), ("FLAC", None)]
)
@pytest.mark.parametrize("rate_hz", [16_000, 44_100])
async def test_hears_other_files_too(kind: str, subtype: str | None, rate_hz: int, transcriber: Transcriber) -> None:
    recording = recorded(spoken(WORDS, rate_hz=rate_hz), rate_hz=rate_hz, kind=kind, subtype=subtype)

    assert await transcriber.transcribe(recording, language=None) == " ".join(WORDS)


async def test_hears_both_ears(transcriber: Transcriber) -> None:
    samples = spoken(WORDS)
    half = len(samples) // 2
    left, right = np.append(samples[:half], np.zeros(len(samples) - half)), np.append(np.zeros(half), samples[half:])
    both = np.stack([left, right], axis=1).astype(np.float32)

    assert await transcriber.transcribe(recorded(both), language=None) == " ".join(WORDS)


async def test_a_long_recording_loses_no_word(transcriber: Transcriber) -> None:
    said = WORDS * 40

    assert (await transcriber.transcribe(recorded(spoken(said)), language=None)).split() == said


@pytest.mark.parametrize(
    "samples",
    [
        np.zeros(48_000),
        np.zeros(0),
        spoken(["443"])[:200],
        spoken(["443"], pause_s=30.0) * 0.001,
        np.full(48_000, np.nan),
    ],
    ids=["silence", "nothing", "a moment", "far away", "no numbers"],
)
async def test_is_empty_where_nothing_was_said(samples: Any, transcriber: Transcriber) -> None:
    recording = recorded(samples.astype(np.float32), kind="WAV", subtype="FLOAT")

    assert await transcriber.transcribe(recording, language=None) == ""


M4A = b"\x00\x00\x00\x20ftypM4A \x00\x00\x00\x00M4A mp42isom\x00\x00\x00\x00"
UNREADABLE = {
    "nothing": (b"", "is no Ogg, MP3, WAV or FLAC"),
    "text": ("порт відкритий".encode(), "is no Ogg, MP3, WAV or FLAC"),
    "m4a": (M4A, "is no Ogg, MP3, WAV or FLAC"),
    "a start": (recorded(spoken(WORDS))[:60], "libsndfile cannot read the recording of 60 bytes"),
    "a spoilt end": (b"fLaC" + bytes(5_000), "libsndfile cannot read"),
    "a choir": (recorded(np.zeros((100, 6), np.float32)), "6 channels of 48000 Hz; only up to 2"),
    "a studio": (
        recorded(np.zeros(96_000, np.float32), rate_hz=96_000, kind="WAV", subtype=None),
        "1 channels of 96000 Hz; only .* of 8000 to 48000 Hz",
    ),
    "a lecture": (
        recorded(np.zeros(8_000 * 121, np.float32), rate_hz=8_000),
        "lasts 121 s, more than .*max_seconds 120",
    ),
    "a whole disc": (b"OggS" + bytes(50_000_000), "has 50000004 bytes, more than 50000000"),
}


@pytest.mark.parametrize(("recording", "said"), UNREADABLE.values(), ids=UNREADABLE)
async def test_a_recording_that_never_becomes_words_is_refused(
    recording: bytes, said: str, transcriber: Transcriber
) -> None:
    with pytest.raises(RecordingProblem, match=said):
        await transcriber.transcribe(recording, language=None)


@pytest.mark.parametrize(
    ("language", "heard"),
    [("uk", "Ukrainian"), ("uk-UA", "Ukrainian"), ("EN", "English"), ("tlh", "English"), (None, "English")],
)
async def test_hears_the_language_told_and_its_own_choice_of_an_unknown_one(
    language: str | None, heard: str, tmp_path: Path
) -> None:
    async with opened(TinyWhisper().write(tmp_path / "whisper"), model="whisper-ort") as transcriber:
        assert await transcriber.transcribe(recorded(spoken(WORDS)), language=language) == heard


async def test_hears_one_recording_at_a_time_in_the_order_they_came(tmp_path: Path) -> None:
    heard: list[str] = []

    async def hear(transcriber: Transcriber, samples: NDArray[np.float32]) -> None:
        heard.append(await transcriber.transcribe(recorded(samples), language=None))

    async with opened(SLOW.write(tmp_path / "slow")) as transcriber, asyncio.TaskGroup() as together:
        for samples in (spoken(["443", "port"]), np.zeros(48_000, np.float32), spoken(["порт"])):
            together.create_task(hear(transcriber, samples))

    assert heard == ["443 port", "", "порт"]


async def test_waiting_for_others_counts(tmp_path: Path) -> None:
    async with opened(SLOW.write(tmp_path / "slow"), deadline_s=0.1) as transcriber:
        recordings = [recorded(spoken(["443"])), recorded(np.zeros(48_000, np.float32))]
        heard = await asyncio.gather(
            *[transcriber.transcribe(recording, language=None) for recording in recordings], return_exceptions=True
        )

    assert [type(outcome) for outcome in heard] == [TransientError, TransientError]


async def test_the_loop_goes_on_while_somebody_is_heard(tmp_path: Path) -> None:
    async with opened(SLOW.write(tmp_path / "slow")) as transcriber, asyncio.TaskGroup() as together:
        hearing = together.create_task(transcriber.transcribe(recorded(spoken(["443"])), language=None))
        await asyncio.sleep(0.01)

        assert not hearing.done()


async def test_what_takes_too_long_is_given_up_with_the_remedy(tmp_path: Path) -> None:
    async with opened(SLOW.write(tmp_path / "slow"), deadline_s=0.1) as transcriber:
        with pytest.raises(TransientError, match=r"within 0\.1 s, the waiting .*; take a quantized or smaller model"):
            await transcriber.transcribe(recorded(spoken(["443"])), language=None)


async def test_what_was_given_up_takes_no_thread_beyond_its_piece(tmp_path: Path) -> None:
    one_piece, ten_pieces = (
        recorded(spoken(["443"] * words, rate_hz=8_000), rate_hz=8_000, kind="WAV", subtype=None) for words in (2, 220)
    )
    async with opened(SLOW.write(tmp_path / "slow")) as transcriber:
        started = time.monotonic()
        await transcriber.transcribe(one_piece, language=None)
        one_piece_s = time.monotonic() - started
        hearing = asyncio.create_task(transcriber.transcribe(ten_pieces, language=None))
        await asyncio.sleep(one_piece_s / 2)
        hearing.cancel()
        given_up_at = time.monotonic()
    took_s = time.monotonic() - given_up_at

    assert took_s < 5 * one_piece_s


@pytest.mark.parametrize("model", get_args(ModelType))
async def test_a_folder_without_the_files_of_its_type_is_refused_at_the_start(model: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsProblem, match=rf"not found in path .*{model}.*docs/speech\.md"):
        await opened(tmp_path, model=model).__aenter__()


def missing(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).unlink()


@pytest.mark.parametrize(
    ("spoil", "chosen", "said"),
    [
        (missing("model.onnx"), {}, "File 'model.onnx' not found"),
        (missing("vocab.txt"), {}, "File 'vocab.txt' not found"),
        (lambda folder: folder, {"quantization": "int8"}, "File 'model?int8.onnx' not found"),
        (lambda folder: folder.rename(folder.parent / "elsewhere"), {}, "speech is no folder; name the one"),
    ],
    ids=["network", "words", "quantized", "folder"],
)
async def test_says_which_file_is_missing(
    spoil: Callable[[Path], object], chosen: dict[str, str], said: str, folder: Path
) -> None:
    spoil(folder)

    with pytest.raises(SettingsProblem, match=said.replace("?", r"\?")) as refused:
        await opened(folder, **chosen).__aenter__()
    assert str(folder) in str(refused.value)


async def test_reads_the_quantized_file_where_that_is_chosen(tmp_path: Path) -> None:
    folder = TinySpeechModel().write(tmp_path / "small", model="model.int8.onnx")

    async with opened(folder, quantization="int8") as transcriber:
        assert await transcriber.transcribe(recorded(spoken(WORDS)), language=None) == " ".join(WORDS)


@pytest.mark.parametrize("name", ["model.onnx", "vocab.txt", "config.json"])
async def test_a_broken_file_is_told_to_whoever_speaks_and_is_mended_without_a_restart(name: str, folder: Path) -> None:
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(b"\xff{")

    async with opened(folder) as transcriber:
        with pytest.raises(
            TransientError, match=r"(?s)speech cannot be loaded as 'nemo-conformer-ctc' .*fetch it anew"
        ):
            await transcriber.transcribe(recorded(spoken(WORDS)), language=None)
        (folder / name).write_bytes(whole)

        assert await transcriber.transcribe(recorded(spoken(WORDS)), language=None) == " ".join(WORDS)


async def test_a_model_of_another_type_is_told_with_the_remedy(folder: Path) -> None:
    (folder / "config.json").write_text('{"features_size": 128}', encoding="utf-8")

    async with opened(folder) as transcriber:
        with pytest.raises(
            TransientError, match=r"(?s)cannot hear a piece of .*\[transcriber\] model may name another"
        ):
            await transcriber.transcribe(recorded(spoken(WORDS)), language=None)


@pytest.mark.parametrize(
    "chosen", [{"model": "nemo-parakeet-tdt-0.6b-v3"}, {"quantization": "../x"}, {"max_seconds": 0}, {"url": "x"}]
)
def test_settings_that_cannot_be_meant_are_refused(chosen: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=next(iter(chosen))):
        OnnxSettings.model_validate({"path": "speech", "model": "whisper", **chosen})


OPEN = "asyncio.run(build(OnnxSettings(path='.', model='whisper'), base=Path('.')).__aenter__())"
BEFORE = "import asyncio, sys\nfrom pathlib import Path\nfrom bot.speech.onnx import OnnxSettings, build\n"


@pytest.mark.parametrize("package", ["onnx_asr", "onnxruntime", "soundfile"])
def test_a_missing_package_is_named_with_what_installs_it(package: str) -> None:
    program = f"{BEFORE}sys.modules[{package!r}] = None\n{OPEN}"

    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)

    told = ended.stderr.splitlines()[-1]
    assert told.startswith(
        "knowledge.errors.SettingsProblem: [transcriber] needs the packages onnx-asr and soundfile ("
    )
    assert package in told
    assert told.endswith('; pip install "answerdesk[speech]"')


def test_nothing_is_imported_before_it_is_needed() -> None:
    program = f"{BEFORE}print({{'numpy', 'onnx_asr', 'onnxruntime', 'soundfile'}} & sys.modules.keys())"

    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)

    assert ended.stdout == "set()\n"
