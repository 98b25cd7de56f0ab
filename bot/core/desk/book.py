"""The port to the tickets: what is done to them, and what of it has to be said to whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from bot.core.incoming import Place
from bot.core.tickets.acts import Act, ActKind, Outcome
from bot.core.tickets.files import File
from bot.core.tickets.state import State


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a ticket; `text` is what was said, "" where that was taken out."""

    id: int
    kind: ActKind | Literal["opened", "added", "refused", "undelivered", "answerable"]
    actor: str
    name: str
    at: datetime
    from_state: State
    to_state: State
    text: str = ""
    files: tuple[File, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cited:
    """What an earlier answer quotes."""

    source: str
    document: str
    quote: str


@dataclass(frozen=True, slots=True)
class Said:
    """What was said before a ticket was opened; what of the documents an answer in it quotes."""

    role: Literal["user", "assistant"]
    text: str
    quotes: tuple[Cited, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A ticket with all that is known of it.

    `message`: what it began with; `place` and all that tells of it is None for a question from a terminal. `thread` is
    the one that replies hang from, `conversation` a whole chat or topic where there are no threads; `alone` the asker,
    where nobody else in the place saw what was asked. `candidates` and `draft` are as the store of tickets keeps them,
    `history` what was said before it was opened. `summaries`: what a model has made of it, by what it was made of.
    """

    number: int
    state: State
    question: str
    language: str
    reason: str
    relevance: float | None
    threshold: float
    candidates: tuple[dict[str, Any], ...]
    draft: tuple[dict[str, Any], ...]
    opened_at: datetime
    desk: str | None
    owner: str | None
    owner_name: str | None
    due_at: datetime | None
    touched_at: datetime
    place: Place | None
    root: str | None
    thread: str | None
    conversation: str | None
    message: str | None
    company: str | None
    alone: str | None
    asker: str | None
    asker_name: str | None
    next_step: str | None
    next_at: datetime | None
    is_forgotten: bool
    events: tuple[Event, ...] = ()
    history: tuple[Said, ...] = ()
    summaries: Mapping[str, str] = field(default_factory=dict)

    @property
    def passages(self) -> tuple[Cited, ...]:
        """The candidates as what is quoted of them."""
        return tuple(Cited(each["source"], each["document"], each.get("quote") or "") for each in self.candidates)


class Book(Protocol):
    """The tickets; every method is one transaction."""

    async def act(self, act: Act) -> Outcome:
        """Do something to a ticket or an entry, if its actor may and its state allows it; errands follow from it."""
        ...

    async def name(self, event: int, name: str) -> None:
        """Note the name of who has done something, where the platform told it only later."""
        ...

    async def case(self, number: int) -> Case | None:
        """Return a ticket with all that is known of it."""
        ...

    async def sent(self, place: Place, ticket: int, kind: str, name: str = "") -> Sequence[str]:
        """Return the platform's names of what was sent by an errand."""
        ...

    async def cases(self, *, states: Sequence[State], limit: int) -> Sequence[Case]:
        """Return the newest tickets in these states, newest first, without their events."""
        ...

    async def card(self, number: int) -> None:
        """Send a ticket's card to its desk, once, as soon as that has a place."""
        ...

    async def undelivered(self, message: int) -> None:
        """Tell the desk, once, that the errand with this message's number did not arrive; a card goes elsewhere."""
        ...
