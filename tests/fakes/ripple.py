"""What asks again, in memory: looks and what came of them in a line each."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from bot.core.admit import Manners
from bot.core.cite import CitePolicy
from bot.core.desk.desks import Desk, Desks
from bot.core.desk.hours import Hours
from bot.core.desk.ripple import QUIET_FOR, Found, Means, Ripple, Waiting
from bot.core.handle import Handler, Policy
from bot.core.outgoing import Channel, Readers
from bot.core.verify.check import Verifier
from bot.core.wording import Wording
from knowledge.retrieve import Retriever
from knowledge.types import PUBLIC, Reader, Relevance
from tests.fakes.channel import FakeChannel, incoming
from tests.fakes.core import (
    FakeAnswerer,
    FakeBudget,
    FakeCache,
    FakeIndex,
    FakeJournal,
    FakeLevels,
    FakeReranker,
    FakeStanding,
    FakeTickets,
    quoting,
)
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.evidence import hit

TEXT = "Reset the PIN in the app."
START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
NEW = b"new"
FULL = Readers(Reader(frozenset({PUBLIC, "staff", "legal"})), Reader(frozenset({PUBLIC, "staff", "mine"})))
ASKED = Waiting(7, "How do I reset my PIN?", "en", "below_threshold", ticket=3, desks=("it",), incoming=incoming())


@dataclass
class FakeUnanswered:
    """The `Unanswered` port over a list; what was asked of a state is not asked of it again."""

    waiting: list[Waiting] = field(default_factory=lambda: [ASKED])
    now: bytes = NEW
    came: list[tuple[int, str]] = field(default_factory=list)
    answers: list[Found] = field(default_factory=list)
    tried: bytes | None = None
    asked: set[tuple[int, bytes]] = field(default_factory=set)

    async def state(self) -> bytes:
        return self.now

    async def to_ask(self, state: bytes, *, limit: int) -> Sequence[Waiting]:
        return [one for one in self.waiting if (one.number, state) not in self.asked][:limit]

    async def leave(self, waiting: Waiting, state: bytes) -> None:
        self._note(waiting, state, "left")

    async def in_vain(self, waiting: Waiting, state: bytes, *, tried: bytes | None) -> None:
        self._note(waiting, state, "in vain")
        self.tried = tried

    async def found(self, waiting: Waiting, state: bytes, found: Found) -> None:
        self._note(waiting, state, "found")
        self.answers.append(found)

    def _note(self, waiting: Waiting, state: bytes, what: str) -> None:
        self.asked.add((waiting.number, state))
        self.came.append((waiting.number, what))


@dataclass
class Office:
    """A ripple over what is in memory; `index` remembers who asked."""

    unanswered: FakeUnanswered = field(default_factory=FakeUnanswered)
    index: FakeIndex = field(default_factory=lambda: FakeIndex([hit(TEXT)]))
    relevance: float = 0.9
    model: FakeAnswerer | None = None
    own_words: FakeAnswerer = field(default_factory=lambda: quoting(TEXT))
    standing: FakeStanding = field(default_factory=FakeStanding)
    reads: frozenset[str] = frozenset({PUBLIC, "staff"})
    channels: dict[str, Channel] = field(default_factory=lambda: {"fake": FakeChannel(of_place=FULL)})
    manners: Manners = field(default_factory=Manners)
    at: datetime = START
    pauses: int = 0
    # The knowledge changes before so many questions have been asked.
    changes_at: int = 0

    def __post_init__(self) -> None:
        handler = self._handler()
        desk = Desk("it", "IT", "en", Hours(), timedelta(hours=1), reads=Reader(self.reads))
        self.ripple = Ripple(
            Means(
                unanswered=self.unanswered,
                full=handler,
                plain=handler.in_own_words(),
                standing=self.standing,
                desks=Desks([desk]),
                channels=self.channels,
                manners=self.manners,
                now=lambda: self.at,
                calm=self._calm,
            )
        )

    async def looks(self, *, after: timedelta = timedelta(0)) -> list[tuple[int, str]]:
        """Look once, so much later, and return all that came of all looks."""
        self.at += after
        await self.ripple.look()
        return self.unanswered.came

    async def settles(self) -> list[tuple[int, str]]:
        """Look until the knowledge is known to be quiet."""
        await self.looks()
        return await self.looks(after=QUIET_FOR)

    async def _calm(self) -> None:
        self.pauses += 1
        if self.pauses == self.changes_at:
            self.unanswered.now = b"newer"

    def _handler(self) -> Handler:
        return Handler(
            retriever=Retriever(
                embedder=FakeEmbedder(), levels=FakeLevels(), index=self.index, reranker=FakeReranker(self.relevance)
            ),
            wording=Wording(
                model=self.model,
                own_words=self.own_words,
                verifier=Verifier(),
                standing=self.standing,
                budget=FakeBudget(),
                policy=CitePolicy(),
            ),
            tickets=FakeTickets(),
            journal=FakeJournal(),
            cache=FakeCache(),
            policy=Policy(threshold=Relevance(0.7), fingerprint="f"),
        )
