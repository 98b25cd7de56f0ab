"""Buttons and thumbs become verdicts, requests and messages of their own."""

from datetime import UTC, datetime

import pytest

from bot.channels.telegram.render.keyboards import Keyboard, answer_keyboard, notice_keyboard, reasons_keyboard
from bot.channels.telegram.render.keyboards import reply_markup as markup_of
from bot.channels.telegram.translate.values import (
    AskedInPrivate,
    Click,
    Explained,
    Judged,
    Left,
    Pressed,
    Reacted,
    Stale,
    Translated,
)
from bot.channels.translated import Ignored
from bot.core.feedback import Verdict
from bot.core.incoming import Origin
from tests.unit.bot.channels.telegram.arrivals import (
    ANONYMOUS,
    CHANNEL,
    DATE,
    FORUM,
    GROUP,
    HERE,
    NOW,
    OLENA,
    OTHER,
    PRIVATE,
    US,
    WHO,
    Json,
    meant,
    ours,
    pressed,
    switched_on,
    written,
)

CLICK = Click("77", HERE.place("700000001"), "700000001", 9, "uk")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("g:5", Judged(CLICK, 5, "good")),
        ("b:5", Judged(CLICK, 5, "bad")),
        ("w:5:outdated", Explained(CLICK, 5, "outdated")),
        ("x:5", Explained(CLICK, 5, None)),
        ("p:5", AskedInPrivate(CLICK, 5)),
        ("z:5", Stale(CLICK)),
        ("w:5:unheard_of", Stale(CLICK)),
        ("l:0:tlh", Stale(CLICK)),
        ("", Stale(CLICK)),
        (None, Stale(CLICK)),
    ],
)
def test_a_button_means_what_it_says_and_one_that_says_nothing_is_stale(data: str | None, expected: Translated) -> None:
    assert meant(pressed(data)) == expected


@pytest.mark.parametrize(
    ("data", "message", "origin", "wire"),
    [
        ("h:5", "human:9:700000001", "button", {"human": "5"}),
        ("s:5", "sources:9:700000001", "request", {"request": "sources", "about": "5"}),
        ("m:5", "more:9:700000001", "request", {"request": "more", "about": "5"}),
        ("r:5", "retry:9:700000001", "button", {"again": "5"}),
        ("e:5", "share:9:700000001", "button", {"again": "5"}),
        ("l:0:es", "language:9:700000001:es", "request", {"request": "language", "about": "es"}),
    ],
)
def test_what_is_wanted_by_a_button_is_one_message_however_often_it_is_pressed(
    data: str, message: str, origin: Origin, wire: Json
) -> None:
    found = meant(pressed(data))

    assert isinstance(found, Pressed)
    assert (found.click, found.incoming.message, found.incoming.origin) == (CLICK, message, origin)
    assert found.incoming.wire == {**WHO, "below": "9", **wire}
    assert (found.incoming.author, found.incoming.text, found.incoming.sent_at) == ("700000001", "", NOW)
    assert found.incoming.is_addressed


def test_a_button_in_a_topic_stays_in_it() -> None:
    found = meant(pressed("h:5", message=ours(chat=FORUM, message_thread_id=77, is_topic_message=True)))

    assert isinstance(found, Pressed)
    assert (found.incoming.thread, found.incoming.conversation) == ("77", "topic:77")
    assert found.incoming.company == "private"


def test_a_button_below_a_message_that_is_too_old_still_works() -> None:
    found = meant(pressed("h:5", message={"chat": PRIVATE, "message_id": 9, "date": 0}))

    assert isinstance(found, Pressed)
    assert found.click.message is None
    assert (found.incoming.message, found.incoming.sent_at) == ("human:9:700000001", NOW)


@pytest.mark.parametrize(
    "more",
    [
        {"message": None, "inline_message_id": "I1"},
        {"message": written(text="hi", **{"from": OTHER})},
        {"message": written(text="hi", business_connection_id="B1", sender_business_bot=US)},
    ],
)
def test_a_button_that_does_not_stand_below_a_message_of_ours_is_ignored(more: Json) -> None:
    assert isinstance(meant(pressed("h:5", **more)), Ignored)


def test_a_customer_of_a_business_may_press_a_button() -> None:
    below = written(message_id=9, text="hi", business_connection_id="B1", sender_business_bot=US, **{"from": OTHER})
    found = meant(pressed("h:5", message=below), switched_on(with_business=True))

    assert isinstance(found, Pressed)
    assert (found.incoming.company, found.incoming.message) == ("shared", "human:business:B1:9:700000001")
    assert (found.incoming.wire["business"], found.incoming.wire["below"]) == ("B1", "9")


@pytest.mark.parametrize(
    ("keyboard", "language"),
    [
        (answer_keyboard("5", "es"), "es"),
        (reasons_keyboard("5", "ru"), "ru"),
        (notice_keyboard("retry", 5, "en"), "en"),
        (notice_keyboard("private", 5, "ru"), "ru"),
        (notice_keyboard("share", 5, "es"), "es"),
        (notice_keyboard("languages", 5, "es"), "uk"),
    ],
)
def test_it_goes_on_in_the_language_of_the_buttons_else_in_that_of_the_person(
    keyboard: Keyboard, language: str
) -> None:
    found = meant(pressed("g:5", message=ours(reply_markup=markup_of(keyboard))))

    assert isinstance(found, Judged)
    assert found.click.language == language


def test_it_goes_on_in_english_with_whoever_speaks_none_of_our_languages() -> None:
    found = meant(pressed("g:5", **{"from": {**OLENA, "language_code": "tlh"}}))

    assert isinstance(found, Judged)
    assert found.click.language == "en"


def reaction(new: str, old: str = "", **more: object) -> Json:
    """Return a change of somebody's reactions, each a sign."""
    shown: Json = {
        "chat": GROUP,
        "message_id": 9,
        "date": DATE,
        "user": OLENA,
        "old_reaction": [{"type": "emoji", "emoji": sign} for sign in old],
        "new_reaction": [{"type": "emoji", "emoji": sign} for sign in new],
        **more,
    }
    return {"message_reaction": {name: value for name, value in shown.items() if value is not None}}


@pytest.mark.parametrize(
    ("new", "old", "verdict"),
    [
        ("👍", "", "good"),
        ("👎", "", "bad"),
        ("", "👍", None),
        ("👎", "👍", "bad"),
        ("🔥👍", "🔥", "good"),
        ("👍👎", "👍", "bad"),
    ],
)
def test_thumbs_are_verdicts(new: str, old: str, verdict: Verdict | None) -> None:
    at = datetime.fromtimestamp(DATE, UTC)

    assert meant(reaction(new, old)) == Reacted(HERE.place("-100500"), "9", "700000001", verdict, at)


@pytest.mark.parametrize(
    "update",
    [
        reaction("🔥"),
        reaction("", "🔥"),
        reaction("👍", user=None, actor_chat=GROUP),
        reaction("👍", user=ANONYMOUS),
        reaction("", new_reaction=[{"type": "paid"}, {"type": "custom_emoji", "custom_emoji_id": "1"}]),
    ],
)
def test_other_reactions_are_none(update: Json) -> None:
    assert isinstance(meant(update), Ignored)


def membership(old: Json, new: Json, chat: Json = GROUP) -> Json:
    """Return a change of what we are in a chat."""
    members = {"old_chat_member": {"user": US, **old}, "new_chat_member": {"user": US, **new}}
    return {"my_chat_member": {"chat": chat, "from": OLENA, "date": DATE, **members}}


MEMBER: Json = {"status": "member"}
LEFT: Json = {"status": "left"}
BANNED: Json = {"status": "kicked", "until_date": 0}
RIGHTS = (
    "can_send_messages",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_manage_topics",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_edit_tag",
    "can_react_to_messages",
)
RESTRICTED: Json = {"status": "restricted", "until_date": 0, **dict.fromkeys(RIGHTS, True)}


@pytest.mark.parametrize(
    ("old", "new", "is_back"),
    [
        (MEMBER, LEFT, False),
        (MEMBER, BANNED, False),
        ({**RESTRICTED, "is_member": True}, LEFT, False),
        (MEMBER, {**RESTRICTED, "is_member": False}, False),
        (LEFT, MEMBER, True),
        (BANNED, {**RESTRICTED, "is_member": True}, True),
    ],
)
@pytest.mark.parametrize("chat", [GROUP, PRIVATE])
def test_we_notice_where_we_may_no_longer_write_and_where_again(
    old: Json, new: Json, is_back: bool, chat: Json
) -> None:
    assert meant(membership(old, new, chat)) == Left(HERE.place(chat["id"]), is_back)


@pytest.mark.parametrize(
    "update",
    [
        membership(MEMBER, {**RESTRICTED, "is_member": True}),
        membership(LEFT, BANNED),
        membership(MEMBER, LEFT, CHANNEL),
    ],
)
def test_other_changes_of_our_membership_are_ignored(update: Json) -> None:
    assert isinstance(meant(update), Ignored)
