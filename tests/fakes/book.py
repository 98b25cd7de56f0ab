"""The tickets in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import cast

from bot.core.desk.book import Case, Event
from bot.core.incoming import Incoming, Place
from bot.core.tickets.acts import ENTRY_ACTS, Act, Outcome
from bot.core.tickets.state import OWNED, State, TicketAct, state_after
from knowledge.errors import DatabaseUnavailable

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
ASKED_AT = Place("slack", "T1", "C1")


def case(number: int = 12, state: State = "open", **changes: object) -> Case:
    """Return a ticket that was opened a moment ago."""
    opened = Case(
        number=number,
        state=state,
        question="How do I change my PIN?",
        language="en",
        reason="below_threshold",
        relevance=0.41,
        threshold=0.65,
        candidates=(),
        draft=(),
        opened_at=NOW,
        desk=None,
        owner=None,
        owner_name=None,
        due_at=NOW + timedelta(hours=4),
        touched_at=NOW,
        place=ASKED_AT,
        root="1.1",
        thread="1.1",
        conversation=None,
        message="1.1",
        company="public",
        alone=None,
        asker="U1",
        asker_name="Ada",
        next_step=None,
        next_at=None,
        is_forgotten=False,
    )
    return replace(opened, **changes)  # type: ignore[arg-type]  # a field and its value


class FakeBook:
    """The `Book` port: permits everybody who is not `refused`, and can fail as often as it is told to."""

    def __init__(self, *cases: Case, refused: Sequence[str] = ()) -> None:
        self.held = {one.number: one for one in cases}
        self.acts: list[Act] = []
        self.refused = frozenset(refused)
        self.failures = 0
        self.carded: list[int] = []
        self.lost: list[int] = []

    async def act(self, act: Act) -> Outcome:
        if self.failures:
            self.failures -= 1
            raise DatabaseUnavailable("the database failed: it was told to")
        held = self.held.get(act.number)
        if held is None:
            return Outcome("unknown", "there is no such ticket")
        if any(act.key == earlier.key for earlier in self.acts):
            return Outcome("known", "that was done before", held.owner_name or "", held.number)
        if act.actor.id in self.refused:
            return Outcome("refused", "you may not do that", number=held.number)
        if act.kind == "claim" and held.state in OWNED and held.owner != act.actor.id:
            return Outcome("taken", f"{held.owner_name} has it", held.owner_name or "", held.number)
        after = held.state if act.kind in ENTRY_ACTS else state_after(held.state, cast("TicketAct", act.kind))
        if after is None:
            return Outcome("late", f"the ticket is {held.state}", number=held.number)
        self._happen(act, held, after)
        return Outcome("done", f"{act.kind} is done", act.actor.name, held.number)

    def _happen(self, act: Act, held: Case, after: State) -> None:
        self.acts.append(act)
        name, kind = act.actor.name, cast("TicketAct", act.kind)
        event = Event(len(self.acts), kind, act.actor.id, name, NOW, held.state, after, act.text, act.files)
        is_owned = after in OWNED
        self.held[held.number] = replace(
            held,
            state=after,
            owner=act.actor.id if is_owned else None,
            owner_name=name if is_owned else None,
            events=(*held.events, event),
        )

    async def hear(self, incoming: Incoming) -> Outcome | None:
        return None

    async def reword(self, incoming: Incoming) -> bool:
        return False

    async def card(self, number: int) -> None:
        self.carded.append(number)

    async def undelivered(self, message: int) -> None:
        self.lost.append(message)

    async def name(self, event: int, name: str) -> None:
        """Nobody asks for it."""

    async def give_back(self, incoming: Incoming) -> bool:
        return False

    async def sent(self, place: Place, ticket: int, kind: str, name: str = "") -> Sequence[str]:
        return ()

    async def case(self, number: int) -> Case | None:
        return self.held.get(number)

    async def cases(self, *, states: Sequence[State], limit: int) -> Sequence[Case]:
        found = [one for one in self.held.values() if one.state in states]
        return sorted(found, key=lambda one: -one.number)[:limit]
