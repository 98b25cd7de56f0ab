"""The values of what people taught, and the ports that keep it and look for names in it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

# draft: nobody has looked at it yet. approved: knowledge. rejected: not worth it. unlearned: it was knowledge until
# somebody took it back. expired: it was until its time was over.
State = Literal["draft", "approved", "rejected", "unlearned", "expired"]
# What may become of each, besides being worded anew.
_NEXT: dict[State, frozenset[State]] = {
    "draft": frozenset({"approved", "rejected"}),
    "approved": frozenset({"unlearned", "expired"}),
    "rejected": frozenset({"approved"}),
    "unlearned": frozenset({"approved"}),
    "expired": frozenset({"approved", "unlearned"}),
}
# What was found in a text that tells of a person, or lets others in somewhere.
Personal = Literal["email", "phone", "card", "iban", "number", "ip", "handle", "user", "secret", "name"]
Part = Literal["question", "answer"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A question and its answer, as it stands now; `author` said so first, `owner` answers for it.

    `audience`: the tags of those who may read it. `ticket`: the one that it comes from.
    """

    id: int
    state: State
    question: str
    answer: str
    language: str
    links: tuple[str, ...]
    audience: tuple[str, ...]
    author: str
    author_name: str
    owner: str
    ticket: int | None
    version: int
    created_at: datetime
    approved_at: datetime | None
    review_at: datetime | None
    expires_at: datetime | None
    changed_at: datetime

    def is_due(self, now: datetime) -> bool:
        """Tell whether somebody should look whether it still holds."""
        return self.state == "approved" and self.review_at is not None and self.review_at <= now


def may_become(state: State, after: State) -> bool:
    """Tell whether one state may follow on another."""
    return after in _NEXT[state]


def reworded(state: State) -> State:
    """Return the state of an entry once it is worded anew: what was given up is a draft again."""
    return state if state in ("draft", "approved") else "draft"


@dataclass(frozen=True, slots=True)
class Version:
    """What an entry was once, and who made it so."""

    version: int
    state: State
    question: str
    answer: str
    actor: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Taught:
    """What is taught, before it is stored."""

    question: str
    answer: str
    language: str
    links: tuple[str, ...]
    audience: tuple[str, ...]
    author: str
    author_name: str
    ticket: int | None


@dataclass(frozen=True, slots=True)
class Until:
    """When an entry is to be looked at again, and when it ends; None: never."""

    review_at: datetime | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that was done to a ticket, with what was said, as it was worded last."""

    kind: str
    text: str
    actor: str
    name: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """A ticket as it is learned from: its question, and what was said, in order. `names`: of its people."""

    question: str
    language: str
    said: tuple[Said, ...]
    names: tuple[str, ...] = ()


class Entries(Protocol):
    """The stored entries; each change is one transaction with its version."""

    async def lesson(self, ticket: int) -> Lesson | None:
        """Return what there is to learn from a ticket; None where there is no such one."""
        ...

    async def draft(self, taught: Taught, *, actor: str) -> Entry:
        """Store a draft; where its ticket has one already, or this question has been approved, return that."""
        ...

    async def get(self, entry: int) -> Entry | None:
        """Return an entry."""
        ...

    async def reword(self, entry: int, changed: Taught, *, actor: str) -> Entry | None:
        """Store another question and answer, and who may read it; None for an unknown entry."""
        ...

    async def turn(self, entry: int, state: State, *, actor: str, until: Until | None = None) -> Entry | None:
        """Bring an entry into a state, where that may follow; in any case return it as it is then.

        None for an unknown entry.
        """
        ...

    async def expire(self, now: datetime) -> Sequence[int]:
        """Bring all approved entries whose time is over into that state; return which."""
        ...

    async def time(self, entry: int, until: Until) -> Entry | None:
        """Set when an entry is to be looked at again, and when it ends; None for an unknown entry."""
        ...

    async def approved(self) -> Sequence[Entry]:
        """Return all approved entries."""
        ...


class NameFinder(Protocol):
    """Looks for names of people."""

    async def names(self, text: str, language: str) -> Collection[tuple[int, int]]:
        """Return where names of people stand, as ranges of characters."""
        ...
