"""Only what its source bears out stays in an answer."""

from dataclasses import replace

import pytest

from bot.core.cite import cite
from bot.core.messages import Answer, Citation, Sentence
from tests.fakes.core import citation
from tests.fakes.evidence import evidence

PAGE = evidence("The PIN has six digits.\nIt expires after three days.", start_line=10)


def answer(*citations: Citation) -> Answer:
    return Answer(tuple(Sentence(cited.quote, cited) for cited in citations), "fake")


def test_sentences_are_numbered_from_one_in_their_order() -> None:
    first, second = citation(PAGE.hit, "It expires after three days."), citation(PAGE.hit, "The PIN has six digits.")

    kept = cite(answer(first, second), [PAGE])

    assert kept is not None
    assert [(s.text, s.citation.marker) for s in kept.sentences] == [(first.quote, 1), (second.quote, 2)]


@pytest.mark.parametrize(
    "change",
    [
        {"quote": "The PIN has four digits."},
        {"quote": "  "},
        {"document": "other.md"},
        {"source": "elsewhere"},
        {"start_line": 9},
        {"end_line": 12},
    ],
)
def test_a_sentence_whose_source_does_not_say_so_is_dropped(change: dict[str, object]) -> None:
    good = citation(PAGE.hit, "The PIN has six digits.")
    forged = replace(good, **change)  # type: ignore[arg-type]  # a table of fields

    kept = cite(answer(forged, good), [PAGE])

    assert kept is not None
    assert [sentence.citation for sentence in kept.sentences] == [replace(good, marker=1)]


def test_nothing_is_left_of_an_answer_without_any_support() -> None:
    assert cite(answer(citation(PAGE.hit, "Invented.")), [PAGE]) is None
