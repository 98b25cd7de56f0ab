"""What a channel that listens promises, and what it is given to work with."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.core.feedback import Feedback
from bot.core.installations import Installations, States
from bot.core.intake import Heard, Intake
from bot.core.outgoing import Channel
from knowledge.types import Reader


@dataclass(frozen=True, slots=True)
class Offered:
    """The core's intake, and the stores; `reader_of` tells what the person with an e-mail address may read."""

    intake: Intake
    feedback: Feedback
    heard: Heard
    installations: Installations
    states: States
    reader_of: Callable[[str | None], Awaitable[Reader]]


@dataclass(frozen=True, slots=True)
class Reach:
    """Whether a platform reaches us, else why not; when it last did, and how much came since the start."""

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
