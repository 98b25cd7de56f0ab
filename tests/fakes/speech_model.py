"""A model that hears words which are tones, small enough to be written by a test, and recordings of such words."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

import numpy as np
import onnx
import soundfile
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

TONES_HZ: Mapping[str, float] = MappingProxyType({"port": 600.0, "порт": 1000.0, "443": 1600.0, "відкритий": 2600.0})
BLANK = "<blk>"
TONE_S = 0.3
PAUSE_S = 0.2
VOLUME = 0.3
NOISE = 0.003  # of a quiet room: without it, the little of a tone that each band gets would count as much as the tone
BINS = 80
HIGHEST_HZ = 8000.0
SMOOTH = 15  # frames of 10 ms: codecs add noise, which a single frame cannot tell from a tone
# How much louder than usual the bins of a tone must be for a word to be heard.
CLEARLY = 1.0


@dataclass(frozen=True)
class TinySpeechModel:
    """A network of the type nemo-conformer-ctc; each piece of sound makes it go some `rounds` for nothing."""

    rounds: int = 0

    def write(self, folder: Path, model: str = "model.onnx") -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        onnx.save(self.graph(), folder / model)
        words = [*(f"▁{word}" for word in TONES_HZ), BLANK]
        vocabulary = "".join(f"{word} {at}\n" for at, word in enumerate(words))
        (folder / "vocab.txt").write_text(vocabulary, encoding="utf-8")
        config = {"model_type": "nemo-conformer-ctc", "features_size": BINS, "subsampling_factor": 1}
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        return folder

    def graph(self) -> onnx.ModelProto:
        hears = np.stack([_bins(tone_hz) for tone_hz in TONES_HZ.values()] + [np.zeros(BINS, np.float32)], axis=1)
        least = np.array([0.0] * len(TONES_HZ) + [CLEARLY], np.float32)
        numbers = {"hears": hears, "least": least, "zero": np.float32(0), "rounds": np.int64(self.rounds)}
        numbers |= {"go": np.bool_(True), "start": np.float32(0)}
        node = helper.make_node
        nodes = [
            node("AveragePool", ["audio_signal"], ["smooth"], kernel_shape=[SMOOTH], pads=[SMOOTH // 2, SMOOTH // 2]),
            node("Transpose", ["smooth"], ["frames"], perm=[0, 2, 1]),
            node("MatMul", ["frames", "hears"], ["tones"]),
            node("Add", ["tones", "least"], ["heard"]),
            node("Loop", ["rounds", "go", "start"], ["waited"], body=_round()),
            node("Mul", ["waited", "zero"], ["nothing"]),
            node("Add", ["heard", "nothing"], ["logprobs"]),
        ]
        value = helper.make_tensor_value_info
        read = [value("audio_signal", TensorProto.FLOAT, ["batch", BINS, "length"])]
        read.append(value("length", TensorProto.INT64, ["batch"]))
        logprobs = value("logprobs", TensorProto.FLOAT, ["batch", "length", len(TONES_HZ) + 1])
        fixed = [numpy_helper.from_array(np.asarray(number), name) for name, number in numbers.items()]
        graph = helper.make_graph(nodes, "tiny", read, [logprobs], fixed)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def _bins(tone_hz: float) -> NDArray[np.float32]:
    """Return how much of each mel band belongs to a tone."""
    at = _mel(tone_hz) / _mel(HIGHEST_HZ) * (BINS + 1) - 1
    near = np.maximum(0.0, 1.0 - np.abs(np.arange(BINS) - at) / 2).astype(np.float32)
    share: NDArray[np.float32] = near / near.sum()
    return share


def _mel(tone_hz: float) -> float:
    """Return the place of a tone on Slaney's mel scale, which the features of these models are made with."""
    return tone_hz * 3 / 200 if tone_hz < 1000 else 15 + 27 * math.log(tone_hz / 1000, 6.4)


def _round() -> onnx.GraphProto:
    value = helper.make_tensor_value_info
    nodes = [helper.make_node("Identity", ["on"], ["still_on"]), helper.make_node("Cos", ["state"], ["next"])]
    given = [value("round", TensorProto.INT64, []), value("on", TensorProto.BOOL, [])]
    given.append(value("state", TensorProto.FLOAT, []))
    return helper.make_graph(
        nodes, "round", given, [value("still_on", TensorProto.BOOL, []), value("next", TensorProto.FLOAT, [])]
    )


@dataclass(frozen=True)
class TinyWhisper:
    """A network of the type whisper-ort, which tells no more than the language that it was told, or else detects."""

    marks: tuple[str, ...] = ("endoftext", "notimestamps", "transcribe", "startoftranscript", "en", "uk")
    words: tuple[str, ...] = ("English", "Ukrainian")
    detected: str = "en"

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        onnx.save(self.graph(), folder / "whisper-tiny_beamsearch.onnx")
        marks = {f"<|{mark}|>": at for at, mark in enumerate(self.marks)}
        (folder / "added_tokens.json").write_text(json.dumps(marks), encoding="utf-8")
        words = {word: at for at, word in enumerate(self.words, start=len(marks))}
        (folder / "vocab.json").write_text(json.dumps(words), encoding="utf-8")
        return folder

    def graph(self) -> onnx.ModelProto:
        start, first = self.marks.index("startoftranscript"), self.marks.index("en")
        follows = np.arange(len(self.marks), dtype=np.int32)
        follows[start], follows[first:] = self.marks.index(self.detected), follows[first:] + len(self.words)
        node = helper.make_node
        nodes = [
            # A language stands behind all other marks.
            node("ReduceMax", ["decoder_input_ids"], ["last_mark"], axes=[1]),
            node("Gather", ["follows", "last_mark"], ["word"]),
            node("Concat", ["decoder_input_ids", "word"], ["tokens"], axis=1),
            node("Unsqueeze", ["tokens", "one"], ["sequences"]),
        ]
        value = helper.make_tensor_value_info
        counts = ("max_length", "min_length", "num_beams", "num_return_sequences")
        read = [value("input_features", TensorProto.FLOAT, ["batch", BINS, "length"])]
        read += [value(name, TensorProto.INT32, [1]) for name in counts]
        read += [value(name, TensorProto.FLOAT, [1]) for name in ("length_penalty", "repetition_penalty")]
        read.append(value("decoder_input_ids", TensorProto.INT32, ["batch", "told"]))
        said = value("sequences", TensorProto.INT32, ["batch", 1, "tokens"])
        fixed = [numpy_helper.from_array(follows, "follows"), numpy_helper.from_array(np.array([1]), "one")]
        graph = helper.make_graph(nodes, "tiny", read, [said], fixed)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def spoken(words: Sequence[str], *, rate_hz: int = 48_000, pause_s: float = PAUSE_S) -> NDArray[np.float32]:
    """Return samples of the words, one after another with pauses around each."""
    times = np.arange(int(TONE_S * rate_hz)) / rate_hz
    pause = np.zeros(int(pause_s * rate_hz))
    parts = [pause]
    for word in words:
        parts += [VOLUME * np.sin(2 * np.pi * TONES_HZ[word] * times) * np.hanning(len(times)), pause]
    said = np.concatenate(parts)
    return (said + np.random.default_rng(1).normal(scale=NOISE, size=len(said))).astype(np.float32)


def recorded(
    samples: NDArray[np.float32], *, rate_hz: int = 48_000, kind: str = "OGG", subtype: str | None = "OPUS"
) -> bytes:
    """Return the samples as a file; as messengers record them, where nothing else is asked for."""
    file = BytesIO()
    soundfile.write(file, samples, rate_hz, format=kind, subtype=subtype)
    return file.getvalue()
