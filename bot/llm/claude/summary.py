"""Summaries of tickets, worded by the model that words the answers, or by a cheaper one of the same server."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from bot.core.desk.summary import Summary
from bot.core.messages import Turn
from bot.llm.claude.answerer import server_of
from bot.llm.claude.settings import ClaudeSettings
from bot.llm.claude.usage import most_usd_of_summary

if TYPE_CHECKING:
    from bot.llm.claude.summing_up import SummingUp


@asynccontextmanager
async def build(
    settings: ClaudeSettings, *, environment: Mapping[str, str] | None = None
) -> AsyncIterator["ClaudeSummarizer"]:
    """Open the summarizer; nothing is imported or called before the first ticket in another language."""
    key, base_url = server_of(settings, os.environ if environment is None else environment)
    summarizer = ClaudeSummarizer(settings, key=key, base_url=base_url)
    try:
        yield summarizer
    finally:
        await summarizer.close()


class ClaudeSummarizer:
    """The `Summarizer` port over a Messages API."""

    def __init__(self, settings: ClaudeSettings, *, key: str | None, base_url: str | None) -> None:
        self._settings = settings
        self._key = key
        self._base_url = base_url
        self._opening = asyncio.Lock()
        self._opened: SummingUp | None = None
        self.most_usd = most_usd_of_summary(settings)

    async def summarize(self, question: str, turns: Sequence[Turn], *, language: str) -> Summary:
        async with self._opening:
            self._opened = self._opened or await self._open()
        return await self._opened.summarize(question, turns, language=language)

    async def _open(self) -> "SummingUp":
        module = await asyncio.to_thread(import_module, "bot.llm.claude.summing_up")
        opened: SummingUp = module.SummingUp.open(self._settings, key=self._key, base_url=self._base_url)
        return opened

    async def close(self) -> None:
        """Close all connections."""
        if self._opened:
            await self._opened.close()
