"""Updates of Telegram's, for the tests of what they mean."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from bot.channels.telegram.clients import TelegramBot
from bot.channels.telegram.translate.updates import translate
from bot.channels.telegram.translate.values import Here, Translated
from bot.core.incoming import Incoming

Json = dict[str, Any]

BOT_ID = 1000000001
NAME = "answer_desk_bot"
NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
DATE = int(NOW.timestamp()) - 60
HERE = Here(str(BOT_ID), NAME, NOW, questions={"vpn": "How do I get VPN access?"}, moved={"-100200": "-200"})
BOT = TelegramBot(token=f"{BOT_ID}:test")

OLENA: Json = {"id": 700000001, "is_bot": False, "first_name": "Олена", "language_code": "uk"}
# What all that she writes and presses says of her.
WHO = {"ui": "uk", "name": "Олена"}
OTHER: Json = {"id": 700000002, "is_bot": False, "first_name": "Pat"}
US: Json = {"id": BOT_ID, "is_bot": True, "first_name": "Desk", "username": NAME}
ANONYMOUS: Json = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
PRIVATE: Json = {"id": 700000001, "type": "private", "first_name": "Олена"}
GROUP: Json = {"id": -100500, "type": "supergroup", "title": "Support"}
SMALL_GROUP: Json = {"id": -500, "type": "group", "title": "Support"}
FORUM: Json = {**GROUP, "is_forum": True}
PUBLIC_GROUP: Json = {**GROUP, "username": "support_chat"}
CHANNEL: Json = {"id": -100900, "type": "channel", "title": "News"}


def units(text: str) -> int:
    """Return the length of a text as Telegram counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def entity(text: str, marked: str, kind: str, **more: Any) -> Json:
    """Return an entity around the first place where something stands in a text."""
    return {"type": kind, "offset": units(text[: text.index(marked)]), "length": units(marked), **more}


def marked(text: str, *names: str, **more: Any) -> Json:
    """Return a text with its mentions and commands marked, as Telegram does it."""
    kinds = {"/": "bot_command", "@": "mention"}
    return {"text": text, "entities": [entity(text, name, kinds[name[0]]) for name in names], **more}


def written(**more: Any) -> Json:
    """Return a message that stands in a private chat unless something else is said; None leaves something out."""
    shown = {"message_id": 11, "from": OLENA, "chat": PRIVATE, "date": DATE, **more}
    return {name: value for name, value in shown.items() if value is not None}


def in_group(**more: Any) -> Json:
    """Return a message that stands in a group."""
    return written(**{"chat": GROUP, **more})


def ours(**more: Any) -> Json:
    """Return a message of ours in the same group."""
    return in_group(**{"message_id": 9, "from": US, "text": "Ask IT.", **more})


FILE: Json = {"file_id": "F1", "file_unique_id": "U1"}
PHOTO: Json = {"photo": [{**FILE, "width": 1, "height": 1}]}
VOICE: Json = {"voice": {**FILE, "duration": 7}}
# It comes with a document of the same content.
ANIMATION: Json = {"animation": {**FILE, "width": 1, "height": 1, "duration": 1}, "document": FILE}
# In the same group: what somebody else wrote, and what its channel posted.
THEIRS = in_group(message_id=8, text="Where is the VPN?", **{"from": OTHER})
POST = in_group(message_id=7, text="News!", sender_chat=CHANNEL, is_automatic_forward=True, **{"from": OTHER})


def pressed(data: str | None, **more: Any) -> Json:
    """Return the click on a button below a message of ours in a private chat."""
    query = {"id": "77", "from": OLENA, "chat_instance": "1", "data": data, "message": ours(chat=PRIVATE), **more}
    return {"callback_query": {name: value for name, value in query.items() if value is not None}}


def meant(update: Json, here: Here = HERE) -> Translated:
    """Return what an update means, as the library reads it."""
    return translate(BOT.read({"update_id": 1, **update}), here)


def incoming(message: Json, here: Here = HERE) -> Incoming:
    """Return a message that is for us."""
    found = meant({"message": message}, here)
    assert isinstance(found, Incoming), found
    return found


def switched_on(*, with_business: bool = False, with_guests: bool = False) -> Here:
    """Return where we are with something switched on."""
    return replace(HERE, with_business=with_business, with_guests=with_guests)
