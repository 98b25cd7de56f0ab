"""Stands in for TDLib where tdjson is not installed: the recorded parses, bounds of entities, plain ways to find links.

Less strict than TDLib: entities are not joined or split, and addresses are not looked at.
"""

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from tests.wire.telegram.messages import Entity
from tests.wire.telegram.tdlib import NAMES, CannotParse, ParseMode

RECORDED = Path(__file__).parents[2] / "data" / "telegram" / "parse-entities.jsonl"
_TYPES = {name: kind for kind, name in NAMES.items()} | {"PreCode": "pre"}
_FINDERS = {
    "url": re.compile(
        r"(?:https?://|www\.)[^\s<>()]+[^\s<>().,;:!?]|(?<![\w@.])[\w-]+(?:\.[\w-]+)*\.(?:com|org|net)\b"
    ),
    "mention": re.compile(r"(?<![\w@/])@[A-Za-z][A-Za-z0-9_]{3,31}\b"),
    "bot_command": re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?\b"),
    "hashtag": re.compile(r"(?<!\w)#\w*[^\W\d]\w*"),
    "email": re.compile(r"(?<![\w.])[\w.+-]+@[\w-]+\.[a-z]{2,}\b"),
}


def parse(text: str, mode: ParseMode) -> tuple[str, list[Entity]]:
    """Return what TDLib made of a text when it was recorded."""
    row = _recorded().get((mode, text))
    assert row is not None, f"TDLib is needed to parse {text[:80]!r}: install tdjson"
    if not row["ok"]:
        raise CannotParse(str(row["error"]))
    entities = row["entities"]
    assert isinstance(entities, list)
    return str(row["text"]), [_as_sent(one) for one in entities]


def _as_sent(recorded: dict[str, object]) -> Entity:
    entity: dict[str, object] = {**recorded, "type": _TYPES[str(recorded["type"])]}
    user = entity.pop("user_id", None)
    return entity if user is None else {**entity, "user": {"id": user}}


def check(text: str, entities: Sequence[Entity]) -> tuple[str, list[Entity]]:
    """Return the entities in order; refuses one that leaves the text or splits a character."""
    units = text.encode("utf-16-le", "surrogatepass")
    for entity in entities:
        start, end = int(str(entity["offset"])), int(str(entity["offset"])) + int(str(entity["length"]))
        if start < 0 or end < start:
            raise CannotParse(f"Receive an entity with incorrect offset {start}")
        if end > len(units) // 2:
            raise CannotParse(f"Entity beginning at UTF-16 offset {start} ends after the end of the text")
        if any(_is_split(units, place) for place in (start, end)):
            raise CannotParse(f"Entity beginning at UTF-16 offset {start} ends in a middle of a UTF-16 symbol")
    return text, sorted(entities, key=lambda one: (int(str(one["offset"])), -int(str(one["length"]))))


def find(text: str) -> list[Entity]:
    """Return what looks like a link, a mention, a command or a hashtag."""
    return sorted(_found(text), key=lambda one: int(str(one["offset"])))


@cache
def _recorded() -> dict[tuple[str, str], dict[str, object]]:
    rows = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
    return {(row["parse_mode"], row["input"]): row for row in rows}


def _found(text: str) -> Iterator[Entity]:
    for kind, pattern in _FINDERS.items():
        for match in pattern.finditer(text):
            yield {"type": kind, "offset": _units(text[: match.start()]), "length": _units(match.group())}


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _is_split(units: bytes, place: int) -> bool:
    """Tell whether the unit at a place is the second half of a character."""
    unit = units[2 * place : 2 * place + 2]
    return len(unit) == 2 and 0xDC00 <= int.from_bytes(unit, "little") <= 0xDFFF
