"""Updates from other libraries' test suites (tests/data/telegram): each means something, or is ignored for a reason."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from bot.channels.telegram.render.keyboards import answer_keyboard, reply_markup
from bot.channels.telegram.translate.updates import translate
from bot.channels.telegram.translate.values import Left, Moved, Translated
from bot.channels.translated import Edited, Ignored
from bot.core.incoming import Incoming
from tests.unit.bot.channels.telegram.arrivals import (
    BOT,
    GROUP,
    OLENA,
    VOICE,
    Json,
    in_group,
    marked,
    meant,
    ours,
    pressed,
    switched_on,
    written,
)

# The library reads this one itself when it builds the object.
pytestmark = pytest.mark.filterwarnings("ignore:.*message_auto_delete_time")

ROOT = Path(__file__).parents[5]
# The larger ones stay where they are, and are read too where that is at hand.
FOLDERS = (ROOT.parent / "shared/fixtures/telegram", ROOT / "tests/data/telegram")


@cache
def arrivals() -> dict[str, Json]:
    """Return all updates, by the file that they come from, and by their number in it where there are several."""
    found: dict[str, Json] = {}
    for path in (path for folder in FOLDERS for path in sorted(folder.glob("*.json"))):
        updates = list(_updates(path))
        names = [path.stem if len(updates) == 1 else f"{path.stem}/{number}" for number in range(len(updates))]
        found |= dict(zip(names, updates, strict=True))
    return found


def _updates(path: Path) -> Iterator[Json]:
    body = json.loads(path.read_text(encoding="utf-8"))
    if path.stem.startswith("message-"):
        kind = {"message-new_reaction-1": "message_reaction", "message-reactions-1": "message_reaction_count"}
        yield {"update_id": 1, kind.get(path.stem, "message"): body}
    elif path.stem.startswith("response-ok"):
        results = body["result"] if isinstance(body["result"], list) else []
        yield from (result for result in results if "update_id" in result)
    elif not path.stem.startswith("response-"):
        yield body


UNREADABLE = "the library cannot read"
# What becomes of each; of an Ignored one, words of the reason. A number stands for itself, else for all of its file.
MEANT: Mapping[str, type | str] = {
    "constructed-edited-private": Edited,
    "constructed-long-4096-cyrillic": Incoming,
    "constructed-mention-after-emoji-group": Incoming,
    "constructed-topic-command-with-botname": Incoming,
    "message-gift-1": "of the kind channel",
    "message-giveaway-1": "of the kind channel",
    "message-migrate_to_chat_id-1": Moved,
    "message-new_reaction-1": "nobody whom we know",
    "message-photo-1": Incoming,
    "message-photo-2": Incoming,
    "message-reactions-1": "message_reaction_count",
    "message-service-1": "of the kind channel",
    "message-service-10": "of the kind channel",
    "message-service-12": "of the kind channel",
    "message-service-13": "of the kind channel",
    "message-service-15": "of the kind channel",
    "message-service-16": UNREADABLE,
    "message-service-3": "by nobody",
    "message-service-4": "by nobody",
    "message-service-6": "by nobody",
    "message-service-7": "video_chat_started",
    "message-service-9": "of the kind channel",
    "message-sticker-1": "sticker",
    "message-text-1": Incoming,
    "message-text-3": Incoming,
    "message-topic-1": "forum_topic_closed",
    "message-topic-3": Incoming,
    "message-video-1": Incoming,
    "response-ok-1": UNREADABLE,
    "response-ok-10": UNREADABLE,
    "response-ok-11": UNREADABLE,
    "response-ok-2": UNREADABLE,
    "response-ok-4": "write_access_allowed",
    "response-ok-5": "location",
    "response-ok-5/0": Incoming,
    "response-ok-5/1": Incoming,
    "response-ok-5/2": "new_chat_members",
    "response-ok-5/3": "left_chat_member",
    "response-ok-5/4": "new_chat_members",
    "response-ok-5/5": Moved,
    "response-ok-5/6": Moved,
    "response-ok-5/7": UNREADABLE,
    "response-ok-5/8": "photo",
    "response-ok-5/9": UNREADABLE,
    "response-ok-5/10": "contact",
    "response-ok-5/23": "proximity_alert_triggered",
    "response-ok-5/33": Incoming,
    "response-ok-5/36": Edited,
    "response-ok-5/39": Incoming,
    "response-ok-7": "message_auto_delete_timer_changed",
    "response-ok-8/0": "group_chat_created",
    "response-ok-8/1": Moved,
    "response-ok-8/2": "video_chat_started",
    "response-ok-8/3": "video_chat_participants_invited",
    "response-ok-8/4": "video_chat_ended",
    "update-callback_query-chosen_inline_result-edited_message-inline_query-message-1": UNREADABLE,
    "update-callback_query-chosen_inline_result-edited_message-inline_query-message-2": UNREADABLE,
    "update-message-1": Incoming,
    "update-message-2": Incoming,
    "update-message-4": "pinned_message",
    "update-message-5": "story",
    "update-message_reaction-1": "nobody whom we know",
    "update-message_reaction-2": "says nothing of an answer",
    "update-my_chat_member-1": Left,
    "update-purchased_paid_media-1": "purchased_paid_media",
}


@pytest.mark.parametrize("name", arrivals())
def test_each_update_is_understood_or_ignored_for_a_reason(name: str) -> None:
    expected = MEANT.get(name) or MEANT[name.partition("/")[0]]
    found = meant(arrivals()[name])

    if isinstance(expected, str):
        assert isinstance(found, Ignored)
        assert expected in found.reason
    else:
        assert isinstance(found, expected)


# Of each kind of update one at least, of each shape of it that the library can read.
CHOSEN = [name for name in arrivals() if not name.startswith("response-ok-5/") or name.endswith(("/6", "/36", "/39"))]
THUMBS: Json = {"old_reaction": [], "new_reaction": [{"type": "emoji", "emoji": "👍"}]}
MENTION = marked("@answer_desk_bot how?", "@answer_desk_bot")
DAMAGED: Mapping[str, Json] = {
    **{name: arrivals()[name] for name in CHOSEN},
    "pressed": pressed("h:5", message=ours(reply_markup=reply_markup(answer_keyboard("5", "es")))),
    "business": {"business_message": written(text="how?", business_connection_id="B1")},
    "guest": {"guest_message": in_group(guest_query_id="Q1", **MENTION)},
    "voice": {"message": written(reply_to_message=ours(), media_group_id="G1", **VOICE)},
    "reply": {"message": in_group(reply_to_message=ours(text="hi"), quote={"text": "hi", "position": 0}, **MENTION)},
    "link": {"message": written(**marked("/start q_YQ", "/start"))},
    "thumb": {"message_reaction": {"chat": GROUP, "message_id": 9, "date": 1, "user": OLENA, **THUMBS}},
}
EVERYTHING = switched_on(with_business=True, with_guests=True)
WRONG: tuple[object, ...] = (None, -7, 2**40, "x", "\ud83d", [], {}, [[]], True)


@pytest.mark.parametrize("name", DAMAGED)
def test_none_raises_whatever_is_missing_from_it_or_of_a_wrong_kind(name: str) -> None:
    for damaged in _damaged(DAMAGED[name]):
        # Telegram numbers each one.
        found = translate(BOT.read({**damaged, "update_id": 1}), EVERYTHING)
        assert _is_storable(found), damaged


def _damaged(body: Json) -> Iterator[Json]:
    """Return an update without each of its parts, at any depth, and with each being something else."""
    for name, value in body.items():
        yield {key: kept for key, kept in body.items() if key != name}
        yield from ({**body, name: wrong} for wrong in WRONG)
        if isinstance(value, dict):
            yield from ({**body, name: inner} for inner in _damaged(value))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield from ({**body, name: [inner, *value[1:]]} for inner in _damaged(value[0]))


def _is_storable(found: Translated) -> bool:
    """Tell whether all of a message is of the kind that it is said to be: the library lets anything through."""
    incoming = found.incoming if isinstance(found, Edited) else found
    if not isinstance(incoming, Incoming):
        return True
    words = (incoming.message, incoming.author, incoming.text, incoming.place.channel, incoming.root)
    return all(isinstance(word, str) for word in (*words, *incoming.wire, *incoming.wire.values()))
