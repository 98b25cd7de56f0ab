"""Sentence borders in several languages, and in texts of any length."""

import time
import tomllib
from pathlib import Path

import pytest

from knowledge.parse.sentences import sentence_spans
from tests.fakes.odd_texts import huge_texts, odd_texts

LABELLED = Path(__file__).parents[3] / "data" / "sentences"
BORDER = "‖"
SPLITTING_TIME_S = 30.0
HUGE = huge_texts() | {"stops": "." * 1_000_000, "calls": "?!" * 500_000, "spaced stops": ". " * 500_000}


def labelled() -> list[tuple[str, str]]:
    files = [(path.stem, tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(LABELLED.glob("*.toml"))]
    return [(row.get("language", name), row["marked"]) for name, rows in files for row in rows["paragraphs"]]


def sentences(text: str, language: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text, language)]


@pytest.mark.parametrize(("language", "marked"), labelled())
def test_a_labelled_paragraph_is_cut_where_its_sentences_end(language: str, marked: str) -> None:
    expected = [sentence.strip() for sentence in marked.split(BORDER)]

    assert sentences(marked.replace(BORDER, ""), language) == expected


@pytest.mark.parametrize(
    "text",
    ["Ask Dr. Smith. He knows version 2.3.1!", "См. рис. 3. Там всё видно.", "Див. рис. 3. Її видно.", "¿Sí? ¡No!"],
)
@pytest.mark.parametrize("language", ["any", "xx", "en", "ru", "zh"])
def test_a_wrong_guess_of_the_language_changes_nothing(language: str, text: str) -> None:
    assert len(sentences(text, language)) == 2


def test_a_line_break_inside_a_paragraph_is_no_border_and_a_blank_line_is() -> None:
    assert sentences("One\nLine\r\nmore\n \t\nTwo", "en") == ["One\nLine\r\nmore", "Two"]


def test_a_long_text_has_the_sentences_of_its_parts() -> None:
    numbered = [f"Sentence number {number} says a little." for number in range(500)]

    assert sentences(" ".join(numbered), "en") == numbered


def test_nothing_but_white_space_stands_between_sentences() -> None:
    for text in odd_texts():
        outside, position = [], 0
        for start, end in sentence_spans(text, "en"):
            assert text[start:end] == text[start:end].strip() != "", text
            outside.append(text[position:start])
            position = end
        assert not "".join([*outside, text[position:]]).strip(), text


@pytest.mark.parametrize("name", HUGE)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_huge_text_is_split_in_bounded_time(name: str, language: str) -> None:
    started = time.perf_counter()

    assert all(start < end for start, end in sentence_spans(HUGE[name], language))

    assert time.perf_counter() - started < SPLITTING_TIME_S
