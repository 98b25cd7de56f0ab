"""Runs multilingual-e5-small in onnxruntime: text → token ids → embedded tokens → graph → unit vector."""

import hashlib
import logging
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from knowledge.embed import Role, Vectors
from knowledge.embedders.e5_tokens import Ids, Tokenizer
from knowledge.embedders.e5_weights import PackedModel, packed_model_path, unpack_rows
from knowledge.errors import EmbedderProblem

GRAPH_RECIPE = 2  # part of the graph's file name: raise it with every change of e5_graph.py
LOG_ERRORS = 3  # onnxruntime's severity: errors, no warnings

log = logging.getLogger(__name__)


class OnnxEngine:
    """Embeds a text on the calling thread; the folder `models` keeps the graph written at the first start."""

    def __init__(self, models: Path) -> None:
        path = packed_model_path()
        model = PackedModel(path)
        shape = model.shape
        self._tokenizer = Tokenizer(model.vocabulary)
        self._marks = np.int32(model.vocabulary.begin), np.int32(model.vocabulary.end)
        self._rows = model.word_rows()
        types = model.tensor("emb.type")[: shape.width]
        self._places = model.tensor("emb.pos").reshape(-1, shape.width) + types
        self._window = shape.positions - len(self._marks)
        self._session = _open(model, models / _graph_name(path))

    def vector(self, text: str, role: Role) -> Vectors:
        """Return a unit vector; a long text gets the mean of its windows weighted by tokens, as in e5.c."""
        ids = self._tokenizer.ids(f"{role}: {text}")
        windows = [ids[at : at + self._window] for at in range(0, len(ids), self._window)]
        means = np.concatenate([self._mean(window) for window in windows])
        vector = np.array([len(window) for window in windows], np.float32) @ means
        unit: Vectors = vector / np.linalg.norm(vector)
        return unit

    def token_count(self, text: str, role: Role) -> int:
        """Return the tokens the model reads for `text`, its two marks included."""
        return len(self._tokenizer.ids(f"{role}: {text}")) + len(self._marks)

    def _mean(self, ids: Ids) -> Vectors:
        begin, end = self._marks
        embedded = unpack_rows(self._rows[np.array([begin, *ids, end])]) + self._places[: len(ids) + len(self._marks)]
        (mean,) = self._session.run(None, {"embedded": embedded[None]})
        found: Vectors = mean
        return found


def _graph_name(path: Path) -> str:
    stat = path.stat()
    made_from = f"{GRAPH_RECIPE} {stat.st_size} {stat.st_mtime_ns}"
    return f"e5-small-int8-{hashlib.sha256(made_from.encode()).hexdigest()[:16]}.onnx"


def _open(model: PackedModel, graph: Path) -> Any:
    if graph.exists():
        try:
            return _session(graph)
        except EmbedderProblem as exc:
            log.warning("writing the graph anew: %s", exc)
    _write(model, graph)
    return _session(graph)


def _write(model: PackedModel, graph: Path) -> None:
    """Write to a temporary name and rename: two processes at once both end with a whole file."""
    from knowledge.embedders.e5_graph import encoder_graph  # onnx: 0.1 s and 30 MB, needed only once

    content = encoder_graph(model)
    try:
        graph.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=graph.parent, delete=False) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(graph)
    except OSError as exc:
        raise EmbedderProblem(f"cannot write {graph} ({exc}); make the folder writable") from exc


def _session(graph: Path) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = LOG_ERRORS
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    except Exception as exc:  # onnxruntime has one class per kind of failure and only Exception in common
        raise EmbedderProblem(f"onnxruntime cannot load {graph} ({exc})") from exc
