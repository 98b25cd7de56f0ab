"""The ports that listening to Telegram writes to, in memory."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.core.incoming import Place
from bot.core.intake import Intake
from bot.core.offered import Offered
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


@dataclass(frozen=True, slots=True)
class FakeOffered:
    """All that a channel is offered; it stores into the inbox at once."""

    inbox: FakeInbox = field(default_factory=FakeInbox)
    feedback: FakeFeedback = field(default_factory=FakeFeedback)
    people: FakePeople = field(default_factory=FakePeople)
    moves: FakeMoves = field(default_factory=FakeMoves)
    election: FakeElection = field(default_factory=FakeElection)
    volunteers: frozenset[str] = frozenset()

    def offered(self) -> Offered:
        return Offered(
            Intake(self.inbox, volunteers=self.volunteers),
            self.feedback,
            FakeHeard(),
            FakeInstallations(),
            FakeStates(),
            _public,
            self.people,
            self.moves,
            self.election,
            self.volunteers,
        )


async def _public(email: str | None) -> Reader:
    return Reader()
