"""What a ticket is about, in the language of its desk: worded by a model, once, from what the desk may read of it."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from bot.core.budget import Budget
from bot.core.desk.book import Case, Said
from bot.core.errors import AnswererDown
from bot.core.inert import inert
from bot.core.messages import Turn
from bot.core.phrases import spoken
from bot.core.tickets.state import ACTIVE
from bot.core.verify.facts.check import missing_facts
from knowledge.errors import TransientError
from knowledge.language import is_written_in

MOST_CHARACTERS = 400
# A card waits no longer for it.
WITHIN_S = 10.0
# Whose daily cap it counts for.
SPENDER = "desk"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a model has said, None where that is no summary; and what it has cost."""

    text: str | None
    usd: float = 0.0


class Summarizer(Protocol):
    """Words summaries; `most_usd` is what one costs at most."""

    most_usd: float

    async def summarize(self, question: str, turns: Sequence[Turn], *, language: str) -> Summary:
        """Say in a language what is asked, and what was said before; AnswererDown where nothing comes of it."""
        ...


class KeptSummaries(Protocol):
    """Keeps what was worded with its ticket."""

    async def keep(self, ticket: int, key: str, text: str) -> None:
        """Keep a text under a key, for good: what was kept before stays."""
        ...


class Summaries:
    """Returns the summary of a ticket; a model is asked once for each language and each text, whatever comes of it."""

    def __init__(
        self, summarizer: Summarizer, kept: KeptSummaries, budget: Budget, *, within_s: float = WITHIN_S
    ) -> None:
        self._summarizer = summarizer
        self._kept = kept
        self._budget = budget
        self._within_s = within_s

    async def of(self, case: Case, turns: Sequence[Said], language: str) -> str:
        """Return a summary made of these turns; "" where none is needed, or none could be had in time."""
        if language in (spoken(case.language), case.language) or not case.question:
            return ""
        said = [Turn(turn.role, turn.text) for turn in turns]
        key = _key(case.question, said, language)
        if key in case.summaries or case.state not in ACTIVE:
            return case.summaries.get(key, "")
        text = await self._made(case, said, language)
        try:
            await self._kept.keep(case.number, key, text)
        except TransientError as exc:
            log.warning("a summary could not be kept: %s", exc, extra={"ticket": case.number})
        return text

    async def _made(self, case: Case, said: Sequence[Turn], language: str) -> str:
        try:
            async with asyncio.timeout(self._within_s):
                summary = await self._asked(case.question, said, language)
        except (AnswererDown, TransientError, TimeoutError) as exc:
            log.warning("a ticket has no summary: %s", str(exc) or "too late", extra={"ticket": case.number})
            return ""
        sources = [(case.question, case.language), *((turn.text, case.language) for turn in said)]
        text = shown(summary.text or "", language, sources)
        log.info("summary", extra={"ticket": case.number, "characters": len(text), "usd": summary.usd})
        return text

    async def _asked(self, question: str, said: Sequence[Turn], language: str) -> Summary:
        """Ask the model, within the budget. Of what was given up in its middle nobody knows what it cost."""
        reservation = await self._budget.reserve(SPENDER, self._summarizer.most_usd)
        if reservation is None:
            return Summary(None)
        try:
            summary = await self._summarizer.summarize(question, said, language=language)
        except AnswererDown:
            await self._budget.settle(reservation, 0.0)
            raise
        await self._budget.settle(reservation, summary.usd)
        return summary


def shown(text: str, language: str, sources: Sequence[tuple[str, str]]) -> str:
    """Return a summary as people may see it; "" where it is in another language, or has figures that its texts lack."""
    plain = inert(text, cited=(), hosts=())
    if not plain or not is_written_in(plain, language) or _has_own_figures(plain, language, sources):
        return ""
    if len(plain) <= MOST_CHARACTERS:
        return plain
    return f"{plain[: MOST_CHARACTERS - 1].rsplit(maxsplit=1)[0]}…"


def _has_own_figures(text: str, language: str, sources: Sequence[tuple[str, str]]) -> bool:
    """Tell whether there are numbers, times or codes in it that its texts lack; names are translated in many ways."""
    missing = missing_facts(text, language, sources)
    return any(character.isdigit() for fact in missing for character in fact)


def _key(question: str, said: Sequence[Turn], language: str) -> str:
    """Return what tells a summary from one of other texts: a desk that may read less has another one."""
    parts = [language, question, *(part for turn in said for part in (turn.role, turn.text))]
    return sha256("\0\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
