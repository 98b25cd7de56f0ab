"""What somebody typed: without our name, and with the command that it begins with (core.telegram.org/api/entities)."""

from collections.abc import Sequence
from dataclasses import dataclass

from telegram import MessageEntity

from bot.channels.telegram.translate.values import Here

# What stands between a name or a command and what is said to it.
_AFTER_NAME = " \t\n,:;–—"
# Telegram counts in units of UTF-16, which have two bytes each.
_CODEC = "utf-16-le"
_UNIT_BYTES = 2


@dataclass(frozen=True, slots=True)
class Command:
    """What a text begins with, in lower case, and the bot that it names ("" for none)."""

    name: str
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A text without our name, and without its command, if it begins with one."""

    text: str
    names_us: bool = False
    command: Command | None = None


def said(text: str, entities: Sequence[MessageEntity], here: Here) -> Said:
    """Return what a text says; only what Telegram marked as a mention or a command is one."""
    units = _Units(text)
    ours = [entity for entity in entities if _is_us(entity, units.of(entity), here)]
    plain = units.without(ours)
    orders = (units.of(entity) for entity in entities if entity.type == MessageEntity.BOT_COMMAND)
    order = next(orders, "")
    if not order.startswith("/") or not plain.startswith(order):
        return Said(plain, bool(ours))
    name, _, bot = order.removeprefix("/").partition("@")
    return Said(plain.removeprefix(order).lstrip(_AFTER_NAME), bool(ours), Command(name.lower(), bot))


def is_our_name(name: str, here: Here) -> bool:
    """Tell whether a name, without its @, is ours: Telegram's names have no case."""
    return bool(here.username) and name.casefold() == here.username.casefold()


def _is_us(entity: MessageEntity, marked: str, here: Here) -> bool:
    if entity.type == MessageEntity.TEXT_MENTION:
        return entity.user is not None and str(entity.user.id) == here.bot_id
    return entity.type == MessageEntity.MENTION and marked.startswith("@") and is_our_name(marked[1:], here)


class _Units:
    """A text as Telegram counts it."""

    def __init__(self, text: str) -> None:
        self._bytes = text.encode(_CODEC, "surrogatepass")

    def of(self, entity: MessageEntity) -> str:
        """Return what an entity marks."""
        return self._text(*self._range(entity))

    def without(self, entities: Sequence[MessageEntity]) -> str:
        """Return the text without what some entities mark."""
        before, end = "", 0
        for start, stop in sorted(map(self._range, entities)):
            before = _joined(before, self._text(end, start))
            end = max(end, stop)
        rest = self._text(end, len(self._bytes))
        # Nothing but names stands before the rest: it begins behind what follows them.
        is_first = end > 0 and not before.strip(_AFTER_NAME)
        return (rest.lstrip(_AFTER_NAME) if is_first else _joined(before, rest)).strip()

    def _range(self, entity: MessageEntity) -> tuple[int, int]:
        start = max(entity.offset, 0) * _UNIT_BYTES
        return start, start + max(entity.length, 0) * _UNIT_BYTES

    def _text(self, start: int, end: int) -> str:
        return self._bytes[start:end].decode(_CODEC, "replace")


def _joined(before: str, after: str) -> str:
    """Return two pieces with one space where a name between two spaces was taken out."""
    return before + (after.removeprefix(" ") if before.endswith(" ") else after)
