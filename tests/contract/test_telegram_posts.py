"""Whatever a desk or an asker is shown, Telegram takes all of it as it was meant, and only given addresses are links.

TDLib is the judge. TELEGRAM_CASES=10000 is the long run.
"""

import os
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.channels.telegram.render.inline import copyable
from bot.channels.telegram.render.keyboards import PRESSED_KINDS, pressed
from bot.channels.telegram.render.names import is_linkable
from bot.channels.telegram.render.post import Named, post_postings
from bot.channels.telegram.render.reply import Posting, payload, plain
from bot.channels.telegram.render.text import LIMIT, MOST_ENTITIES, Styled, clean
from bot.channels.telegram.send.desk import post_parcels, topic_parcel
from bot.channels.utf16 import length
from bot.core.incoming import Place
from bot.core.tickets.files import File
from bot.core.tickets.post import Part, Post, Press, Spot
from tests.quality.telegram_answers import NOT_SEEN, PIECES
from tests.wire.telegram import tdlib
from tests.wire.telegram.entities import judge, styles_of

pytestmark = pytest.mark.skipif(not tdlib.is_here(), reason="tdjson is not installed")

CASES = int(os.environ.get("TELEGRAM_CASES", "120"))
FIXED = settings(
    derandomize=True, database=None, deadline=None, max_examples=CASES, suppress_health_check=[HealthCheck.too_slow]
)
URLS = [
    "https://wiki.example.org/a?b=c&d=%20",
    "http://wiki/page",
    "javascript:alert(1)",
    "https://x y.com",
    "ftp://a.b",
]
URLS += [
    "https://example.com/" + "a" * 3000,
    "http://[::1]/a",
    "https://пример.рф/я",
    "tg://resolve?domain=x",
    "https://",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=80)
LONG = st.tuples(TEXTS.filter(str.strip), st.integers(1, 60_000)).map(lambda made: (made[0] * 60_000)[: made[1]])
STYLES = st.sampled_from(["title", "text", "quote", "item", "small"])
PARTS = st.builds(Part, TEXTS, STYLES, TEXTS | st.just("Question"), st.none() | st.sampled_from(URLS))
LONG_PARTS = st.builds(Part, LONG, STYLES, st.just("Question"), st.none() | st.sampled_from(URLS))
PRESSES = st.builds(Press, st.sampled_from(PRESSED_KINDS), st.integers(0, 2**59), TEXTS)
ROWS = st.lists(st.lists(PRESSES, max_size=9).map(tuple), max_size=4).map(tuple)
FILES = st.lists(st.builds(File, st.just("slack"), st.just("T1"), TEXTS, TEXTS), max_size=2).map(tuple)
POSTS = st.builds(Post, st.lists(PARTS, max_size=8).map(tuple), ROWS, FILES, st.sampled_from(["en", "uk"]))
LONG_POSTS = st.builds(Post, st.tuples(PARTS, LONG_PARTS, PARTS), ROWS)
SPOT = Spot(Place("telegram", "1", "-5"), "ticket:7:card", 0.0)


def clicked(text: Styled) -> set[str]:
    """Return the addresses that lead somewhere; TDLib has to keep the text as it was given."""
    given = [entity.as_json() for entity in text.entities]
    found = judge(text.text, "", given)

    assert found.text == text.text
    assert found.dropped == []
    assert styles_of(found.text, found.entities) == styles_of(text.text, given)
    assert [one for one in found.detected if one["type"] != "media_timestamp"] == []
    return {str(entity["url"]) for entity in found.entities if entity.get("url")}


def words(text: str) -> str:
    return "".join(NOT_SEEN.sub("", clean(text)).split())


def shown(posted: Sequence[Posting]) -> str:
    texts = [posting.text.text for posting in posted]
    return words("".join(text.rpartition("\n\n")[0] if len(texts) > 1 else text for text in texts))


def is_kept(post: Post) -> None:
    posted = post_postings(post, named=Named(7))
    given = {part.url for part in post.parts if is_linkable(part.url)}

    assert all(0 < length(one.text.text) <= LIMIT and len(one.text.entities) <= MOST_ENTITIES for one in posted)
    assert {url for one in posted for url in clicked(one.text)} <= given
    for part in post.parts:
        assert words(part.text) in shown(posted)


@FIXED
@given(POSTS)
def test_a_post_is_taken_as_it_was_meant_and_nothing_is_cut(post: Post) -> None:
    is_kept(post)


@settings(FIXED, max_examples=CASES // 6)
@given(LONG_POSTS)
def test_a_long_post_goes_on_in_the_next_messages(post: Post) -> None:
    is_kept(post)


@FIXED
@given(POSTS)
def test_the_buttons_of_a_post_come_back_as_they_were(post: Post) -> None:
    posted = post_postings(replace(post, files=()))
    buttons = [button for row in (posted[0].keyboard or () if posted else ()) for button in row]
    wanted = [(press.number, press.kind) for row in post.presses for press in row]

    assert [(found.number, found.kind) for found in (pressed(button.data) for button in buttons) if found] == wanted
    assert all(button.text.strip() for button in buttons)
    assert not any(one.keyboard for one in posted[1:])


@FIXED
@given(POSTS)
def test_nothing_can_be_clicked_where_entities_are_refused(post: Post) -> None:
    without_links = replace(post, parts=tuple(replace(part, url=None) for part in post.parts))
    texts = [plain(payload(posting)) for posting in post_postings(without_links)]

    assert all(0 < length(text) <= LIMIT for text in texts)
    assert [clicked(Styled(text)) for text in texts] == [set()] * len(texts)


@FIXED
@given(POSTS)
def test_parcels_are_one_for_each_message_and_file_and_one_alone_in_place_of_another(post: Post) -> None:
    parcels = post_parcels(replace(post, plain="all of it"), SPOT)
    replaced = post_parcels(post, replace(SPOT, replaces="9"))

    assert [parcel.plain for parcel in parcels] == ["all of it"] + [""] * (len(parcels) - 1)
    assert len({parcel.marker for parcel in parcels}) == len(parcels)
    assert all(parcel.marker.startswith("-5:ticket:7:card") for parcel in parcels)
    assert sum(parcel.payload["method"] == "sendDocument" for parcel in parcels) == len(post.files)
    assert [parcel.replaces for parcel in replaced] in (["9"], [])


@FIXED
@given(TEXTS)
def test_a_topics_name_is_one_line_that_telegram_takes(name: str) -> None:
    shown_as = str(topic_parcel(name, SPOT).payload["name"])

    assert 0 < length(shown_as) <= 128
    assert shown_as.splitlines() == [shown_as]


@settings(FIXED, max_examples=CASES * 5)
@given(TEXTS)
def test_what_anyone_writes_can_be_copied_and_not_clicked(text: str) -> None:
    copied = copyable(text)

    assert clicked(copied) == set()
    assert words(copied.text) == words(text)
