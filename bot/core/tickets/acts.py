"""What people, and the clock, do to tickets and entries; and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bot.core.incoming import Place
from bot.core.tickets.files import File
from bot.core.tickets.state import TicketAct

EntryAct = Literal["approve", "reject", "reword"]
ActKind = TicketAct | EntryAct
# The acts of buttons, whose number is that of an entry.
ENTRY_ACTS: frozenset[ActKind] = frozenset({"approve", "reject", "reword"})
# done: it has happened. known: it had happened already. refused: by somebody who may not, or from elsewhere. late: the
# ticket is in a state where that makes no sense any more. taken: somebody else was first. unknown: there is none.
Came = Literal["done", "known", "refused", "late", "taken", "unknown"]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does it: platform and their id there ("terminal:ann", "clock:"), and the name that people know them by.

    `place`: where they did it; None for operators at a terminal, and for the clock, who may do it from anywhere.
    """

    id: str
    name: str = ""
    place: Place | None = None
    # Of another organisation than the workspace: guests of a shared channel.
    is_foreign: bool = False


@dataclass(frozen=True, slots=True)
class Act:
    """Something done to the ticket, or the entry, `number`; with the same `key` once more, nothing happens.

    `text` is what they say: to the asker, or among themselves in a note. For "edit" `edits` is the key of what is
    worded anew. `details` are values of one kind only ("step" of the clock, "question" and "answer" of an entry).
    """

    kind: ActKind
    number: int
    actor: Actor
    key: str
    text: str = ""
    files: tuple[File, ...] = ()
    edits: str | None = None
    at: datetime | None = None
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an act, and what its actor is told, in the language of the desk; `owner`: who has the ticket now."""

    came: Came
    told: str = ""
    owner: str = ""
    number: int = 0
    language: str = "en"
