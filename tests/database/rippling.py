"""What asks again, in an office over the real database: looks, offers and what is sent in a line each."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.core.admit import Manners
from bot.core.cite import CitePolicy
from bot.core.desk.clock import Times
from bot.core.desk.desks import Desks
from bot.core.desk.ripple import QUIET_FOR, Means, Ripple
from bot.core.handle import Handler, Policy
from bot.core.outgoing import Channel
from bot.core.tickets.acts import Act, Actor, Outcome
from bot.core.verify.check import Verifier
from bot.core.wording import Wording
from bot.store import ticket_book
from bot.store.message_queue import open_message_queue
from bot.store.ripple import PostgresUnanswered
from bot.store.ticket_book import PostgresBook
from knowledge.retrieve import Retriever
from knowledge.store.pool import Pool
from knowledge.store.standing import PostgresStanding
from knowledge.types import PUBLIC, Relevance
from tests.database.tickets_at_work import ANSWER, IT, PEOPLE, ROOM, SECOND, Office, open_office
from tests.fakes.core import (
    FakeBudget,
    FakeCache,
    FakeIndex,
    FakeJournal,
    FakeLevels,
    FakeReranker,
    FakeTickets,
    quoting,
)
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.evidence import hit
from tests.fakes.knowledge_base import store

PAGE = {"vpn.md": f"# PIN\n\n{ANSWER}"}


async def run(pool: Pool, statement: str) -> None:
    """Run a statement."""
    async with pool.connection() as connection:
        await connection.execute(statement.encode())


async def _nobody(number: int) -> None:
    raise AssertionError("the office does it")


@dataclass
class Rippling:
    """An office, and what asks again in it."""

    office: Office
    unanswered: PostgresUnanswered
    ripple: Ripple
    book: PostgresBook
    times: list[datetime]
    index: FakeIndex

    async def learns(self) -> None:
        """Have a sync bring the page that answers."""
        await store(self.pool, PAGE)
        self.index.tag = PUBLIC

    async def settles(self) -> None:
        """Look until the knowledge is known to be quiet, and say what follows."""
        for _ in range(2):
            await self.ripple.look()
            self.times[0] += QUIET_FOR
        await self.office.works()

    async def offers(self, key: str = "press:1", by: str = "bea") -> Outcome:
        """Have somebody press the button of the answer that was found."""
        actor = Actor(f"desk:{by}", PEOPLE[f"desk:{by}"], ROOM)
        outcome = await self.book.act(Act("offer", 1, actor, key))
        await self.office.works()
        return outcome

    async def noted(self) -> list[tuple[bool, str | None]]:
        """Return of each question whether it has an answer now, and by what."""
        found = await self.office.look("select answerable_at, answerable_by from unanswered order by id")
        return [(at is not None, by) for at, by in found]

    @property
    def pool(self) -> Pool:
        """The connections to the database."""
        return self.office.pool

    async def change(self, statement: str) -> None:
        """Run a statement."""
        await run(self.pool, statement)


@asynccontextmanager
async def open_ripple(database_url: str, pool: Pool, *, sends: bool = False) -> AsyncIterator[Rippling]:
    """Open an office in which whatever is asked again is answered, as far as the documents hold it."""
    index = FakeIndex([hit(ANSWER)], tag="nobody")
    async with open_office(database_url, pool) as office, open_message_queue(database_url, pool, _nobody) as queue:
        desks = Desks([IT, SECOND])
        standing = PostgresStanding(pool, sources=["docs"])
        book = PostgresBook(pool, ticket_book.Means(desks, Times(), queue.enqueue, sources=("docs",)))
        unanswered = PostgresUnanswered(pool, book=book, sources=["docs"], sends=sends)
        wording = Wording(
            model=None,
            own_words=quoting(ANSWER),
            verifier=Verifier(),
            standing=standing,
            budget=FakeBudget(),
            policy=CitePolicy(),
        )
        handler = Handler(
            retriever=Retriever(
                embedder=FakeEmbedder(),
                levels=FakeLevels(),
                index=index,
                reranker=FakeReranker(0.9),
            ),
            wording=wording,
            tickets=FakeTickets(),
            journal=FakeJournal(),
            cache=FakeCache(),
            policy=Policy(threshold=Relevance(0.7), fingerprint="f"),
        )
        channels: Mapping[str, Channel] = {"fake": office.askers, "desk": office.desk}
        times = [datetime(2026, 11, 30, 9, 0, tzinfo=UTC)]

        async def calm() -> None:
            """Nobody waits."""

        means = Means(
            unanswered=unanswered,
            full=handler,
            plain=handler.in_own_words(),
            standing=standing,
            desks=desks,
            channels=channels,
            manners=Manners(),
            now=lambda: times[0],
            calm=calm,
        )
        yield Rippling(office, unanswered, Ripple(means), book, times, index)
