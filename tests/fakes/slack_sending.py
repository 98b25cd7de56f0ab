"""What sending to Slack needs, in memory: questions from there, traces that replace each other, a clock that jumps."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime

from bot.core.incoming import Company, Incoming, Origin, Place, Question
from bot.core.outgoing import Trace
from knowledge.types import Reader

TEAM = "T1"
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


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


class FakeTraces:
    """Keeps what is visible: of each kind one, as the table does."""

    def __init__(self, *left: Trace) -> None:
        self.left = {trace.kind: trace for trace in left}
        self.ever: list[Trace] = list(left)

    async def of(self, number: int) -> Sequence[Trace]:
        return [*self.left.values()]

    async def leave(self, number: int, trace: Trace) -> None:
        self.left[trace.kind] = trace
        self.ever.append(trace)

    async def wipe(self, number: int, trace: Trace) -> None:
        self.left.pop(trace.kind, None)


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
    incoming = Incoming(
        Place("slack", TEAM, channel),
        message,
        author,
        "How do I reset my PIN?",
        NOW,
        company,
        thread,
        is_addressed=True,
        origin=origin,
        wire=wire or {},
    )
    return Question(number, incoming, incoming.text, 1, 1)


def readers_of(groups: Mapping[str, Sequence[str]]) -> Callable[[str | None], Awaitable[Reader]]:
    """Return what the people with these e-mail addresses may read, by their groups; others only what is public."""

    async def reader_of(email: str | None) -> Reader:
        own = {f"user:{email}", *groups[email]} if email and email in groups else set()
        return Reader(Reader().tags | own)

    return reader_of
