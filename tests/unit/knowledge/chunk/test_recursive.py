"""Pieces by length: nothing lost, nothing too long, cut at the strongest border, overlapping by whole words."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from knowledge.chunk.recursive import Recursive, RecursiveSettings, build, spans
from knowledge.chunk.ruler import Measure
from knowledge.parse import text as plain
from knowledge.types import Span
from tests.fakes.odd_texts import huge_texts, odd_texts
from tests.fakes.texts_of_all_scripts import FAMILY, texts_of_all_scripts

CUTTING_TIME_S = 9.0
HUGE = huge_texts() | {"flags": "🇺🇦" * 300_000, "accents": "a" + "\u0301" * 500_000, "families": FAMILY * 50_000}


def subwords(text: str) -> int:
    """Count as a model's tokenizer does: parts of words, and two marks around the text."""
    return 2 + len(re.findall(r"\w{1,4}|[^\w\s]", text))


MEASURES: dict[str, Measure] = {"characters": len, "tokens": subwords}


def pieces(text: str, size: int, overlap: int = 0, measure: Measure = len) -> list[str]:
    found = spans(text, size=size, overlap=overlap, measure=measure, language="en")
    return [text[start:end] for start, end in found]


def joined(text: str, found: list[Span]) -> str:
    ends = [0, *(end for _, end in found)]
    return "".join(text[max(start, covered) : end] for (start, end), covered in zip(found, ends, strict=False))


def assert_promises(text: str, size: int, overlap: int, measure: Measure) -> None:
    found = spans(text, size=size, overlap=overlap, measure=measure, language="en")
    starts, ends = [start for start, _ in found], [end for _, end in found]
    assert joined(text, found) == text
    assert all(end - start == 1 or measure(text[start:end]) <= size for start, end in found)
    assert starts == sorted(set(starts))
    assert ends == sorted(set(ends))
    for start, covered in zip(starts[1:], ends, strict=False):
        assert start <= covered
        assert measure(text[start:covered]) - measure("") <= overlap
        assert start == covered or text[start - 1].isspace() or ord(text[start]) > 0xDFF


@settings(deadline=None, max_examples=150)
@given(texts_of_all_scripts(), st.integers(1, 60), st.integers(0, 20), st.sampled_from(sorted(MEASURES)))
def test_any_text_is_covered_by_pieces_that_fit(text: str, size: int, overlap: int, unit: str) -> None:
    assert_promises(text, size, min(overlap, size - 1), MEASURES[unit])


@pytest.mark.parametrize("unit", MEASURES)
@pytest.mark.parametrize(("size", "overlap"), [(1, 0), (5, 2), (64, 16), (512, 64)])
def test_an_odd_text_is_covered_by_pieces_that_fit(unit: str, size: int, overlap: int) -> None:
    for text in odd_texts():
        assert_promises(text, size, overlap, MEASURES[unit])


@settings(deadline=None, max_examples=50)
@given(texts_of_all_scripts())
def test_the_same_text_has_the_same_pieces(text: str) -> None:
    assert pieces(text, 20, 5, subwords) == pieces(text, 20, 5, subwords)


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [
        ("One two.\nThree.\n\nFour. Five.", 20, ["One two.\nThree.\n\n", "Four. Five."]),
        ("One two. Three.\nFour. Five.", 20, ["One two. Three.\n", "Four. Five."]),
        ("One two. Three four five.", 20, ["One two. ", "Three four five."]),
        ("one two three four five", 10, ["one two ", "three ", "four five"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("a\n\nLong sentence here. And more.", 24, ["a\n\nLong sentence here. ", "And more."]),
        ("打开应用程序。点击重置按钮。", 8, ["打开应用程序。", "点击重置按钮。"]),
    ],
    ids=["paragraph", "line", "sentence", "word", "character", "no tiny piece", "Chinese"],
)
def test_a_text_is_cut_at_the_strongest_border_in_reach(text: str, size: int, expected: list[str]) -> None:
    assert pieces(text, size) == expected


def test_a_piece_begins_with_the_last_words_of_the_one_before() -> None:
    assert pieces("one two three four five six", 14, 8) == ["one two three ", "three four ", "four five six"]


def test_a_word_that_would_not_fit_behind_an_overlap_goes_without() -> None:
    assert pieces("ab cd efghijklmn", 10, 5) == ["ab cd ", "efghijklmn"]


def test_what_is_written_without_spaces_overlaps_by_characters() -> None:
    assert pieces("一二三四五六七八", 4, 2) == ["一二三四", "三四五六", "五六七八"]


@pytest.mark.parametrize("character", [FAMILY, "🇺🇦", "e\u0301", "👍🏽", "1\ufe0f\u20e3", "कि", "각"])
def test_a_visible_character_is_cut_only_where_it_alone_is_too_long(character: str) -> None:
    long, short = 2 * len(character) + 1, len(character) - 1

    assert {piece.replace(character, "") for piece in pieces(character * 9, long)} == {""}
    assert max(len(piece) for piece in pieces(character * 9, max(short, 1))) == max(short, 1)


@pytest.mark.parametrize("unit", MEASURES)
@pytest.mark.parametrize("name", HUGE)
def test_a_huge_text_is_cut_in_bounded_time(name: str, unit: str) -> None:
    text = HUGE[name][:300_000]
    started = time.perf_counter()

    found = spans(text, size=512, overlap=64, measure=MEASURES[unit], language="en")

    assert time.perf_counter() - started < CUTTING_TIME_S
    assert joined(text, found) == text


def test_tokens_are_counted_a_few_times_a_piece() -> None:
    counted = []

    def measure(text: str) -> int:
        counted.append(text)
        return subwords(text)

    found = pieces("Some words, and a few more. " * 4_000, 512, 64, measure)

    assert len(counted) < 12 * len(found)


@pytest.mark.parametrize(
    ("chosen", "tokens", "name"),
    [
        ({}, subwords, "recursive-512-64-tokens"),
        ({}, None, "recursive-512-64-estimated-tokens"),
        ({"size": 300, "overlap": 0, "unit": "characters"}, None, "recursive-300-0-characters"),
    ],
)
def test_the_name_tells_how_it_cuts(chosen: dict[str, object], tokens: Measure | None, name: str) -> None:
    assert Recursive(RecursiveSettings.model_validate(chosen), tokens).name == name


def test_an_overlap_as_long_as_a_piece_is_refused() -> None:
    with pytest.raises(ValidationError, match="overlap 64 must be less than size 64"):
        RecursiveSettings(size=64)


async def test_a_document_is_cut_by_the_tokens_that_are_offered() -> None:
    parsed = plain.parse("word " * 3_000)

    async with build(RecursiveSettings(), tokens=subwords) as chunker:
        found = chunker.cut(parsed, language="en")

    assert max(subwords(parsed.text[start:end]) for start, end in found) in range(450, 513)
