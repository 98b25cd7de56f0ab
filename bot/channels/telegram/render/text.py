"""Text with entities, as the Bot API takes it (core.telegram.org/bots/api, MessageEntity): what is bold is said beside.

No mark stands in the text itself, so nothing has to be escaped and nothing can fail to be parsed.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal
from unicodedata import normalize

from bot.channels.utf16 import length

EntityType = Literal["bold", "italic", "code", "pre", "blockquote", "text_link", "text_mention"]

# The longest text of a message, in UTF-16 units, and the most entities in it (telegram.constants.MessageLimit).
LIMIT = 4096
MOST_ENTITIES = 100
# TDLib leaves these out of every text, or puts a space in their place; written so here, offsets stay what they are.
_LEFT_OUT = "\r\u030a\u0333\u033f\u2028\u2029\u202a\u202b\u202c\u202d\u202e"
_AS_SPACE = "".join(map(chr, range(32))).replace("\n", "").replace("\r", "")
_CLEAN = str.maketrans({**dict.fromkeys(_LEFT_OUT, ""), **dict.fromkeys(_AS_SPACE, " ")})
_RING = "\u030a"
# Of marks of direction in a row it makes other signs.
_REPEATED_MARK = re.compile("[\u200e\u200f]+(?=[\u200e\u200f])")


def clean(text: str) -> str:
    """Return the text as Telegram keeps it: without what it leaves out of every message."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    # A letter with its ring as one sign survives.
    composed = normalize("NFC", whole) if _RING in whole else whole
    return _REPEATED_MARK.sub("", composed.translate(_CLEAN))


@dataclass(frozen=True, slots=True)
class Entity:
    """What the text is from `offset` on, both it and `length` in UTF-16 units; `user` is the number of who is named."""

    type: EntityType
    offset: int
    length: int
    url: str | None = None
    language: str | None = None
    user: int | None = None

    @property
    def end(self) -> int:
        """The offset behind its last unit."""
        return self.offset + self.length

    def as_json(self) -> dict[str, object]:
        """Return the entity as the Bot API takes it."""
        shown: dict[str, object] = {"type": self.type, "offset": self.offset, "length": self.length}
        # Of a person Telegram looks at the number alone, and the library wants to see more.
        user = None if self.user is None else {"id": self.user, "is_bot": False, "first_name": ""}
        optional = {"url": self.url, "language": self.language, "user": user}
        return shown | {name: value for name, value in optional.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Room:
    """How much a text may take: UTF-16 units and entities."""

    units: int = LIMIT
    entities: int = MOST_ENTITIES


@dataclass(frozen=True, slots=True)
class Styled:
    """A text with its entities, in the order of their offsets; `+` puts another one behind it."""

    text: str
    entities: tuple[Entity, ...] = ()

    def __add__(self, other: "Styled") -> "Styled":
        shift = length(self.text) if other.entities else 0
        moved = (replace(entity, offset=entity.offset + shift) for entity in other.entities)
        return Styled(self.text + other.text, (*self.entities, *moved))

    def fits(self, room: Room) -> bool:
        """Tell whether it takes no more than there is room for."""
        return len(self.entities) <= room.entities and length(self.text) <= room.units

    def part(self, start: int, end: int) -> "Styled":
        """Return the characters from `start` to `end`, which are counted as Python does; entities are cut with them."""
        first, last = length(self.text[:start]), length(self.text[:end])
        kept = (
            replace(
                entity,
                offset=max(entity.offset, first) - first,
                length=min(entity.end, last) - max(entity.offset, first),
            )
            for entity in self.entities
            if entity.offset < last and entity.end > first
        )
        return Styled(self.text[start:end], tuple(kept))


NOTHING = Styled("")


def styled(
    text: str, kind: EntityType, *, url: str | None = None, language: str | None = None, user: int | None = None
) -> Styled:
    """Return a text all of which is one entity; none for no text."""
    return Styled(text, (Entity(kind, 0, length(text), url, language, user),) if text else ())


def around(words: Styled, kind: EntityType | None) -> Styled:
    """Return words all of which are of a kind, beside what parts of them are already."""
    if kind is None or not words.text:
        return words
    return Styled(words.text, (Entity(kind, 0, length(words.text)), *words.entities))


def joined(pieces: Iterable[Styled], between: str = "") -> Styled:
    """Return the pieces as one text, with `between` between them."""
    texts: list[str] = []
    entities: list[Entity] = []
    offset = 0
    for number, piece in enumerate(pieces):
        texts.append(f"{between if number else ''}{piece.text}")
        offset += length(between) if number else 0
        entities += (replace(entity, offset=entity.offset + offset) for entity in piece.entities)
        offset += length(piece.text)
    return Styled("".join(texts), tuple(entities))
