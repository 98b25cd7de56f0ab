"""What becomes of a text that a bot sends, as the real server and TDLib judge it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from tests.wire.telegram import plain, tdlib
from tests.wire.telegram.errors import bad_request
from tests.wire.telegram.messages import Entity

RAW_BYTES = 32_768
TEXT_UNITS = 4096
CAPTION_UNITS = 1024
KEPT_ENTITIES = 100
# Telegram finds these by itself, and ignores them where a bot gives them.
FOUND = frozenset({"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bank_card_number"})
GIVEN = frozenset(tdlib.NAMES) - FOUND - {"media_timestamp"}
# Nothing is found inside these.
CLOSED = frozenset({"code", "pre", "text_link", "text_mention", "custom_emoji"})
_CLEAR_START = re.compile(r"^[ \n]+")


@dataclass(frozen=True, slots=True)
class Judged:
    """A text that Telegram takes; `dropped` are the entities that it does not keep, `detected` those it finds."""

    text: str
    entities: list[Entity] = field(default_factory=list)
    dropped: list[Entity] = field(default_factory=list)
    detected: list[Entity] = field(default_factory=list)


def length(text: str) -> int:
    """Return the length in UTF-16 units, which Telegram counts in."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def judge(text: str, parse_mode: str, entities: Sequence[object], most_units: int = TEXT_UNITS) -> Judged:
    """Return what people get to see of a text; refuses what the real server refuses. A parse mode beats entities."""
    if len(text.encode("utf-8", "surrogatepass")) > RAW_BYTES:
        raise bad_request("text is too long")
    given: list[Entity]
    text, given = _parsed(text, parse_mode) if parse_mode else (text, _given(entities))
    try:
        text, given = tdlib.check(text, given) if tdlib.is_here() else plain.check(text, given)
    except tdlib.CannotParse as error:
        raise bad_request(str(error)) from error
    text, given = trimmed(text, given)
    if length(text) > most_units:
        raise bad_request("message is too long" if most_units == TEXT_UNITS else "message caption is too long")
    kept, dropped = given[:KEPT_ENTITIES], given[KEPT_ENTITIES:]
    return Judged(text, kept, dropped, [entity for entity in find(text) if not _is_inside(entity, kept)])


def find(text: str) -> list[Entity]:
    """Return what Telegram makes clickable by itself."""
    return tdlib.find(text) if tdlib.is_here() else plain.find(text)


def words_of(text: str, entity: Entity) -> str:
    """Return what an entity stands on."""
    units = text.encode("utf-16-le", "surrogatepass")
    start = 2 * _number(entity, "offset")
    return units[start : start + 2 * _number(entity, "length")].decode("utf-16-le", "surrogatepass")


def styles_of(text: str, entities: Sequence[Entity]) -> list[frozenset[str]]:
    """Return what each UTF-16 unit of a text is shown as, so that entities can be compared however they are split."""
    found: list[set[str]] = [set() for _ in range(length(text))]
    for entity in entities:
        more = [str(entity[name]) for name in ("url", "language", "custom_emoji_id") if entity.get(name)]
        for unit in range(_number(entity, "offset"), _number(entity, "offset") + _number(entity, "length")):
            found[unit].add(" ".join([str(entity["type"]), *more]))
    return [frozenset(unit) for unit in found]


def trimmed(text: str, entities: Sequence[Entity]) -> tuple[str, list[Entity]]:
    """Cut white space off the end, and off the start as far as no entity begins there (TDLib, fix_formatted_text)."""
    text = text.rstrip(" \n")
    end = length(text)
    kept = [{**one, "length": min(_number(one, "length"), end - _number(one, "offset"))} for one in entities]
    kept = [one for one in kept if _number(one, "length") > 0]
    first = min((_number(one, "offset") for one in kept), default=end)
    start = _CLEAR_START.match(text)
    cut = min(len(start.group()), first) if start else 0
    return text[cut:], [{**one, "offset": _number(one, "offset") - cut} for one in kept]


def _parsed(text: str, parse_mode: str) -> tuple[str, list[Entity]]:
    modes: dict[str, tdlib.ParseMode] = {mode.casefold(): mode for mode in get_args(tdlib.ParseMode)}
    mode = modes.get(parse_mode.casefold())
    if mode is None:
        raise bad_request("unsupported parse_mode")
    try:
        return tdlib.parse(text, mode) if tdlib.is_here() else plain.parse(text, mode)
    except tdlib.CannotParse as error:
        raise bad_request(str(error)) from error


def _given(entities: Sequence[object]) -> list[Entity]:
    """Return the entities that count; those that Telegram finds by itself do not."""
    for entity in entities:
        if not isinstance(entity, Mapping):
            raise bad_request("can't parse MessageEntity: expected an Object")
        if entity.get("type") not in GIVEN | FOUND:
            raise bad_request("can't parse MessageEntity: Unsupported type specified")
        if not all(isinstance(entity.get(name), int) for name in ("offset", "length")):
            raise bad_request("can't parse MessageEntity: Can't find field")
    return [entity for entity in entities if isinstance(entity, Mapping) and entity["type"] in GIVEN]


def _is_inside(found: Entity, given: Sequence[Entity]) -> bool:
    start, end = _number(found, "offset"), _number(found, "offset") + _number(found, "length")
    return any(
        _number(one, "offset") < end and start < _number(one, "offset") + _number(one, "length")
        for one in given
        if one["type"] in CLOSED
    )


def _number(entity: Entity, name: str) -> int:
    return int(str(entity[name]))
