"""What a desk is shown: whole, within Slack's limits, and inert."""

import json
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.channels.slack.render.metadata import metadata
from bot.channels.slack.render.post import button_of, fields_of, postings_of
from bot.channels.slack.translate.metadata import fields_of as fields_in
from bot.core.inert import WORD_JOINER
from bot.core.tickets.post import Part, Post, Press, Style
from tests.unit.bot.channels.slack.posts import CARD, buttons, texts
from tests.wire.slack.alarms import alarms_of
from tests.wire.slack.validation import problems_of

NASTY = "<!channel> <@U1> @here *bold* _it_ `code` <https://evil.example|click> :tada: & > quote"


def test_a_card_is_one_message_in_the_order_of_its_parts() -> None:
    (posting,) = postings_of(CARD)

    assert texts([posting])[:5] == [
        "*Ticket 12 · open*",
        "*Question:*\n> How do I change my PIN?",
        "*Why it is here:* I was only 41 % sure.",
        "• *<https://wiki.example.org/pin?a=1&amp;b=2|PIN › Change:>* Press the star key.",
        "Ada · Telegram · English",
    ]
    assert posting.text == "Ticket 12"


def test_a_button_says_what_it_does_to_which_ticket() -> None:
    (posting,) = postings_of(CARD)

    shown = [(button["action_id"], button["value"], button.get("style")) for button in buttons(posting)]
    assert shown == [
        ("desk_claim", "12", "primary"),
        ("desk_draft", "12", None),
        ("desk_reply", "12", None),
        ("desk_close", "12", None),
    ]


def test_two_buttons_of_one_kind_stand_in_two_rows_for_slack_takes_no_two_in_one() -> None:
    row = (Press("offer", 1, "First"), Press("offer", 2, "Second"))

    (posting,) = postings_of(Post((Part("x"),), (row,)))

    assert [block["type"] for block in posting.blocks] == ["section", "actions", "actions"]
    assert problems_of("chat.postMessage", {"text": posting.text, "blocks": posting.blocks}) == []


def test_a_long_post_goes_on_in_the_next_message_and_only_the_first_has_buttons() -> None:
    words = [f"word{number}" for number in range(4_000)]

    shown = postings_of(Post((Part("Title", "title"), Part(" ".join(words), "quote")), CARD.presses))

    assert len(shown) > 2
    assert [len(buttons(posting)) for posting in shown] == [4, *[0] * (len(shown) - 1)]
    assert [word for text in texts(shown) for word in text.split() if word.startswith("word")] == words


@pytest.mark.parametrize("style", get_args(Style))
def test_nothing_in_it_calls_anybody_or_becomes_a_mark(style: Style) -> None:
    shown = postings_of(Post((Part(NASTY, style, label=NASTY), Part(NASTY, style)), ((Press("claim", 1, NASTY),),)))
    payload = {"text": shown[0].text, "blocks": shown[0].blocks}

    assert alarms_of("chat.update", payload) == []
    assert problems_of("chat.postMessage", payload) == []
    assert "&lt;!channel&gt;" in json.dumps(shown[0].blocks)


ADDRESSES = {
    "https": ("https://wiki.example.org/a b", "<https://wiki.example.org/a%20b|Here>"),
    "closes the link": ("https://e.org/|x>", "<https://e.org/%7Cx%3E|Here>"),
    "of a script": ("javascript:alert(1)", "Here"),
    "of a file": ("file:///etc/passwd", "Here"),
    "none": (None, "Here"),
    "too long": (f"https://e.org/{'x' * 3_000}", "Here"),
}


@pytest.mark.parametrize(("url", "shown"), ADDRESSES.values(), ids=ADDRESSES)
def test_only_addresses_of_the_web_are_links(url: str | None, shown: str) -> None:
    assert texts(postings_of(Post((Part("Here", url=url),)))) == [shown]


def test_an_address_stands_behind_words_that_are_too_many_for_a_link() -> None:
    first, second = texts(postings_of(Post((Part("word " * 100, url="https://e.org/a"),))))

    assert first.startswith("word word")
    assert second == "<https://e.org/a|e.org/a>"


def test_a_quotation_is_one_in_every_line_and_other_text_in_none() -> None:
    shown = texts(postings_of(Post((Part("a\n> b\n\nc", "quote"), Part("> d")))))

    assert shown == ["> a\n> &gt; b\n> \n> c", f"{WORD_JOINER}&gt; d"]


def test_items_are_joined_as_far_as_one_block_holds_them() -> None:
    items = tuple(Part(f"item {number} " + "x" * 200, "item") for number in range(30))

    shown = texts(postings_of(Post(items)))

    assert len(shown) < 5
    assert sum(text.count("• item") for text in shown) == 30


def test_a_post_that_says_nothing_is_no_message_and_one_with_buttons_only_is_one() -> None:
    assert postings_of(Post((Part(" \n"),))) == []
    (posting,) = postings_of(Post((), CARD.presses))
    assert posting.text == "Take it"
    assert texts(postings_of(Post((), plain="Ann: (a file)"))) == ["Ann: (a file)"]


@pytest.mark.parametrize("language", ["uk", "UK", "xx", ""])
def test_a_row_of_buttons_tells_the_language_that_its_forms_are_in(language: str) -> None:
    (posting,) = postings_of(Post((Part("x"),), CARD.presses, language=language), belongs_to="C1")

    code = "uk" if language.casefold() == "uk" else "en"
    assert [row["block_id"] for row in posting.blocks[1:]] == [f"desk:{code}:0:to=C1", f"desk:{code}:1:to=C1"]


def test_what_a_form_begins_with_goes_along_as_far_as_slack_keeps_it() -> None:
    fields = (("question", "Як змінити PIN?"), ("answer", "ї" * 5_000))
    post = Post((Part("x"),), ((Press("reword", 7, "Edit", fields=fields),),))

    about = metadata("m", fields=fields_of(post))

    assert fields_in({"metadata": about}, button_of("reword", 7)) == {"question": "Як змінити PIN?"}
    (posting,) = postings_of(post)
    assert posting.blocks[1]["block_id"] == "desk:en:0:fields"


TEXTS = st.one_of(
    st.text(max_size=300),
    st.builds(lambda text, times: text * times, st.text(min_size=1, max_size=60), st.integers(1, 1_000)),
    st.sampled_from([NASTY * 600, "&" * 60_000, "a\n" * 30_000, "*" * 20_000, "👩‍👩‍👧‍👦" * 8_000, "x" * 60_000]),
)
LABELS = st.one_of(st.just(""), st.text(max_size=400), st.sampled_from(["&" * 200, "*" * 300]))
URLS = st.sampled_from([None, "https://e.org/a?b=1&c=<d>", f"https://e.org/{'&' * 700}", "javascript:x"])
PARTS = st.builds(Part, TEXTS, st.sampled_from(get_args(Style)), LABELS, URLS)
PRESSES = st.builds(Press, st.sampled_from(["claim", "reply", "reword"]), st.integers(0, 10**12), st.text(max_size=100))


@settings(max_examples=30, deadline=None)
@given(parts=st.lists(PARTS, max_size=5), rows=st.lists(st.lists(PRESSES, max_size=6), max_size=4))
def test_every_message_of_every_post_is_one_that_slack_takes(parts: list[Part], rows: list[list[Press]]) -> None:
    shown = postings_of(Post(tuple(parts), tuple(map(tuple, rows))))

    for posting in shown:
        payload = {"text": posting.text, "blocks": posting.blocks, "unfurl_links": False, "unfurl_media": False}
        assert problems_of("chat.postMessage", payload) == []
        assert problems_of("chat.update", payload) == []
        assert alarms_of("chat.postMessage", payload) == []
