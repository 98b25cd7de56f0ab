"""What Slack is sent for a reply."""

from itertools import pairwise
from typing import Any

import pytest

from bot.channels.slack.render.answer import answer_markdown
from bot.channels.slack.render.blocks import feedback_reasons
from bot.channels.slack.render.reply import ephemeral, fits_one_message, notice, postings
from bot.channels.slack.send.plain import MAX_PLAIN_CHARACTERS, plain_parts
from bot.core.messages import Reply
from bot.core.phrases import languages, phrase
from tests.unit.bot.channels.slack_replies import answered, blocks_of, elements, said, shown, small_print
from tests.wire.slack.validation import problems_of


def test_an_answer_is_markdown_with_its_footnotes_notes_and_buttons() -> None:
    [posting] = postings(answered(said("Take the badge."), notes=("It is old.",)), answer_id="a1")

    assert posting.text == "Take the badge. [1]"
    assert [block["type"] for block in posting.blocks] == ["markdown", "context", "context_actions", "actions"]
    assert posting.blocks[0]["text"] == "Take the badge. [1]"
    assert small_print([posting]) == [
        "[1] <https://wiki.example.org/vpn?a=1&amp;b=2#first%20steps|VPN › First steps> · updated 2026-05-01",
        "It is old.",
        phrase("suggestion", "en"),
    ]


def test_the_buttons_say_which_answer_they_are_about() -> None:
    [posting] = postings(answered(said("Take the badge.")), answer_id="a1")
    [feedback] = elements(posting.blocks, "context_actions")
    [human] = elements(posting.blocks, "actions")

    assert (feedback["action_id"], feedback["positive_button"]["value"]) == ("answer_feedback", "good:a1")
    assert feedback["negative_button"]["value"] == "bad:a1"
    assert (human["action_id"], human["value"]) == ("ask_human", "a1")


def test_an_answer_only_for_the_asker_can_be_shared() -> None:
    [posting] = ephemeral(answered(said("Take the badge.")), answer_id="a1", question="7")

    assert [button["action_id"] for button in elements(posting.blocks, "actions")] == ["share_answer", "ask_human"]


def test_a_handover_is_its_sentence_and_nothing_to_click() -> None:
    [posting] = postings(answered(text="Passed to a person (ticket 7)."), answer_id="a1")

    assert [block["type"] for block in posting.blocks] == ["section"]
    assert posting.text == "Passed to a person (ticket 7)."


@pytest.mark.parametrize("reply", [answered(text="x " * 4_000), answered(*(said(f"{n} word.") for n in range(400)))])
def test_every_reply_can_be_sent_without_blocks(reply: Reply) -> None:
    posted = postings(reply, answer_id="a1")
    texts = [part for posting in posted for part in plain_parts({"text": posting.text, "blocks": posting.blocks})]

    assert all(len(text) <= MAX_PLAIN_CHARACTERS for text in texts)
    assert sum(text.count("word") + text.count("x") for text in texts) >= 400


@pytest.mark.parametrize("language", languages())
def test_a_reply_is_in_the_askers_language(language: str) -> None:
    posted = postings(answered(*(said(f"Sentence {n} is here.") for n in range(500)), language=language), answer_id="a")

    assert phrase("continued", language, part=1, parts=len(posted)) in small_print(posted[:1])
    assert elements(posted[-1].blocks, "actions")[0]["text"]["text"] == phrase("button_human", language)


def test_a_long_answer_goes_on_and_only_its_end_has_something_to_click() -> None:
    posted = postings(answered(*(said(f"Sentence {n} is here.") for n in range(900))), answer_id="a1")

    assert len(posted) > 1
    assert [bool(elements(posting.blocks, "actions")) for posting in posted] == [False] * (len(posted) - 1) + [True]
    assert [posting.text for posting in posted[1:]] == [
        phrase("continued", "en", part=part, parts=len(posted)) for part in range(2, len(posted) + 1)
    ]


def test_many_footnotes_go_on_as_well() -> None:
    posted = postings(answered(*(said("Word.", marker=n, title="t" * 200) for n in range(1, 90))), answer_id="a1")
    sources = [text for text in small_print(posted) if text.startswith("[")]

    assert len(posted) > 1
    assert len(sources) == 89
    assert all(len(block["elements"]) <= 10 for block in blocks_of(posted, "context"))


def test_list_items_rows_and_code_stay_what_they_are() -> None:
    lines = ["First:", "- one", "- two", "| a | b |", "| c | d\\|e |", "Then:"]
    sentences = [*(said(line) for line in lines), said("make *all*", is_code=True), said("Last.")]

    assert answer_markdown(sentences) == (
        "First: [1]\n\n- one [1]\n- two [1]\n\n| a | b [1] |\n|---|---|\n| c | d\\|e [1] |\n\nThen: [1]\n\n"
        "```\nmake *all*\n```\n[1]\n\nLast. [1]"
    )


def test_a_table_in_one_sentence_is_a_table() -> None:
    assert answer_markdown([said("| a | b |\n|---|---|\n| c | d |")]) == "| a | b |\n|---|---|\n| c | d [1] |"


@pytest.mark.parametrize("rows", [["| a |", "| b | c |"], ["| a | b |", "| c |"], ["|---|", "x"], ["| a |", "|---|"]])
def test_no_cell_is_lost(rows: list[str]) -> None:
    markdown = answer_markdown([said(row) for row in rows])

    assert all(letter in shown(markdown) for row in rows for letter in "abcx" if letter in row)
    assert shown(markdown).count("[1]") == 2


def test_a_growing_answer_begins_as_before() -> None:
    lines = ["a", "- b", "| c |", "| d | e |", "code", "f", "g"]
    sentences = [said(line, is_code=line == "code") for line in lines]
    texts = [answer_markdown(sentences[:count]) for count in range(len(sentences) + 1)]

    assert all(after.startswith(before) for before, after in pairwise(texts))


@pytest.mark.parametrize(("count", "expected"), [(1, True), (300, True), (600, False)])
def test_an_answer_too_long_for_one_message_is_known(count: int, expected: bool) -> None:
    assert fits_one_message([said(f"Sentence {n} is here.") for n in range(count)], "en") is expected


@pytest.mark.parametrize("text", ["Only five questions an hour, please.", "a < b & c", "x" * 9_000, "😀" * 4_000])
def test_a_notice_is_one_sentence_within_the_limits(text: str) -> None:
    posting = notice(text)

    assert len(posting.text) <= 2_900
    assert [block["type"] for block in posting.blocks] == ["section"]


@pytest.mark.parametrize("language", languages())
def test_the_dialog_for_what_was_wrong_fits_in_every_language(language: str) -> None:
    view: dict[str, Any] = feedback_reasons("a1", language)
    radio, comment = (block["element"] for block in view["blocks"])

    assert (view["callback_id"], view["private_metadata"]) == ("feedback_reason", "a1")
    assert all(len(view[name]["text"]) <= 24 for name in ("title", "submit", "close"))
    assert [option["value"] for option in radio["options"]] == ["wrong", "incomplete", "outdated", "other_question"]
    assert comment["max_length"] == 500
    assert all(block["optional"] for block in view["blocks"])
    assert problems_of("views.open", {"view": view}) == []
