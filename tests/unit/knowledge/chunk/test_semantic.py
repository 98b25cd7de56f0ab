"""Pieces by meaning: cut where it changes, each long enough and none too long, every sentence embedded once."""

import re
import zlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pydantic import ValidationError

from knowledge.chunk.semantic import BATCH_SENTENCES, Semantic, SemanticSettings, build
from knowledge.chunk.semantic_cuts import DistanceCurve, borders, chosen_cuts
from knowledge.parse import markdown
from knowledge.parse import text as plain
from knowledge.types import Parsed
from tests.fakes.odd_texts import odd_texts
from tests.fakes.texts_of_all_scripts import texts_of_all_scripts

ANGLE_OF = {"cat": 0.0, "dog": 0.2, "tax": 1.5}
SENTENCES = st.lists(st.sampled_from(["The cat sat. ", "A dog barked loudly at it. ", "Tax is due. ", "Tax! "]))


def words(text: str) -> int:
    return len(text.split())


def subwords(text: str) -> int:
    return 2 + len(re.findall(r"\w{1,4}|[^\w\s]", text))


class Topics:
    """Embeds by the animal or tax that a text speaks of, anything else by chance; remembers its calls."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(list(texts))
        angles = [self._angle(text) for text in texts]
        return np.array([[np.cos(angle), np.sin(angle)] for angle in angles], np.float32)

    def _angle(self, text: str) -> float:
        known = (angle for word, angle in ANGLE_OF.items() if word in text.lower())
        return next(known, zlib.crc32(text.encode("utf-8", "surrogatepass")) % 31 / 10)


def chunker(minimum: int, maximum: int, topics: Topics | None = None, percentile: float = 90) -> Semantic:
    chosen = SemanticSettings(percentile=percentile, min_tokens=minimum, max_tokens=maximum)
    return Semantic(chosen, vectors=topics or Topics(), tokens=words)


def pieces(parsed: Parsed, cutter: Semantic) -> list[str]:
    return [parsed.text[start:end] for start, end in cutter.cut(parsed, language="en")]


def curve(distances: Sequence[float], percentile: float = 90) -> DistanceCurve:
    spans = tuple((number, number + 1) for number in range(len(distances) + 1))
    return DistanceCurve(
        spans, tuple(distances), float(np.percentile(distances, percentile)), tuple(borders(distances, percentile))
    )


@pytest.mark.parametrize(
    ("distances", "percentile", "expected"),
    [
        ([], 90, []),
        ([0.4], 90, []),
        ([0.1, 0.9], 90, [1]),
        ([0.1, 0.5, 0.2, 0.3], 50, [1, 3]),
        ([0.0, 0.1, 0.2, 0.3, 0.4], 75, [3, 4]),
        ([0.1, 0.2, 0.3], 0, [0, 1, 2]),
        ([0.0] * 20, 90, []),
        ([0.3] * 20, 90, []),
        ([0.3] * 15 + [0.1] * 5, 90, []),
        ([0.1] * 15 + [0.3] * 5, 90, [15, 16, 17, 18, 19]),
        ([0.3] * 15 + [0.4], 90, [15]),
    ],
)
def test_borders_are_where_the_distance_reaches_the_percentile(
    distances: list[float], percentile: float, expected: list[int]
) -> None:
    assert borders(distances, percentile) == expected


@pytest.mark.parametrize(
    ("sizes", "distances", "expected"),
    [
        ([50, 50, 50, 50], [0.1, 0.9, 0.1], [0, 2]),
        ([50, 50, 10], [0.1, 0.9], [0]),
        ([50, 10, 50], [0.9, 0.5], [0, 1]),
        ([10, 50, 50, 50], [0.9, 0.1, 0.2], [0, 3]),
        ([90, 90, 90], [0.1, 0.2], [0, 1, 2]),
        ([60, 60, 60, 60], [0.1, 0.3, 0.2], [0, 1, 2, 3]),
        ([30, 30, 30, 30], [0.1, 0.3, 0.2], [0, 2]),
        ([100, 100], [0.5], [0, 1]),
        ([30] * 4, [0.5] * 3, [0, 2]),
        ([150, 50], [0.5], [0, 1]),
    ],
    ids=[
        *("at the border", "a short last piece stays", "the nearer neighbour", "a short first piece", "one each"),
        *("none fit together", "at the largest distance", "both full", "equal distances are evened", "a long unit"),
    ],
)
def test_cuts_keep_to_the_limits_and_gain_most(sizes: list[int], distances: list[float], expected: list[int]) -> None:
    assert chosen_cuts(sizes, curve(distances), minimum=40, maximum=110) == expected


def test_a_text_is_cut_where_its_subject_changes() -> None:
    parsed = plain.parse("The cat sat. A dog barked. The cat ran. Tax is due. Pay the tax. Tax is high.")

    assert pieces(parsed, chunker(3, 100)) == [
        "The cat sat. A dog barked. The cat ran.",
        "Tax is due. Pay the tax. Tax is high.",
    ]


def test_every_sentence_is_embedded_once_and_in_batches() -> None:
    topics = Topics()
    sentences = [f"Sentence number {number} says a little." for number in range(200)]

    chunker(20, 100, topics).cut(plain.parse(" ".join(sentences)), language="en")

    assert [text for call in topics.calls for text in call] == sentences
    assert [len(call) for call in topics.calls] == [BATCH_SENTENCES] * 3 + [200 - 3 * BATCH_SENTENCES]


@pytest.mark.parametrize("count", [1, 2, 9, 100])
def test_equal_sentences_do_not_become_a_piece_each(count: int) -> None:
    parsed = plain.parse("The cat sat down. " * count)

    found = pieces(parsed, chunker(4, 100))

    assert len(found) == -(-4 * count // 100)


def test_a_sentence_that_is_too_long_is_cut_at_words() -> None:
    parsed = plain.parse("The cat sat. " + "word " * 250 + "end.")

    found = pieces(parsed, chunker(10, 100))

    assert [words(piece) <= 100 for piece in found] == [True] * 3
    assert " ".join(found).split() == parsed.text.split()


def test_a_tail_too_long_for_the_piece_before_it_gets_some_of_its_words() -> None:
    parsed = plain.parse("The cat " + "sat " * 95 + "down. Tax is due.")

    found = pieces(parsed, chunker(20, 100))

    assert [20 <= words(piece) <= 100 for piece in found] == [True, True]


def test_a_heading_stays_with_what_follows_it() -> None:
    parsed = markdown.parse("# Cats\n\nThe cat sat. The cat ran.\n\n## Taxes\n\nTax is due. Pay the tax.\n")

    assert pieces(parsed, chunker(4, 100)) == [
        "# Cats\n\nThe cat sat. The cat ran.",
        "## Taxes\n\nTax is due. Pay the tax.",
    ]


def test_code_and_rows_are_not_cut_at_what_looks_like_a_sentence() -> None:
    code = "```\ncat. Then tax.\ntax. Then cat.\n```"
    table = "| Cat | Tax |\n|---|---|\n| A cat. A tax. | Tax. Cat. |"
    topics = Topics()

    found = pieces(markdown.parse(f"{code}\n\n{table}\n\n- A cat. A tax.\n"), chunker(1, 100, topics, percentile=0))

    assert len(topics.calls[0]) == 3
    assert not [piece for piece in found if piece.startswith(("Then", "A tax", "Tax. Cat"))]


def test_what_a_page_hides_is_not_embedded() -> None:
    topics = Topics()
    text = (
        "Seen here. <span hidden>SECRET one. SECRET two.</span> Seen too. <!-- SECRET. -->\n\n<!-- SECRET -->\n\nEnd."
    )

    chunker(1, 100, topics).cut(markdown.parse(text), language="en")

    assert "SECRET" not in str(topics.calls)


def assert_promises(parsed: Parsed, minimum: int, maximum: int) -> None:
    chosen = SemanticSettings(min_tokens=minimum, max_tokens=maximum)
    spans = Semantic(chosen, vectors=Topics(), tokens=subwords).cut(parsed, language="en")
    flat = [offset for span in spans for offset in span]
    assert flat == sorted(flat)
    assert all(start < end for start, end in spans)
    if any(block.text.strip() for block in parsed.blocks):
        borders_around = [0, *flat, len(parsed.text)]
        outside = [parsed.text[start:end] for start, end in list(pairwise(borders_around))[::2]]
        assert not "".join(outside).strip()
    sizes = [subwords(parsed.text[start:end]) for start, end in spans]
    assert all(size <= maximum for size in sizes)
    assert len(sizes) < 2 or min(sizes) >= minimum


@settings(deadline=None, max_examples=100)
@given(texts_of_all_scripts(), st.integers(4, 12))
def test_any_plain_text_is_in_exactly_one_piece_that_fits(text: str, minimum: int) -> None:
    assert_promises(plain.parse(text), minimum, 3 * minimum)


@settings(deadline=None, max_examples=100)
@given(texts_of_all_scripts(), st.integers(4, 12))
def test_any_markdown_is_in_exactly_one_piece_that_fits(text: str, minimum: int) -> None:
    assert_promises(markdown.parse(text), minimum, 3 * minimum)


def test_odd_texts_are_in_exactly_one_piece_each() -> None:
    for text in odd_texts():
        assert_promises(markdown.parse(text), 6, 40)


@settings(deadline=None, max_examples=100)
@given(SENTENCES, st.integers(1, 15), st.integers(0, 100))
def test_no_piece_is_too_short_unless_the_document_is(sentences: list[str], minimum: int, percentile: int) -> None:
    parsed = plain.parse("".join(sentences))

    sizes = [words(piece) for piece in pieces(parsed, chunker(minimum, 2 * minimum, percentile=percentile))]

    assert len(sizes) < 2 or all(minimum <= size <= 2 * minimum for size in sizes)


@settings(deadline=None, max_examples=50)
@given(texts_of_all_scripts())
def test_the_same_text_has_the_same_pieces(text: str) -> None:
    assert pieces(plain.parse(text), chunker(4, 20)) == pieces(plain.parse(text), chunker(4, 20))


def test_the_curve_tells_what_a_document_is_cut_by() -> None:
    parsed = plain.parse("The cat sat. The cat ran. Tax is due.")

    found = chunker(1, 100).curve(parsed, language="en")

    assert [parsed.text[start:end] for start, end in found.sentences] == ["The cat sat.", "The cat ran.", "Tax is due."]
    assert found.distances == pytest.approx((0, 1 - np.cos(1.5)), abs=1e-5)
    assert found.threshold == pytest.approx(0.9 * (1 - np.cos(1.5)), abs=1e-5)
    assert found.borders == (1,)


@pytest.mark.parametrize("text", ["", " \n\n ", "One sentence.", "# Only a heading", "<!-- hidden -->"])
async def test_a_document_of_one_sentence_or_none_is_one_piece_or_none(text: str) -> None:
    async with build(SemanticSettings(), vectors=Topics()) as cutter:
        found = pieces(markdown.parse(text), cutter)

    assert found in ([], [text.strip()])
    assert cutter.name == "semantic-90-80-600-estimated-tokens"


def test_limits_that_cannot_both_hold_are_refused() -> None:
    with pytest.raises(ValidationError, match="max_tokens 100 must be at least twice min_tokens 80"):
        SemanticSettings(max_tokens=100)
