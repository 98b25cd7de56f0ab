"""What has to be said, and to whom, when something has happened to a ticket."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from bot.core.tickets.acts import ActKind
from bot.core.tickets.state import State

Side = Literal["desk", "fallback", "asker"]
# card: the whole ticket. refresh: its card as it is now, in place of the earlier one. follow_up: the asker's words.
# notice: a sentence among the people there. prompt: words are asked for. rejection: why nothing comes of some. teach,
# entry: about a piece of knowledge. suggest: whether it should become one. found: an answer that is there now. reply: a
# person's words. told: a sentence of the bot's own to the asker. *_edit: in place of what was said before.
ErrandKind = Literal[
    "card",
    "refresh",
    "follow_up",
    "follow_up_edit",
    "notice",
    "prompt",
    "rejection",
    "teach",
    "suggest",
    "entry",
    "found",
    "reply",
    "reply_edit",
    "told",
]

_SAID: Mapping[ActKind, Sequence[tuple[Side, ErrandKind]]] = {
    "reply": [("asker", "reply")],
    "ask": [("asker", "reply")],
    "draft": [("asker", "reply")],
    "offer": [("asker", "reply")],
    "close": [("asker", "told")],
    "return": [("asker", "told")],
    "reopen": [("asker", "told")],
    "teach": [("desk", "teach")],
    "follow_up": [("desk", "follow_up")],
    "remind": [("desk", "notice")],
    "escalate": [("desk", "notice"), ("fallback", "card")],
    "late": [("asker", "told")],
    "time_out": [("desk", "notice"), ("asker", "told")],
    "expire": [("desk", "notice"), ("asker", "told")],
    "approve": [("desk", "entry")],
    "reject": [("desk", "entry")],
    "reword": [("desk", "entry")],
}
# What a card shows of a ticket changes with these, whether or not its state does.
_SHOWN: frozenset[ActKind] = frozenset({"claim", "release"})


def follows(kind: ActKind, before: State, after: State) -> Iterator[tuple[Side, ErrandKind]]:
    """Yield what follows from an act, in order."""
    yield from _SAID.get(kind, ())
    if before != after or kind in _SHOWN:
        yield "desk", "refresh"
