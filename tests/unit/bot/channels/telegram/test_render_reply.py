"""What Telegram is sent for a reply."""

import pytest

from bot.channels.telegram.render.reply import Posting, growing, notices, payload, plain, postings
from bot.channels.telegram.render.text import LIMIT, MOST_ENTITIES, Styled
from bot.channels.utf16 import length
from bot.core.inert import WORD_JOINER
from bot.core.phrases import languages, phrase
from tests.unit.bot.channels.slack_replies import CITATION, answered, said


def parts_of(text: Styled, kind: str) -> list[str]:
    units = text.text.encode("utf-16-le")
    return [
        units[entity.offset * 2 : entity.end * 2].decode("utf-16-le") for entity in text.entities if entity.type == kind
    ]


def test_an_answer_is_text_with_its_footnotes_notes_and_buttons() -> None:
    [posting] = postings(answered(said("Take the badge."), notes=("It is old.",)), answer_id="7")

    assert posting.text.text.split("\n") == [
        "Take the badge. [1]",
        "",
        "[1] VPN › First steps · updated 2026-05-01",
        "",
        "It is old.",
        phrase("suggestion", "en"),
    ]
    assert parts_of(posting.text, "text_link") == ["[1]", "VPN › First steps"]
    assert {entity.url for entity in posting.text.entities if entity.type == "text_link"} == {CITATION.url}
    assert parts_of(posting.text, "italic") == ["It is old.", phrase("suggestion", "en")]
    assert posting.keyboard is not None


def test_a_heading_stands_above_the_answer_in_italics() -> None:
    [posting] = postings(answered(said("Take the badge.")), answer_id="7", heading="How do I get in?")

    assert posting.text.text.startswith("How do I get in?\n\nTake the badge.")
    assert parts_of(posting.text, "italic")[0] == "How do I get in?"


def test_a_handover_is_its_sentence_and_nothing_to_press() -> None:
    [posting] = postings(answered(text="Passed to a person (ticket 7)."), answer_id="7")

    assert posting == Posting(Styled("Passed to a person (ticket 7)."), None)


def test_a_payload_is_what_the_bot_api_takes() -> None:
    [posting] = postings(answered(said("make", is_code=True, url=None, title="VPN", heading=())), answer_id="7")
    sent = payload(posting)

    assert list(sent) == ["text", "entities", "reply_markup"]
    assert sent["entities"] == [
        {"type": "pre", "offset": 0, "length": 4},
        {"type": "italic", "offset": 40, "length": length(phrase("suggestion", "en"))},
    ]


@pytest.mark.parametrize("language", languages())
def test_a_long_answer_goes_on_in_numbered_parts_of_which_the_last_has_the_buttons(language: str) -> None:
    posted = postings(answered(*(said(f"Речення {n} 😀.") for n in range(900)), language=language), answer_id="7")
    places = [phrase("continued", language, part=part, parts=len(posted)) for part in range(1, len(posted) + 1)]

    assert [parts_of(posting.text, "italic")[-1] for posting in posted] == places
    assert [bool(posting.keyboard) for posting in posted] == [False] * (len(posted) - 1) + [True]
    assert all(length(posting.text.text) <= LIMIT for posting in posted)
    assert all(len(posting.text.entities) <= MOST_ENTITIES for posting in posted)


def test_code_that_is_cut_is_closed_and_opened_again_with_its_language() -> None:
    code = "\n".join(f"line {number}" for number in range(900))
    posted = postings(answered(said(code, is_code=True, quote="```python\nline 0")), answer_id="7")
    codes = [entity for posting in posted for entity in posting.text.entities if entity.type == "pre"]
    texts = [text for posting in posted for text in parts_of(posting.text, "pre")]

    assert len(posted) > 2
    assert {entity.language for entity in codes} == {"python"}
    assert "\n".join(texts) == code


def test_a_table_that_is_cut_has_its_header_in_every_part() -> None:
    rows = ["| name | room |", *(f"| person {number} | {number} |" for number in range(400))]
    posted = postings(answered(*map(said, rows)), answer_id="7")
    tables = [text for posting in posted for text in parts_of(posting.text, "pre")]

    assert len(tables) > 2
    assert {tuple(table.split("\n")[:2]) for table in tables} == {("name       | room [1]", "-----------+-----")}
    assert sum(len(table.split("\n")) - 2 for table in tables) == 400


def test_a_flag_or_family_is_not_cut_in_two() -> None:
    family = "👩‍👩‍👧"
    posted = postings(answered(said(family * 1_500)), answer_id="7")
    begun = [posting.text.text.rpartition("\n\n")[0] for posting in posted[:2]]

    assert [set(text.split(family)) for text in begun] == [{""}, {""}]


def test_a_strong_passage_longer_than_a_message_is_strong_in_both() -> None:
    posted = postings(answered(said(f"**{'word ' * 1_500}end**")), answer_id="7")

    assert sum(len(text.split()) for posting in posted for text in parts_of(posting.text, "bold")) == 1_501


def test_many_links_go_on_in_the_next_message() -> None:
    posted = postings(answered(*(said(f"{number}.", marker=number) for number in range(1, 150))), answer_id="7")

    assert all(len(posting.text.entities) <= MOST_ENTITIES for posting in posted)
    assert sum(len(parts_of(posting.text, "text_link")) for posting in posted) == 149 * 2


@pytest.mark.parametrize("text", ["One moment, please.", "слово 😀 " * 3_000, "x" * 9_000])
def test_a_notice_is_never_cut_off(text: str) -> None:
    posted = notices(text)

    assert "".join("".join(posting.text.text for posting in posted).split()) == "".join(text.split())
    assert all(length(posting.text.text) <= LIMIT and posting.keyboard is None for posting in posted)


def test_only_commands_of_our_own_can_be_clicked_in_a_notice() -> None:
    assert notices("/help", is_own=True)[0].text == Styled("/help")
    assert parts_of(notices("/help")[0].text, "code") == ["/help"]


@pytest.mark.parametrize("text", ["", " \n "])
def test_nothing_is_sent_for_nothing(text: str) -> None:
    assert notices(text) == []
    assert postings(answered(text=text), answer_id="7") == []
    assert growing([], "en") is None


def test_a_growing_answer_stands_with_its_sources_while_it_fits_one_message() -> None:
    grown = growing([said("Take the badge.")], "en")

    assert grown is not None
    assert grown.text == "Take the badge. [1]\n\n[1] VPN › First steps · updated 2026-05-01"
    assert growing([said(f"Sentence {number} is here.") for number in range(100)], "en") is None


def test_without_entities_sources_have_their_addresses_and_code_does_nothing() -> None:
    [posting] = postings(answered(said("See `@here` and README.md.", url="https://w.test/a b")), answer_id="7")

    assert plain(payload(posting)).split("\n")[:3] == [
        f"See @{WORD_JOINER}here and README.{WORD_JOINER}md. [1]",
        "",
        "[1] VPN › First steps (https://w.test/a%20b) · updated 2026-05-01",
    ]


def test_without_entities_a_message_is_no_longer_than_one() -> None:
    [*_, last] = postings(answered(said("/a " * 90), said("x" * 3_000, marker=2)), answer_id="7")

    assert length(plain(payload(last))) <= LIMIT
