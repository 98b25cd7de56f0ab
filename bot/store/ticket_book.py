"""The tickets in PostgreSQL: each act is one transaction, with its record and all that has to be said because of it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from psycopg import AsyncConnection

from bot.core.desk.book import Case
from bot.core.desk.clock import Times, promise, promises_anew
from bot.core.desk.desks import Desk, Desks
from bot.core.desk.follows import follows
from bot.core.desk.judging import after, found_answer, judge
from bot.core.desk.reading import Found, act_of, actor_of, key_of
from bot.core.desk.told import told
from bot.core.incoming import Incoming, Place
from bot.core.phrases import phrase
from bot.core.tickets.acts import ENTRY_ACTS, Act, Outcome
from bot.core.tickets.files import loaded
from bot.core.tickets.post import WORDED
from bot.core.tickets.state import OWNED, State
from bot.store.cases import read_card, read_case, read_cases, read_events, read_history, read_sent
from bot.store.enqueueing import Enqueue
from bot.store.errands import errand_name
from bot.store.found_answers import is_gone
from bot.store.rooms import Rooms
from bot.store.stored_message import place_row
from bot.store.ticket_changes import change, happened, name_actor, note, plan_next
from knowledge.errors import TransientError
from knowledge.prepare import storable
from knowledge.store.pool import Pool

# So long a message waits for what it may stand below: less than what a platform waits for us.
LOOKS, LOOK_EVERY_S = 10, 0.2
# What may be said to an asker, or noted, at once: a longer text is a document.
TEXT_CHARACTERS = 20_000
# People's own words: the clock of a ticket begins anew.
_SPOKEN = frozenset({"claim", "reply", "ask", "draft", "offer", "reopen"})
# What is said anew when it has another text.
_REWORDED = frozenset({"reply", "ask", "note", "follow_up"})
# By these whoever does it becomes the owner, where there is none.
_TAKING = frozenset({"claim", "reply", "ask", "draft", "offer"})


@dataclass(frozen=True, slots=True)
class Means:
    """What a book works with; without a queue errands wait until whoever answers messages finds them."""

    desks: Desks
    times: Times
    enqueue: Enqueue | None = None
    # The chats that are desks, as (platform, channel), also while it is not known where those are.
    rooms: frozenset[tuple[str, str]] = frozenset()
    # A ticket that a person has answered and closed is offered to become knowledge.
    suggests: bool = True
    # What answers are found in; what they quote of any other source stands nowhere.
    sources: tuple[str, ...] = ()


class PostgresBook:
    """The `Book` port; by its `rooms` is said what follows from what is done."""

    def __init__(self, pool: Pool, means: Means) -> None:
        self._pool = pool
        self._means = means
        self.rooms = Rooms(means.desks, means.enqueue)

    @property
    def _desk_rooms(self) -> frozenset[tuple[str, str]]:
        return self._means.rooms | self._means.desks.rooms

    async def act(self, act: Act) -> Outcome:
        async with self._pool.connection() as connection, connection.transaction():
            return await self.act_within(connection, act)

    async def act_within(self, connection: AsyncConnection, act: Act) -> Outcome:
        """Do the same in a transaction of somebody else's."""
        number = await self._ticket_of(connection, act)
        case = await read_case(connection, number, for_update=True) if number else None
        if case is None:
            return Outcome("unknown", told("unknown", act.kind, "en"))
        return await self._act(connection, act, case)

    async def hear(self, incoming: Incoming) -> Outcome | None:
        names = [(incoming.place.platform, channel) for channel in incoming.channels]
        if incoming.origin != "message" or "named" in incoming.wire or self._desk_rooms.isdisjoint(names):
            return None
        found = await self._found(incoming)
        return await self._say(act_of(incoming, found)) if found else None

    async def _found(self, incoming: Incoming) -> Found | None:
        """Return the ticket that a message belongs to; TransientError while what it stands below may be a card.

        It can be read there before we know that it was sent, and after a crash in between some seconds before.
        """
        for _ in range(LOOKS):
            async with self._pool.connection() as connection:
                is_sending = await self.rooms.is_sending(connection, incoming)
                found = await self.rooms.ticket_at(connection, incoming)
            if found or not is_sending:
                return found
            await asyncio.sleep(LOOK_EVERY_S)
        raise TransientError(f"message {incoming.message} in {incoming.place} waits: it may stand below a card")

    async def _say(self, act: Act) -> Outcome:
        """Do what somebody wrote at a desk; what comes to nothing is told there."""
        outcome = await self.act(act)
        if outcome.came not in ("done", "known"):
            async with self._pool.connection() as connection, connection.transaction():
                await self.rooms.reject(connection, act, outcome)
        return outcome

    async def reword(self, incoming: Incoming) -> bool:
        """Take in the new text of what was said at a desk, or of what its asker wrote while a person had the ticket."""
        async with self._pool.connection() as connection, connection.transaction():
            event = await happened(connection, key_of(incoming))
            if event is None:
                return False
            said = await self.rooms.ticket_at(connection, incoming) if event.kind != "follow_up" else None
            act = act_of(incoming, said) if said else None
            case = await read_case(connection, event.ticket, for_update=True)
            # What the asker has read does not become a note.
            if case and not (act and act.kind == "note" and event.kind != "note"):
                await self._say_anew(connection, case, key_of(incoming), act.text if act else incoming.text)
        return True

    async def case(self, number: int) -> Case | None:
        async with self._pool.connection() as connection:
            case = await read_case(connection, number)
            if case is None:
                return None
            events, history = await read_events(connection, number), await read_history(connection, number)
        return replace(case, events=events, history=history)

    async def cases(self, *, states: Sequence[State], limit: int) -> Sequence[Case]:
        async with self._pool.connection() as connection:
            return await read_cases(connection, states, limit)

    async def sent(self, place: Place, ticket: int, kind: str, name: str = "") -> Sequence[str]:
        async with self._pool.connection() as connection:
            if kind == "card":
                return await read_card(connection, place, ticket)
            return await read_sent(connection, place, errand_name(ticket, kind, name))

    async def relay(self, connection: AsyncConnection, ticket: int, incoming: Incoming) -> bool:
        """Have what its asker writes go to the person who has the conversation, in a transaction of somebody else's.

        False where nobody has it any more.
        """
        key = key_of(incoming)
        event = await happened(connection, key)
        case = await read_case(connection, event.ticket if event else ticket, for_update=True)
        if case and event:
            await self._say_anew(connection, case, key, incoming.text)
            return True
        if case is None or case.state not in OWNED:
            return False
        act = Act("follow_up", ticket, replace(actor_of(incoming), place=None), key, incoming.text)
        act = replace(act, files=loaded(incoming.wire))
        if act.text.strip() or act.files:
            await self._act(connection, act, case)
        return True

    async def name(self, event: int, name: str) -> None:
        async with self._pool.connection() as connection:
            await name_actor(connection, event, name)

    async def give_back(self, incoming: Incoming) -> bool:
        where = {**place_row(incoming.place), "root": incoming.root, "author": incoming.author}
        key = key_of(incoming)
        async with self._pool.connection() as connection:
            rows = await (await connection.execute(_HAVING, where)).fetchall()
            earlier = await happened(connection, key)
        for place, (number,) in enumerate(rows):
            own = f"{key}:{number}" if place or earlier else key
            # Whoever asks for it is told by the answer to that.
            await self.act(Act("return", int(number), actor_of(incoming), own, details={"is_told": "yes"}))
        return bool(rows) or earlier is not None

    async def card(self, number: int) -> None:
        """Send a ticket's card to its desk, once, as soon as that has a place."""
        async with self._pool.connection() as connection, connection.transaction():
            case = await read_case(connection, number, for_update=True)
            if case:
                await self.rooms.card(connection, case, self._means.desks.named(case.desk))

    async def undelivered(self, message: int) -> None:
        """Tell the desk that an errand could not be delivered; a card goes to the other desk."""
        async with self._pool.connection() as connection, connection.transaction():
            await self.rooms.undelivered(connection, message)

    async def _ticket_of(self, connection: AsyncConnection, act: Act) -> int | None:
        if act.kind not in ENTRY_ACTS:
            return act.number
        row = await (await connection.execute(_OF_ENTRY, {"entry": act.number})).fetchone()
        return int(row[0]) if row else None

    async def _act(self, connection: AsyncConnection, act: Act, case: Case) -> Outcome:
        desk = self._means.desks.named(case.desk)
        language = desk.language if desk else "en"
        case = replace(case, events=await read_events(connection, case.number))
        is_known = await happened(connection, act.key)
        came = "known" if is_known else judge(act, case, self._rooms_of(desk), now=datetime.now(UTC))
        if came in ("known", "taken", "late"):
            return Outcome(came, told(came, act.kind, language, case), case.owner_name or "", case.number, language)
        if came == "refused":
            await change(connection, case, act, case.state, kind="refused")
            return Outcome(came, told(came, act.kind, language, case), number=case.number, language=language)
        if await is_gone(connection, act.kind, case, self._means.sources):
            return Outcome("late", phrase("desk_found_gone", language), number=case.number, language=language)
        if act.kind in WORDED and not act.text.strip() and not act.files and not act.details.get("answer"):
            await self.rooms.prompt(connection, case, act)
            return Outcome("done", told("prompt", act.kind, language, case), number=case.number, language=language)
        if act.kind in ENTRY_ACTS:
            act = replace(act, details={**act.details, "entry": str(act.number)})
        came = "done" if await self._happen(connection, act, case, desk) else "late"
        return Outcome(came, told(came, act.kind, language, case), number=case.number, language=language)

    def _rooms_of(self, desk: Desk | None) -> list[Desk]:
        return [room for room in (desk, self._means.desks.behind(desk)) if room]

    async def _happen(self, connection: AsyncConnection, act: Act, case: Case, desk: Desk | None) -> bool:
        state = after(case.state, act)
        assert state is not None, "an act that is possible leads somewhere"
        if act.kind == "edit" and not await self._edit(connection, act, case):
            return False
        text = act.text or (found_answer(case) if act.kind == "offer" else "")
        event = await change(connection, case, replace(act, text=text[:TEXT_CHARACTERS]), state)
        if event is None:
            return False
        await connection.execute(_UPDATE, self._row(act, case, state, desk))
        await plan_next(connection, case.number, desk, self._means.times)
        for side, kind in follows(act.kind, case.state, state):
            if kind == "told" and "is_told" in act.details:
                continue
            await self.rooms.say(connection, case, side, kind, event)
        if act.kind == "close" and self._means.suggests:
            await self.rooms.suggest(connection, case, event)
        return True

    async def _edit(self, connection: AsyncConnection, act: Act, case: Case) -> bool:
        """Give what the people at a desk have said another text; False where they have not said it."""
        event = await happened(connection, act.edits) if act.edits else None
        if event is None or event.ticket != case.number or event.kind not in WORDED:
            return False
        await self._say_anew(connection, case, event.key, act.text)
        return True

    async def _say_anew(self, connection: AsyncConnection, case: Case, key: str, text: str) -> None:
        """Say what was said under a key, of a ticket that is locked, with another text in its place."""
        event = await happened(connection, key)
        text = storable(text)[:TEXT_CHARACTERS]
        if event and event.kind in _REWORDED and text not in ("", event.text) and not case.is_forgotten:
            await note(connection, event, text=text)
            await self.rooms.say_anew(connection, case, event)

    def _row(self, act: Act, case: Case, state: State, desk: Desk | None) -> dict[str, Any]:
        now = act.at or datetime.now(UTC)
        is_taken = (
            act.kind in _TAKING
            and state in OWNED
            and (case.owner is None or act.kind == "claim" or case.state not in OWNED)
        )
        name = (desk.people.get(act.actor.id) if desk else None) or act.actor.name
        restarts = promises_anew(act.kind, case.state, case.events)
        return {
            "number": case.number,
            "state": state,
            "is_taken": is_taken,
            "owner": act.actor.id,
            "owner_name": name or None,
            "is_released": state == "open",
            "is_spoken": act.kind in _SPOKEN or restarts,
            "due_at": promise(desk, now) if desk and restarts else None,
            "has_ended": state in ("returned", "closed", "expired"),
        }


_HAVING = """
select id from ticket
where platform = %(platform)s and workspace = %(workspace)s and channel = %(channel)s and root = %(root)s
    and asker = %(author)s and state in ('open', 'claimed', 'answered')
order by touched_at desc
"""
_OF_ENTRY = "select ticket_id from entry where id = %(entry)s"
_UPDATE = """
update ticket set
    state = %(state)s,
    owner = case when %(is_taken)s then %(owner)s when %(is_released)s then null else owner end,
    owner_name = case when %(is_taken)s then %(owner_name)s when %(is_released)s then null else owner_name end,
    touched_at = case when %(is_spoken)s then now() else touched_at end,
    due_at = coalesce(%(due_at)s, due_at),
    ended_at = case when %(has_ended)s then coalesce(ended_at, now()) end
where id = %(number)s
"""
