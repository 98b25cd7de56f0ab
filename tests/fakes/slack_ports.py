"""The ports that listening to Slack writes to, in memory."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.core.feedback import Verdict
from bot.core.incoming import Incoming, Place
from bot.core.installations import Installation
from bot.core.intake import Intake, Stored
from knowledge.errors import DatabaseUnavailable
from tests.fakes.book import FakeBook


class FakeInbox:
    """Keeps messages by place and name; can be slow, and can fail as often as it is told to."""

    def __init__(self) -> None:
        self.messages: dict[tuple[Place, str], Incoming] = {}
        self.deleted: list[tuple[Place, str]] = []
        self.failures = 0
        self.delay_s = 0.0

    @property
    def texts(self) -> list[str]:
        return [incoming.text for incoming in self.messages.values()]

    async def store(self, incoming: Incoming, *, is_volunteer: bool) -> Stored:
        await self._perhaps_fail()
        key = (incoming.place, incoming.message)
        if key in self.messages:
            return "known"
        if not incoming.is_addressed and not is_volunteer:
            return "unwanted"
        self.messages[key] = incoming
        return "new"

    async def edit(self, incoming: Incoming, *, may_revise: bool = False) -> Stored:
        await self._perhaps_fail()
        key = (incoming.place, incoming.message)
        if key not in self.messages:
            return "unwanted"
        self.messages[key] = replace(self.messages[key], text=incoming.text)
        return "known"

    async def delete(self, place: Place, message: str) -> None:
        await self._perhaps_fail()
        self.deleted.append((place, message))

    async def _perhaps_fail(self) -> None:
        await asyncio.sleep(self.delay_s)
        if self.failures:
            self.failures -= 1
            raise DatabaseUnavailable("the database failed: it was told to; see whether it runs, then try again")


class FakeFeedback:
    """Keeps verdicts on the answers that it knows to be given in a place."""

    def __init__(self, *given: tuple[int, str]) -> None:
        self.given = set(given)
        self.verdicts: dict[tuple[int, str], Verdict] = {}
        self.reasons: dict[tuple[int, str], tuple[str | None, str | None]] = {}
        self.reactions: list[tuple[str, str, Verdict | None]] = []

    async def judge(self, answer: int, *, place: Place, actor: str, verdict: Verdict) -> bool:
        if (answer, place.channel) not in self.given:
            return False
        self.verdicts[answer, actor] = verdict
        return True

    async def explain(self, answer: int, *, place: Place, actor: str, reason: str | None, comment: str | None) -> bool:
        if (answer, actor) not in self.verdicts or (answer, place.channel) not in self.given:
            return False
        self.reasons[answer, actor] = (reason, comment)
        return True

    async def react(self, place: Place, message: str, *, actor: str, verdict: Verdict | None) -> bool:
        self.reactions.append((message, actor, verdict))
        return True


class FakeHeard:
    """Keeps how far places were heard."""

    def __init__(self) -> None:
        self.places: dict[Place, str] = {}

    async def until(self, place: Place) -> str | None:
        return self.places.get(place)

    async def hear(self, place: Place, until: str) -> None:
        self.places[place] = max(self.places.get(place, "0"), until, key=float)


class FakeInstallations:
    """Keeps installations by team, or by organisation."""

    def __init__(self, *installations: Installation) -> None:
        self.kept = {one.team or one.enterprise: one for one in installations}
        self.teams: dict[str, str] = {}

    async def find(self, enterprise: str | None, team: str | None) -> Installation | None:
        if team and team in self.kept:
            return self.kept[team]
        organisation = enterprise or self.teams.get(team or "")
        found = self.kept.get(organisation)
        return found if found and found.team is None else None

    async def save(self, installation: Installation) -> None:
        self.kept[installation.team or installation.enterprise] = installation

    async def renew(self, installation: Installation, *, instead_of: str) -> bool:
        key = installation.team or installation.enterprise
        if key not in self.kept or self.kept[key].token != instead_of:
            return False
        self.kept[key] = installation
        return True

    async def delete(self, enterprise: str | None, team: str | None) -> None:
        self.kept.pop(team or enterprise, None)

    async def seen(self, enterprise: str, team: str) -> None:
        self.teams[team] = enterprise

    async def lost(self, enterprise: str, teams: Sequence[str]) -> None:
        for team in teams:
            self.teams.pop(team, None)

    async def workspaces(self) -> Sequence[str]:
        return sorted({*(one.team for one in self.kept.values() if one.team), *self.teams})


class FakeStates:
    """Issues names that are good once."""

    def __init__(self) -> None:
        self.issued: list[str] = []

    async def issue(self) -> str:
        self.issued.append(f"state-{len(self.issued)}")
        return self.issued[-1]

    async def consume(self, state: str) -> bool:
        if state not in self.issued:
            return False
        self.issued.remove(state)
        return True


@dataclass(frozen=True, slots=True)
class FakeStores:
    """All of them, and an intake that stores into the inbox at once."""

    inbox: FakeInbox = field(default_factory=FakeInbox)
    feedback: FakeFeedback = field(default_factory=FakeFeedback)
    heard: FakeHeard = field(default_factory=FakeHeard)
    book: FakeBook | None = None

    def intake(self) -> Intake:
        return Intake(self.inbox, book=self.book)
