"""What words summaries, in memory."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.core.desk.summary import Summary
from bot.core.messages import Turn

RUSSIAN = "Где лежит ключ от комнаты 12?"
SUMMARY = "The asker wants to know where the key of room 12 is kept."


@dataclass
class FakeSummarizer:
    """Says the same of everything; an exception is raised, and what never comes is waited for."""

    said: str | Exception | None = SUMMARY
    usd: float = 0.01
    most_usd: float = 0.05
    never: bool = False
    asked: list[tuple[str, tuple[Turn, ...], str]] = field(default_factory=list)

    async def summarize(self, question: str, turns: Sequence[Turn], *, language: str) -> Summary:
        self.asked.append((question, tuple(turns), language))
        if self.never:
            await asyncio.Event().wait()
        if isinstance(self.said, Exception):
            raise self.said
        return Summary(self.said, self.usd)


@dataclass
class FakeKept:
    """Keeps summaries."""

    kept: dict[str, str] = field(default_factory=dict)

    async def keep(self, ticket: int, key: str, text: str) -> None:
        self.kept.setdefault(key, text)
