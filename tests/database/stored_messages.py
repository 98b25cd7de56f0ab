"""Messages in the real database: delivered, taken and answered in a line each."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from bot.core.incoming import Company, Incoming, Origin, Place, Question
from bot.core.intake import Limits, Stored
from bot.core.outgoing import Parcel, Sight
from bot.store.inbox import PostgresInbox
from bot.store.message_queue import MessageQueue, open_message_queue
from bot.store.outbox import PostgresOutbox
from knowledge.store.pool import Pool
from tests.database.recount import rows

PLACE = Place("fake", "T1", "C1")
START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
LIMITS = Limits(burst=timedelta(seconds=1))


def heard(
    message: str,
    text: str = "How do I reset my PIN?",
    *,
    author: str = "U1",
    thread: str | None = None,
    is_addressed: bool = True,
    origin: Origin = "message",
    company: Company = "public",
    place: Place = PLACE,
    wire: Mapping[str, str] | None = None,
) -> Incoming:
    """Return a message whose number is also the second at which it was written."""
    sent_at = START + timedelta(seconds=float(message))
    return Incoming(
        place, message, author, text, sent_at, company, thread, is_addressed, origin, None, False, wire or {}
    )


def parcels_for(question: Question, *texts: str, sight: Sight = "open") -> list[Parcel]:
    """Return texts as a reply in the question's thread."""
    return [
        Parcel(
            position,
            question.incoming.place,
            question.root,
            sight,
            {"text": text},
            text,
            f"{question.number}/{position}",
        )
        for position, text in enumerate(texts, 1)
    ]


@dataclass
class Conversations:
    """The stores of a test's database, and the numbers of what they hold."""

    pool: Pool
    queue: MessageQueue
    inbox: PostgresInbox
    outbox: PostgresOutbox

    async def store(self, incoming: Incoming, *, limits: Limits = LIMITS, is_volunteer: bool = False) -> Stored:
        inbox = PostgresInbox(self.pool, self.queue.enqueue, limits=limits)
        return await inbox.store(incoming, is_volunteer=is_volunteer)

    async def number(self, message: str) -> int:
        ((number,),) = await rows(self.pool, f"select id from message where message = '{message}' and role = 'user'")
        return int(number)

    async def take(self, message: str) -> Question | None:
        return await self.inbox.take(await self.number(message))

    async def taken(self, message: str) -> Question:
        """Take a message that has to be there."""
        question = await self.take(message)
        assert question is not None
        return question

    async def heard_and_taken(self, incoming: Incoming) -> Question:
        await self.store(incoming)
        return await self.taken(incoming.message)

    async def answer(self, question: Question, *texts: str, sight: Sight = "open") -> None:
        """Plan a reply and send it, under names that tell its position."""
        assert await self.outbox.plan(
            question, parcels_for(question, *texts, sight=sight), asker=question.incoming.author
        )
        for parcel in await self.outbox.unsent(question.number):
            await self.outbox.begin(question.number, parcel)
            await self.outbox.sent(question.number, parcel, f"a{next(_SENT)}")

    async def states(self) -> dict[str, str]:
        """Return the state of everything that people wrote."""
        found = await rows(self.pool, "select message, state from message where role = 'user' order by id")
        return dict(found)

    async def jobs(self) -> list[tuple[str, str]]:
        """Return the message and the lock of each job, in order."""
        return [
            (message, lock)
            for message, lock in await rows(
                self.pool,
                "select message.message, lock from procrastinate_jobs as job"
                " join message on message.id = (job.args ->> 'number')::bigint order by job.id",
            )
        ]

    async def change(self, statement: str) -> Sequence[tuple[Any, ...]]:
        """Run a statement that returns rows."""
        return await rows(self.pool, statement)


_SENT = count(1)


@asynccontextmanager
async def open_conversations(database_url: str, pool: Pool) -> AsyncIterator[Conversations]:
    """Open the stores; no job is done by itself."""

    async def nothing(number: int) -> None:
        raise AssertionError("nobody works here")

    async with open_message_queue(database_url, pool, nothing) as queue:
        yield Conversations(pool, queue, PostgresInbox(pool, queue.enqueue, limits=LIMITS), PostgresOutbox(pool))


def edited(incoming: Incoming, text: str) -> Incoming:
    """Return the same message with another text."""
    return replace(incoming, text=text)
