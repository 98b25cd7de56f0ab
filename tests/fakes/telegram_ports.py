"""The ports that listening to Telegram writes to, in memory."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.core.desk.book import Case
from bot.core.errors import Undeliverable
from bot.core.incoming import Incoming, Place
from bot.core.intake import Intake
from bot.core.offered import Offered
from bot.core.tickets.acts import Act, Outcome
from bot.core.tickets.files import File
from bot.core.tickets.state import State
from knowledge.errors import DatabaseUnavailable
from knowledge.types import Reader
from tests.fakes.people import FakePeople
from tests.fakes.slack_ports import FakeFeedback, FakeHeard, FakeInbox, FakeInstallations, FakeStates

LOOKS_AGAIN_AFTER_S = 0.02


class FakeMoves:
    """Remembers where places moved to."""

    def __init__(self) -> None:
        self.steps: dict[str, str] = {}

    async def move(self, place: Place, channel: str) -> None:
        self.steps[channel] = place.channel

    async def moved(self, platform: str, workspace: str) -> Mapping[str, str]:
        return dict(self.steps)


class FakeElection:
    """Gives each post to who asks first, for as long as they work, unless it `is_taken`."""

    def __init__(self) -> None:
        self.is_taken = False
        self.posts: list[str] = []
        self._held: set[str] = set()

    async def lead(
        self, post: str, work: Callable[[], Coroutine[Any, Any, None]], *, stand_by: Callable[[], None]
    ) -> None:
        while self.is_taken or post in self._held:
            stand_by()
            await asyncio.sleep(LOOKS_AGAIN_AFTER_S)
        self._held.add(post)
        self.posts.append(post)
        try:
            await work()
        finally:
            self._held.discard(post)


class FakeBook:
    """Knows the tickets of desks only by what is done to them; what is written at a `desk` belongs to one."""

    def __init__(self, *desks: str) -> None:
        self.desks = desks
        self.acts: dict[str, Act] = {}
        self.heard: dict[tuple[Place, str], Incoming] = {}
        self.reworded: list[Incoming] = []
        self.outcome = Outcome("done")
        self.failures = 0

    async def act(self, act: Act) -> Outcome:
        if self.failures:
            self.failures -= 1
            raise DatabaseUnavailable("the database failed: it was told to; see whether it runs, then try again")
        is_known = act.key in self.acts
        self.acts.setdefault(act.key, act)
        return replace(self.outcome, came="known") if is_known else self.outcome

    async def hear(self, incoming: Incoming) -> Outcome | None:
        if incoming.place.channel not in self.desks:
            return None
        self.heard.setdefault((incoming.place, incoming.message), incoming)
        return Outcome("done")

    async def reword(self, incoming: Incoming) -> bool:
        is_heard = (incoming.place, incoming.message) in self.heard
        if is_heard:
            self.reworded.append(incoming)
        return is_heard

    async def case(self, number: int) -> Case | None:
        return None

    async def sent(self, place: Place, ticket: int, kind: str, name: str = "") -> Sequence[str]:
        return ()

    async def cases(self, *, states: Sequence[State], limit: int) -> Sequence[Case]:
        return ()

    async def card(self, number: int) -> None:
        """There are no cards."""

    async def undelivered(self, message: int) -> None:
        """Nobody is told."""


@dataclass(frozen=True, slots=True)
class FakeOffered:
    """All that a channel is offered; it stores into the inbox at once."""

    inbox: FakeInbox = field(default_factory=FakeInbox)
    feedback: FakeFeedback = field(default_factory=FakeFeedback)
    people: FakePeople = field(default_factory=FakePeople)
    moves: FakeMoves = field(default_factory=FakeMoves)
    election: FakeElection = field(default_factory=FakeElection)
    volunteers: frozenset[str] = frozenset()
    desks: frozenset[tuple[str, str]] = frozenset()
    book: FakeBook = field(default_factory=FakeBook)
    files: dict[str, bytes] = field(default_factory=dict)

    def offered(self) -> Offered:
        return Offered(
            Intake(self.inbox, volunteers=self.volunteers, book=self.book),
            self.feedback,
            FakeHeard(),
            FakeInstallations(),
            FakeStates(),
            _public,
            self.people,
            self.moves,
            self.election,
            self.fetch,
            self.volunteers,
            self.desks,
        )

    async def fetch(self, file: File) -> bytes:
        """Bring what lies in memory."""
        if file.id not in self.files:
            raise Undeliverable(f"the file {file.id!r} is gone")
        return self.files[file.id]


async def _public(email: str | None) -> Reader:
    return Reader()
