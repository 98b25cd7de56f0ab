"""Text blocks with citations, as they stream in, become sentences with units."""

from collections.abc import Iterable

import pytest

from bot.core.answer import Claim
from bot.llm.claude.citations import CitedReader, cited_units
from bot.llm.claude.events import BlockEnd, Location, StreamEvent, Words
from bot.llm.claude.request import SentSource
from knowledge.quotable import units_of
from tests.fakes.evidence import hit

UNITS = tuple(units_of(hit("The limit is 25. Restart the client. Ask Dr. Smith.\n\n```sh\nmake install\n```\n")))
SOURCE = SentSource("p1", "Title", UNITS, tuple(unit.text for unit in UNITS))


def cites(start: int, end: int | None = None) -> Location:
    end = start + 1 if end is None else end
    return Location("".join(SOURCE.texts[start:end]), "p1", 0, start, end)


def block(text: str, *locations: Location, pieces: int = 5) -> list[StreamEvent]:
    """Return a block as it streams: a few letters at a time, its citations, its end."""
    words = [Words(text[at : at + pieces]) for at in range(0, len(text), pieces)]
    return [*words, *locations, BlockEnd()]


def read(events: Iterable[StreamEvent], *, language: str = "en") -> list[tuple[str, list[str]]]:
    reader = CitedReader([SOURCE], language)
    claims = [claim for event in events for claim in reader.read(event)]
    return shown([*claims, *reader.rest()])


def shown(claims: list[Claim]) -> list[tuple[str, list[str]]]:
    return [(claim.text, [unit.text for unit in claim.cited]) for claim in claims]


def test_a_sentence_has_what_each_of_its_blocks_cites() -> None:
    events = [*block("The limit is 25", cites(0)), *block(", so "), *block("restart the client", cites(1)), *block(".")]

    assert read(events) == [
        ("The limit is 25, so restart the client.", ["The limit is 25.", "Restart the client."]),
    ]


def test_a_block_lends_its_citation_to_no_sentence_of_which_it_holds_only_the_full_stop() -> None:
    events = [*block("The limit is high", cites(0)), *block(". Restart the client.", cites(1))]

    assert read(events) == [
        ("The limit is high.", ["The limit is 25."]),
        ("Restart the client.", ["Restart the client."]),
    ]


def test_a_block_of_several_sentences_lends_its_citations_to_each() -> None:
    assert read(block("One is here. Two is there.", cites(0, 2))) == [
        ("One is here.", ["The limit is 25.", "Restart the client."]),
        ("Two is there.", ["The limit is 25.", "Restart the client."]),
    ]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Restart the client."),
        ("en", "Is it down? "),
        ("en", 'It says "closed." '),
        ("en", "It waits…"),
        ("en", "The limit is 25. "),
        ("ru", "Нажмите «Сброс»."),
        ("uk", "Натисніть «Скинути». "),
        ("es", "Pulse el botón. "),
        ("zh", "点击重置。"),
        ("en", "- Restart the client\n"),
    ],
)
def test_a_sentence_is_given_out_when_its_block_ends(language: str, text: str) -> None:
    reader = CitedReader([SOURCE], language)

    claims = [claim.text for event in block(text, cites(1)) for claim in reader.read(event)]

    assert claims == [text.strip().removeprefix("- ")]


@pytest.mark.parametrize(("language", "text"), [("en", "It has 3."), ("en", "Ask Dr."), ("ru", "Это стоит 5 руб.")])
def test_a_full_stop_that_may_be_none_waits_for_more(language: str, text: str) -> None:
    reader = CitedReader([SOURCE], language)

    assert [claim for event in block(text, cites(0)) for claim in reader.read(event)] == []


@pytest.mark.parametrize(
    ("language", "words"), [("en", "The limit is 25"), ("ru", "Это стоит 5 руб"), ("uk", "Зачекайте 5 хв")]
)
def test_a_full_stop_behind_what_is_cited_ends_a_sentence(language: str, words: str) -> None:
    reader = CitedReader([SOURCE], language)
    events = [*block(words, cites(0)), *block(". ")]

    assert [claim.text for event in events for claim in reader.read(event)] == [f"{words}."]


def test_half_a_word_behind_an_abbreviation_does_not_end_a_sentence() -> None:
    reader = CitedReader([SOURCE], "en")
    events = [*block("Ask Dr.", cites(2)), *block(" Smith.", cites(2), pieces=1)]

    assert [claim.text for event in events for claim in reader.read(event)] == ["Ask Dr. Smith."]


def test_a_number_may_be_torn_between_blocks() -> None:
    assert read([*block("It has 3.", cites(0)), *block("5 MB.", cites(1))]) == [
        ("It has 3.5 MB.", ["The limit is 25.", "Restart the client."])
    ]


def test_the_beginning_of_the_next_block_ends_a_sentence_that_waited() -> None:
    reader = CitedReader([SOURCE], "en")
    events = [*block("It has 3.", cites(0)), Words(" Then"), Words(" it")]

    assert [claim.text for event in events for claim in reader.read(event)] == ["It has 3."]


def test_list_items_are_sentences_without_their_marks() -> None:
    events = [
        *block("Do this:\n- "),
        *block("restart **the** client", cites(1)),
        *block("\n1. run `x --y`\n", cites(0)),
    ]

    assert read(events) == [
        ("Do this:", []),
        ("restart the client", ["Restart the client."]),
        ("run x --y", ["The limit is 25."]),
    ]


def test_code_comes_without_its_fence_and_as_it_stands() -> None:
    reader = CitedReader([SOURCE], "en")
    events = [*block("Run this.\n"), *block("```sh\nmake  install # [1]\n**x**\n```\n", cites(3)), *block("Done.")]

    claims = [claim for event in events for claim in reader.read(event)]

    assert [(claim.text, claim.is_code, len(claim.cited)) for claim in claims] == [
        ("Run this.", False, 0),
        ("make  install # [1]\n**x**", True, 1),
        ("Done.", False, 0),
    ]


def test_marks_of_numbered_sources_are_dropped_and_indexes_are_not() -> None:
    assert read(block("Set items[0] first [1]. Then go [2, 3]. [4]", cites(0))) == [
        ("Set items[0] first.", ["The limit is 25."]),
        ("Then go.", ["The limit is 25."]),
    ]


def test_what_an_answer_that_broke_off_had_begun_is_never_given_out() -> None:
    reader = CitedReader([SOURCE], "en")

    claims = [claim for event in block("One is here. Two is", cites(0)) for claim in reader.read(event)]

    assert shown(claims) == [("One is here.", ["The limit is 25."])]


def test_empty_blocks_and_marks_alone_are_no_sentences() -> None:
    assert read([*block(""), *block("**"), *block(" \n---\n"), *block("…")]) == []


@pytest.mark.parametrize(
    "location",
    [
        Location("Restart the client.", "p1", 0, 0, 1),
        Location("The limit is 25.", "p2", 0, 0, 1),
        Location("The limit is 25.", "p1", 1, 0, 1),
        Location("The limit is 25.", "p1", -1, 0, 1),
        Location("", "p1", 0, 0, 0),
        Location("make install", "p1", 0, 3, 9),
        Location("make install", "p1", 0, -1, 0),
    ],
)
def test_a_citation_of_what_was_not_sent_counts_for_nothing(location: Location) -> None:
    assert list(cited_units(location, [SOURCE])) == []


def test_a_citation_may_fold_white_space() -> None:
    location = Location("The limit is 25.\nRestart  the client.", "p1", 0, 0, 2)

    assert list(cited_units(location, [SOURCE])) == list(UNITS[:2])
