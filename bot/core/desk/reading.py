"""What somebody's words at a desk are: said to the asker, a note among themselves, or an order."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from bot.core.desk.desks import NOTE_PREFIXES
from bot.core.incoming import Incoming
from bot.core.linking import person
from bot.core.tickets.acts import Act, ActKind, Actor
from bot.core.tickets.files import loaded

# Written at the beginning of a message; the part behind it is said, where there is something to say.
_ORDER = re.compile(
    r"[/!](claim|release|close|return|reopen|teach|draft|reply|ask|note)(?:@\w+)?(?:\s+|$)", re.IGNORECASE
)
_WORDED = frozenset({"reply", "ask", "note"})
# What the keys of acts that were written begin with.
WRITTEN = "said:"


@dataclass(frozen=True, slots=True)
class Found:
    """What a message at a desk belongs to: the ticket, and what is asked for by the message that it replies to."""

    ticket: int
    prompt: str | None = None
    entry: int | None = None


def key_of(incoming: Incoming) -> str:
    """Return what a message is known by among all that is done to tickets."""
    return f"{WRITTEN}{incoming.place}:{incoming.message}"


def actor_of(incoming: Incoming) -> Actor:
    """Return who wrote a message."""
    wire = incoming.wire
    who = person(incoming.place.platform, incoming.author)
    return Actor(who, wire.get("name", ""), incoming.place, is_foreign="foreign" in wire)


def act_of(incoming: Incoming, found: Found) -> Act:
    """Return what a message at a desk does to the ticket that it belongs to."""
    kind, text = _meant(incoming.text.strip(), found.prompt)
    number, details = found.ticket, _details(kind, text, found)
    if kind == "reword" and found.entry:
        number = found.entry
    return Act(
        kind,
        number,
        actor_of(incoming),
        key_of(incoming),
        text=text,
        files=loaded(incoming.wire),
        at=incoming.sent_at,
        details=details,
    )


def _meant(text: str, prompt: str | None) -> tuple[ActKind, str]:
    for prefix in NOTE_PREFIXES:
        if text.startswith(prefix):
            return "note", text.removeprefix(prefix).lstrip("\N{VARIATION SELECTOR-16} ")
    order = _ORDER.match(text)
    if order is None:
        return cast("ActKind", prompt or "reply"), text
    kind, rest = order[1].casefold(), text[order.end() :].strip()
    if rest and kind not in _WORDED:
        # Whoever goes on writing says something that only begins like an order.
        return cast("ActKind", prompt or "reply"), text
    return cast("ActKind", kind), rest


def _details(kind: ActKind, text: str, found: Found) -> Mapping[str, str]:
    return {"answer": text} if kind == "reword" and found.entry else {}
