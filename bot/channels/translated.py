"""What a platform's delivery may turn out to be on every platform, where it is no new message."""

from dataclasses import dataclass

from bot.core.incoming import Incoming


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing for us, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Edited:
    """A message has another text now."""

    incoming: Incoming
