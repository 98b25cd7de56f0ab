"""What a channel that listens promises, and what it is given to work with."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
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


class Listening(Channel, Protocol):
    """A channel that also hears."""

    async def listen(self) -> None:
        """Hear until cancelled; SettingsProblem where somebody must change something first."""
        ...

    async def check(self) -> str:
        """Return what works of it; SettingsProblem, with the remedy, where something does not."""
        ...
