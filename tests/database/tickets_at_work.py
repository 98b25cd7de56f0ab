"""A small office over the real database: people who ask, a desk that takes over, and the worker between them."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from bot.core.admit import Manners
from bot.core.cite import CitePolicy
from bot.core.desk.book import Case
from bot.core.desk.card import Cards
from bot.core.desk.clock import Times
from bot.core.desk.desks import Desk, Desks
from bot.core.desk.errands import Errands
from bot.core.desk.hours import Hours
from bot.core.handle import Handler, Policy
from bot.core.incoming import Incoming, Place, Question
from bot.core.intake import Intake, Limits, Stored
from bot.core.linking import Linking, LinkRules
from bot.core.outgoing import Parcel, Sight, Trace
from bot.core.requests import Quotes, Requests
from bot.core.standing import Standing
from bot.core.tickets.acts import Act, ActKind, Actor, Outcome
from bot.core.verify.check import Verifier
from bot.core.wording import Wording
from bot.core.worker import Parts, Worker
from bot.store.enqueueing import Enqueue
from bot.store.inbox import PostgresInbox
from bot.store.journal import PostgresJournal
from bot.store.message_queue import open_message_queue
from bot.store.outbox import PostgresOutbox
from bot.store.ticket_book import Means, PostgresBook
from bot.store.tickets import PostgresTickets
from bot.store.traces import PostgresTraces
from knowledge.retrieve import Index, Retriever
from knowledge.store.pool import Pool
from knowledge.types import Evidence, Hit, Relevance
from tests.database.recount import rows
from tests.database.stored_messages import START, heard
from tests.fakes.channel import FakeChannel
from tests.fakes.core import FakeBudget, FakeCache, FakeIndex, FakeLevels, FakeStanding, quoting
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.evidence import hit
from tests.fakes.links import FakeLinks
from tests.fakes.people import FakePeople
from tests.fakes.requests import FakeForgetting, FakeGiven, FakeSections

ASKED = Place("fake", "T1", "C1")
ROOM = Place("desk", "T9", "D1")
SECOND_ROOM = Place("desk", "T9", "D2")
ELSEWHERE = Place("desk", "T9", "D7")
PEOPLE = {"desk:bea": "Bea", "desk:carl": "Carl"}
# What no page knows.
QUESTION = "Where is the unknown key?"
ANSWER = "Reset the PIN in the app."
# What holds these words is answered by nobody but people.
UNKNOWN = "unknown"
NOW = START + timedelta(hours=1)
ONE_BY_ONE = Limits(per_person=1_000, per_place=10_000, burst=timedelta(0))

IT = Desk(
    "it", "IT help", "en", Hours(), timedelta(hours=4), place=ROOM, fallback="second", people=PEOPLE, is_closed=True
)
SECOND = Desk(
    "second", "Second line", "en", Hours(), timedelta(hours=4), place=SECOND_ROOM, people={"desk:dora": "Dora"}
)


class ByText:
    """The `Reranker` port: a question tells by itself whether anything answers it."""

    name = "by text"

    async def rerank(self, question: str, hits: Sequence[Hit]) -> list[Evidence]:
        relevance = Relevance(0.1 if UNKNOWN in question.casefold() else 0.9)
        return [Evidence(hit, relevance) for hit in hits]


@dataclass
class Chat(FakeChannel):
    """A channel as people see it: what was replaced is gone; `shown` is everything by the platform's name."""

    shown: dict[str, Parcel] = field(default_factory=dict)

    async def send(self, parcel: Parcel, *, over: Trace | None = None) -> str | None:
        if self.failures:
            raise self.failures.pop(0)
        self.sent.append(parcel)
        name = parcel.replaces or f"{self.platform}{len(self.sent)}"
        if parcel.is_gone:
            self.shown.pop(name, None)
        else:
            self.shown[name] = parcel
        if self.lost:
            raise self.lost.pop(0)
        return name

    async def find(self, parcel: Parcel) -> str | None:
        found = (name for name, shown in self.shown.items() if shown.marker == parcel.marker)
        return next(found, None) if self.has_history else None

    def _parcel(self, text: str, question: Question, sight: Sight) -> Parcel:
        made = super()._parcel(text, question, sight)
        return replace(made, marker=f"{made.marker}:{question.version}")

    def seen(self, place: Place | None = None) -> list[str]:
        """Return what stands there now, in order."""
        return [parcel.plain for parcel in self.shown.values() if place in (None, parcel.place)]

    def name_of_last(self, words: str) -> str:
        """Return the platform's name of the last message with these words."""
        return [name for name, parcel in self.shown.items() if words in parcel.plain][-1]


@dataclass
class Office:
    """Everything open; `works` does what is to be done."""

    pool: Pool
    inbox: PostgresInbox
    outbox: PostgresOutbox
    book: PostgresBook
    intake: Intake
    worker: Worker
    askers: Chat
    desk: Chat
    tickets: PostgresTickets
    desks: Desks
    names: "count[int]" = field(default_factory=lambda: count(1))
    work_off: Callable[[], Awaitable[None]] | None = None

    async def works(self) -> None:
        """Do all jobs until none is left."""
        assert self.work_off is not None, "there is a queue"
        await self.work_off()

    async def asks(self, text: str, **about: Any) -> Incoming:
        """Have somebody write to the bot, and return it."""
        conversation = about.pop("conversation", None)
        message = about.pop("message", None) or str(next(self.names))
        said = replace(heard(message, text, place=about.pop("place", ASKED), **about), conversation=conversation)
        await self.intake.take(said)
        return said

    async def says(
        self,
        text: str,
        *,
        by: str = "bea",
        place: Place = ROOM,
        thread: str | None = None,
        wire: Mapping[str, str] | None = None,
    ) -> tuple[Incoming, Stored]:
        """Have somebody write at the desk, below the newest card where no thread is told."""
        below = thread or await self.below()
        message = str(next(self.names))
        said = heard(message, text, author=by, thread=below, is_addressed=False, place=place, wire=wire)
        return said, await self.intake.take(said)

    async def below(self, ticket: int = 1) -> str:
        """Return what a ticket's card was sent as."""
        return (await self.book.sent(ROOM, ticket, "card"))[0]

    async def presses(self, kind: ActKind, number: int = 1, *, by: str = "bea", **about: Any) -> Outcome:
        """Have somebody press a button at the desk."""
        place = about.pop("place", ROOM)
        key = about.pop("key", None) or f"press:{next(self.names)}"
        actor = Actor(f"{place.platform}:{by}" if place else by, "", place, about.pop("is_foreign", False))
        return await self.intake.act(Act(kind, number, actor, key, at=datetime.now(UTC), **about))

    async def case(self, number: int = 1) -> Case:
        """Return a ticket that has to be there."""
        case = await self.book.case(number)
        assert case is not None
        return case

    async def happened(self, number: int = 1) -> list[str]:
        """Return what happened to a ticket, in order."""
        return [event.kind for event in (await self.case(number)).events]

    async def look(self, statement: str) -> list[tuple[Any, ...]]:
        """Return what a statement finds."""
        return await rows(self.pool, statement)


@dataclass(frozen=True)
class Setting:
    """What of an office a test wants otherwise."""

    desks: tuple[Desk, ...] = (IT, SECOND)
    limits: Limits = ONE_BY_ONE
    standing: Standing = field(default_factory=FakeStanding)
    index: Index = field(default_factory=lambda: FakeIndex([hit(ANSWER)]))
    manners: Manners = field(default_factory=Manners)
    asks_first: bool = False
    inbox: type[PostgresInbox] = PostgresInbox
    outbox: type[PostgresOutbox] = PostgresOutbox
    chat: type[Chat] = Chat


def handler_for(pool: Pool, tickets: PostgresTickets, setting: Setting) -> Handler:
    """Return a handler that answers all but what is unknown."""
    return Handler(
        retriever=Retriever(embedder=FakeEmbedder(), levels=FakeLevels(), index=setting.index, reranker=ByText()),
        wording=Wording(
            model=None,
            own_words=quoting(ANSWER),
            verifier=Verifier(),
            standing=FakeStanding(),
            budget=FakeBudget(),
            policy=CitePolicy(),
        ),
        tickets=tickets,
        journal=PostgresJournal(pool),
        cache=FakeCache(),
        policy=Policy(threshold=Relevance(0.7), fingerprint="f", asks_first=setting.asks_first),
    )


def requests_for(book: PostgresBook) -> Requests:
    """Return what serves requests."""
    return Requests(
        FakePeople(),
        given=FakeGiven(),
        quotes=Quotes(standing=FakeStanding(), sections=FakeSections()),
        linking=Linking(FakeLinks(), rules=LinkRules()),
        forgetting=FakeForgetting(),
        ownership=book,
    )


def office_of(pool: Pool, enqueue: Enqueue, setting: Setting) -> Office:
    """Return an office whose jobs go to a queue."""
    desks, times = Desks(setting.desks), Times()
    askers, desk = setting.chat(), setting.chat(platform="desk", names={"bea": "Bea from the desk"})
    channels = {"fake": askers, "desk": desk}
    book = PostgresBook(pool, Means(desks, times, enqueue))
    inbox = setting.inbox(pool, enqueue, limits=setting.limits, relay=book.relay)
    tickets = PostgresTickets(pool, desks=desks, times=times)
    outbox = setting.outbox(pool, rooms=book.rooms)
    parts = Parts(
        questions=inbox,
        outbox=outbox,
        traces=PostgresTraces(pool),
        tickets=tickets,
        handler=handler_for(pool, tickets, setting),
        channels=channels,
        manners=setting.manners,
        fingerprint="f",
        now=lambda: NOW,
        requests=requests_for(book),
        errands=Errands(book, desks, Cards(setting.standing), channels=channels),
        asks_first=setting.asks_first,
    )
    return Office(pool, inbox, outbox, book, Intake(inbox, book=book), Worker(parts), askers, desk, tickets, desks)


@asynccontextmanager
async def open_office(database_url: str, pool: Pool, setting: Setting | None = None) -> AsyncIterator[Office]:
    """Open an office with a queue; nothing is done by itself."""
    offices: list[Office] = []

    async def do(number: int) -> None:
        await offices[0].worker.do(number)

    async with open_message_queue(database_url, pool, do) as queue:
        offices.append(office_of(pool, queue.enqueue, setting or Setting()))
        offices[0].work_off = queue.work_off
        yield offices[0]
