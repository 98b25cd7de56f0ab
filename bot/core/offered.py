"""What a channel that listens promises, and what it is given to work with."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from bot.core.feedback import Feedback
from bot.core.incoming import Place
from bot.core.installations import Installations, States
from bot.core.intake import Heard, Intake
from bot.core.outgoing import Channel
from bot.core.requests import People
from bot.core.tickets.files import File
from knowledge.types import Reader


class Moves(Protocol):
    """Places that have another name now; every method is one transaction."""

    async def move(self, place: Place, channel: str) -> None:
        """Take all that is known of a place over to its new name; a second time changes nothing."""
        ...

    async def moved(self, platform: str, workspace: str) -> Mapping[str, str]:
        """Return the earlier names of places by the ones that they have now; of several the first."""
        ...


class Election(Protocol):
    """Posts that one process holds, of all that share the database."""

    async def lead(
        self, post: str, work: Callable[[], Coroutine[Any, Any, None]], *, stand_by: Callable[[], None]
    ) -> None:
        """Do `work` while this process holds a post, until cancelled; `stand_by` is told that another one has it.

        DatabaseUnavailable where the database is gone, and the post with it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Offered:
    """The core's intake, and the stores; `reader_of` tells what the person with an e-mail address may read.

    `volunteers` are the places where the bot also answers what is not addressed to it, `desks` those where people take
    over, as (platform, channel). `fetch` brings a file from the channel that it lies in, and raises as that one does.
    """

    intake: Intake
    feedback: Feedback
    heard: Heard
    installations: Installations
    states: States
    reader_of: Callable[[str | None], Awaitable[Reader]]
    people: People
    moves: Moves
    election: Election
    fetch: Callable[[File], Awaitable[bytes]]
    volunteers: frozenset[str] = frozenset()
    desks: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Reach:
    """Whether a platform reaches us, else why not; when it last did, and how much came since the start.

    Healthy and with `trouble`: another process listens, and this one stands by.
    """

    is_healthy: bool
    trouble: str | None
    heard_at: datetime | None
    counts: Mapping[str, int]


class Listening(Channel, Protocol):
    """A channel that also hears."""

    def reach(self) -> Reach:
        """Return how the platform reaches us now."""
        ...

    async def listen(self) -> None:
        """Hear until cancelled; SettingsProblem where somebody must change something first."""
        ...

    async def check(self) -> str:
        """Return what works of it; SettingsProblem, with the remedy, where something does not."""
        ...
