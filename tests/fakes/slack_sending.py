"""What sending to Slack needs, in memory: questions from there, a clock that jumps, who may read what."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from bot.core.incoming import Company, Origin, Place, Question
from knowledge.types import Reader
from tests.fakes.channel import incoming, question

TEAM = "T1"


class FakeClock:
    """A clock that goes forward only where somebody sleeps."""

    def __init__(self) -> None:
        self.at_s = 1_000.0

    def now(self) -> float:
        """Return the seconds."""
        return self.at_s

    async def sleep(self, seconds: float) -> None:
        """Let time pass at once."""
        self.at_s += seconds
        await asyncio.sleep(0)


def asked(
    message: str = "1764493200.000100",
    *,
    channel: str = "C1",
    author: str = "U1",
    thread: str | None = None,
    company: Company = "public",
    origin: Origin = "message",
    wire: Mapping[str, str] | None = None,
    number: int = 1,
) -> Question:
    """Return a question that came from Slack."""
    written = incoming(company=company, thread=thread, origin=origin, wire=wire)
    here = replace(written, place=Place("slack", TEAM, channel), message=message, author=author)
    return question(here, number=number)


def readers_of(groups: Mapping[str, Sequence[str]]) -> Callable[[str | None], Awaitable[Reader]]:
    """Return what the people with these e-mail addresses may read, by their groups; others only what is public."""

    async def reader_of(email: str | None) -> Reader:
        own = {f"user:{email}", *groups[email]} if email and email in groups else set()
        return Reader(Reader().tags | own)

    return reader_of
