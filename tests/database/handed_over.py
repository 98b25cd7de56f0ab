"""Tickets in the real database: handed over, worked on at a desk, and all that is said because of it sent."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import count
from typing import Any

from bot.core.desk.clock import Times
from bot.core.desk.desks import Desk, Desks
from bot.core.desk.hours import Hours
from bot.core.escalate import Handover
from bot.core.incoming import Company, Incoming, Place
from bot.core.messages import Checks, Rejected
from bot.core.tickets.acts import Act, Actor, Outcome
from bot.core.tickets.state import TicketAct
from bot.store.inbox import PostgresInbox
from bot.store.outbox import PostgresOutbox
from bot.store.ticket_book import Means, PostgresBook
from bot.store.tickets import PostgresTickets
from knowledge.store.pool import Pool
from knowledge.types import Evidence, Relevance
from tests.database.recount import rows
from tests.database.stored_messages import LIMITS, PLACE, Conversations, heard, parcels_for
from tests.fakes.evidence import hit

# What may not be found any more.
SECRET, ASKER, ASKER_NAME, COLLEAGUE, COLLEAGUE_NAME = "Canary 4711", "U4711", "Adacanary", "U0815", "Anncanary"
DIRECT = Place("fake", "T1", "D1")
ROOM = Place("fake", "T1", "DESK")
DESKS = Desks([Desk("it", "IT", "en", Hours(), timedelta(hours=4), place=ROOM)])


@dataclass
class Office:
    """A desk, and the stores that it works with."""

    talk: Conversations
    book: PostgresBook
    tickets: PostgresTickets
    inbox: PostgresInbox
    outbox: PostgresOutbox

    @property
    def pool(self) -> Pool:
        return self.talk.pool

    async def opened(self, message: str, *, author: str = ASKER, place: Place = PLACE) -> int:
        """Have a question handed over, its asker told, and its card sent."""
        question = await self._taken(asked(message, author=author, place=place))
        rejected = Rejected(f"{SECRET} is not said.", Checks(valid=True, missing=(SECRET,)))
        evidence = Evidence(hit(f"{SECRET} is the nearest passage."), Relevance(0.4))
        handover = Handover(
            question.text,
            "en",
            "unsupported",
            Relevance(0.4),
            Relevance(0.65),
            (evidence,),
            "f",
            message=question.number,
            rejected=(rejected,),
        )
        ticket = await self.tickets.open(handover)
        await self._say(question, "It is passed on.")
        await self.run_errands()
        return ticket.number

    async def acted(self, kind: TicketAct, ticket: int, text: str = "", *, author: str = COLLEAGUE) -> Outcome:
        """Have a person of the desk do something, and say what follows."""
        actor = Actor(f"fake:{author}", COLLEAGUE_NAME if author == COLLEAGUE else "Bob", ROOM)
        key = f"press:T1:DESK:{next(_NUMBERS)}:{kind}:{ticket}:{author}"
        outcome = await self.book.act(Act(kind, ticket, actor, key, text=text))
        await self.run_errands()
        return outcome

    async def wrote(self, message: str, *, thread: str, author: str = ASKER, place: Place = PLACE) -> None:
        """Have somebody write on where a person has the conversation."""
        incoming = replace(asked(message, author=author, place=place), thread=thread)
        await self.inbox.store(incoming, is_volunteer=False)
        number = (await rows(self.pool, f"select id from message where message = '{message}'"))[0][0]
        assert await self.inbox.take(int(number)) is None
        await self.run_errands()

    async def run_errands(self) -> None:
        """Say what waits to be said, with the words and names that it would have."""
        waiting = "select id from message where origin = 'errand' and state = 'waiting' order by id"
        while found := await rows(self.pool, waiting):
            for (number,) in found:
                question = await self.inbox.take(int(number))
                assert question is not None
                await self._say(question, f"{COLLEAGUE_NAME}: {SECRET} of {ASKER_NAME} ({ASKER})")

    async def unsay_last(self) -> None:
        """Have the last errand wait again."""
        last = "(select max(id) from message where origin = 'errand' and role = 'user')"
        await rows(self.pool, f"update message set state = 'waiting' where id = {last} returning 1")

    async def _taken(self, incoming: Incoming) -> Any:
        await self.inbox.store(incoming, is_volunteer=False)
        ((number,),) = await rows(self.pool, f"select id from message where message = '{incoming.message}'")
        question = await self.inbox.take(int(number))
        assert question is not None
        return question

    async def _say(self, question: Any, text: str) -> None:
        assert await self.outbox.plan(question, parcels_for(question, text), asker=question.incoming.author)
        for parcel in await self.outbox.unsent(question.number):
            assert await self.outbox.begin(question.number, parcel)
            await self.outbox.sent(question.number, parcel, f"s{next(_NUMBERS)}")


_NUMBERS = count(1)


def office_of(talk: Conversations) -> Office:
    """Return a desk over the stores of a test."""
    means = Means(DESKS, Times(), talk.queue.enqueue)
    book = PostgresBook(talk.pool, means)
    return Office(
        talk,
        book,
        PostgresTickets(talk.pool, desks=DESKS),
        PostgresInbox(talk.pool, talk.queue.enqueue, limits=LIMITS, relay=book.relay),
        PostgresOutbox(talk.pool, rooms=book.rooms),
    )


def asked(message: str, *, author: str = ASKER, place: Place = PLACE) -> Incoming:
    """Return a message with a name and a secret in it."""
    company: Company = "direct" if place == DIRECT else "public"
    wire = {"name": ASKER_NAME if author == ASKER else "Eve", "reply_text": SECRET}
    return heard(message, f"{SECRET} asks?", author=author, place=place, company=company, wire=wire)


async def holding(pool: Pool, *words: str) -> dict[str, list[Any]]:
    """Return the rows of every table there is that hold one of some words in any column."""
    tables = await rows(pool, "select table_name from information_schema.tables where table_schema = 'public'")
    found: dict[str, list[Any]] = {}
    for (table,) in tables:
        for row, text in await rows(pool, f"select to_jsonb(held), to_jsonb(held)::text from {table} as held"):
            if any(word in text for word in words):
                found.setdefault(table, []).append(row)
    return found


async def let_time_pass(pool: Pool, *, days: int = 1) -> None:
    """Have everything happened so much earlier."""
    for statement in (
        f"update message set received_at = received_at - interval '{days} days' returning 1",
        f"update ticket_event set at = at - interval '{days} days' returning 1",
        f"update ticket set ended_at = ended_at - interval '{days} days' returning 1",
        f"update unanswered set asked_at = asked_at - interval '{days} days' returning 1",
    ):
        await rows(pool, statement)


async def counts(pool: Pool, tables: Sequence[str]) -> dict[str, int]:
    """Return how many rows tables have."""
    return {table: int((await rows(pool, f"select count(*) from {table}"))[0][0]) for table in tables}
