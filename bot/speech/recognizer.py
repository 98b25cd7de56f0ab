"""Loads a speech model from a local folder with onnx-asr; imports a great deal, so nothing imports it but to use it."""

from pathlib import Path

import onnxruntime
from onnx_asr.adapters import TextResultsAsrAdapter
from onnx_asr.loader import Manager, create_asr_resolver
from onnx_asr.utils import ModelLoadingError, is_supported_sample_rate

from bot.speech.sound import Sound
from knowledge.errors import SettingsProblem, TransientError

LOG_ERRORS = 3  # onnxruntime's severity: errors, no warnings


def check(folder: Path, *, model: str, quantization: str | None) -> None:
    """Raise SettingsProblem where the folder lacks a file of such a model; loads nothing."""
    if not folder.is_dir():
        raise SettingsProblem(f"[transcriber] path: {folder} is no folder; name the one that holds the model's files")
    try:
        create_asr_resolver(model, folder, offline=True).resolve_model(quantization=quantization)
    except ModelLoadingError as exc:
        raise SettingsProblem(
            f"[transcriber] path: {exc} That is what the model {model!r} with quantization {quantization!r} needs;"
            " docs/speech.md says where such files come from"
        ) from exc


def load(folder: Path, *, model: str, quantization: str | None, threads: int) -> "Recognizer":
    """Load the model of a folder, and fetch nothing; raise TransientError where that fails now."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = LOG_ERRORS
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    manager = Manager(options, ["CPUExecutionProvider"])
    try:
        return Recognizer(folder, manager.create_asr(model, folder, quantization=quantization, offline=True))
    except Exception as exc:  # onnxruntime has one class per kind of failure and only Exception in common
        raise TransientError(
            f"[transcriber] path: {folder} cannot be loaded as {model!r} ({exc}); fetch it anew, as docs/speech.md says"
        ) from exc


class Recognizer:
    """A loaded model; blocks the calling thread."""

    def __init__(self, folder: Path, model: TextResultsAsrAdapter) -> None:
        self._folder = folder
        self._model = model

    def words(self, piece: Sound, language: str | None) -> str:
        """Return what is said in a piece, heard in that language if the model knows it by name."""
        try:
            return self._heard(piece, language)
        except _UnknownLanguage:
            return self._heard(piece, None)

    def _heard(self, piece: Sound, language: str | None) -> str:
        assert is_supported_sample_rate(piece.rate_hz)
        try:
            return self._model.recognize(piece.samples, sample_rate=piece.rate_hz, language=language).strip()
        except Exception as exc:  # onnxruntime has one class per kind of failure and only Exception in common
            # onnx-asr looks for the language's mark among the model's words.
            if language is not None and isinstance(exc, KeyError):
                raise _UnknownLanguage(language) from exc
            raise TransientError(
                f"{self._folder} cannot hear a piece of {len(piece.samples)} samples ({exc!r});"
                " [transcriber] model may name another type than the folder has: docs/speech.md"
            ) from exc


class _UnknownLanguage(LookupError):
    """The model has no name for a language."""
