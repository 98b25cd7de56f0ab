"""TDLib, asked about texts without an account: its own parser, its own checks of entities, what it finds in a text.

Where the package tdjson is missing, `is_here` is False, and nothing may be asked.
"""

import importlib.util
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

from tests.wire.telegram.messages import Entity

ParseMode = Literal["HTML", "MarkdownV2", "Markdown"]
NAMES = {
    "bold": "Bold",
    "italic": "Italic",
    "underline": "Underline",
    "strikethrough": "Strikethrough",
    "spoiler": "Spoiler",
    "blockquote": "BlockQuote",
    "expandable_blockquote": "ExpandableBlockQuote",
    "code": "Code",
    "pre": "Pre",
    "text_link": "TextUrl",
    "text_mention": "MentionName",
    "custom_emoji": "CustomEmoji",
    "mention": "Mention",
    "hashtag": "Hashtag",
    "cashtag": "Cashtag",
    "bot_command": "BotCommand",
    "url": "Url",
    "email": "EmailAddress",
    "phone_number": "PhoneNumber",
    "bank_card_number": "BankCardNumber",
    "media_timestamp": "MediaTimestamp",
}
_TYPES = {name: kind for kind, name in NAMES.items()} | {"PreCode": "pre"}
PREFIX = "textEntityType"
# TDLib checks entities only where it also reads Markdown: its signs stand for themselves behind a mask.
_SIGNS = "*_`~|[]"
_MASK = {ord(sign): 0xF8E0 + number for number, sign in enumerate(_SIGNS)}
_UNMASK = {mask: sign for sign, mask in _MASK.items()}


class CannotParse(Exception):
    """TDLib refuses a text or its entities; the message is its own."""


@cache
def is_here() -> bool:
    """Tell whether TDLib can be asked."""
    return importlib.util.find_spec("tdjson") is not None


def parse(text: str, mode: ParseMode) -> tuple[str, list[Entity]]:
    """Return the text and entities of marked-up text."""
    kind = {"@type": "textParseModeHTML"}
    if mode != "HTML":
        kind = {"@type": "textParseModeMarkdown", "version": 2 if mode == "MarkdownV2" else 1}  # type: ignore[dict-item]
    return _formatted(_ask({"@type": "parseTextEntities", "text": text, "parse_mode": kind}))


def check(text: str, entities: Sequence[Entity]) -> tuple[str, list[Entity]]:
    """Return a text cleaned, and entities as TDLib keeps them: in order, joined or split, none inside code."""
    masked = text.translate(_MASK)
    given = {"@type": "formattedText", "text": masked, "entities": [_to_tdlib(entity) for entity in entities]}
    cleaned, kept = _formatted(_ask({"@type": "parseMarkdown", "text": given}))
    return cleaned.translate(_UNMASK), kept


def find(text: str) -> list[Entity]:
    """Return what is clickable in a text although nobody said so: links, mentions, commands, hashtags and the like."""
    if not text:
        return []
    answer = _ask({"@type": "getTextEntities", "text": text})
    return [_from_tdlib(entity) for entity in _list(answer["entities"])]


def _ask(query: Mapping[str, object]) -> Mapping[str, object]:
    from tdjson import td_execute  # a checkout without it still has the small fixture

    _quiet()
    answer = td_execute(json.dumps(query, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    decoded = json.loads(answer or b"{}")
    if decoded.get("@type") == "error":
        raise CannotParse(str(decoded["message"]))
    assert isinstance(decoded, Mapping)
    return decoded


@cache
def _quiet() -> None:
    from tdjson import td_execute  # as above

    td_execute(json.dumps({"@type": "setLogVerbosityLevel", "new_verbosity_level": 0}).encode())


def _formatted(answer: Mapping[str, object]) -> tuple[str, list[Entity]]:
    return str(answer["text"]), [_from_tdlib(entity) for entity in _list(answer["entities"])]


def _list(value: object) -> list[Mapping[str, object]]:
    assert isinstance(value, list)
    return value


def _from_tdlib(entity: Mapping[str, object]) -> Entity:
    kind = entity["type"]
    assert isinstance(kind, Mapping)
    name = str(kind["@type"]).removeprefix(PREFIX)
    more = {key: value for key, value in kind.items() if key != "@type"}
    if name == "MentionName":
        more = {"user": {"id": more["user_id"]}}
    return {"type": _TYPES.get(name, name), "offset": entity["offset"], "length": entity["length"], **more}


def _to_tdlib(entity: Entity) -> Mapping[str, object]:
    name = NAMES[str(entity["type"])]
    kind: dict[str, object] = {"@type": PREFIX + name}
    user = entity.get("user")
    if name == "Pre" and entity.get("language"):
        kind = {"@type": PREFIX + "PreCode", "language": entity["language"]}
    elif name == "TextUrl":
        kind["url"] = str(entity.get("url") or "")
    elif name == "CustomEmoji":
        kind["custom_emoji_id"] = str(entity.get("custom_emoji_id") or "0")
    elif name == "MentionName" and isinstance(user, Mapping):
        kind["user_id"] = user.get("id")
    return {"@type": "textEntity", "offset": entity["offset"], "length": entity["length"], "type": kind}
