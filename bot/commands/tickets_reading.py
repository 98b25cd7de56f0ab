"""What of a ticket somebody may read: passages, the draft that stands on them, and earlier answers that quote them."""

from dataclasses import dataclass
from typing import Any

from bot.core.desk.book import Case, Cited, Said
from bot.core.desk.drafts import stands_on
from bot.core.standing import Standing
from knowledge.types import Reader


@dataclass(frozen=True, slots=True)
class Readable:
    """A ticket, and what of it may be read; `left_out` counts the passages that may not."""

    case: Case
    candidates: tuple[dict[str, Any], ...]
    left_out: int
    draft: tuple[dict[str, Any], ...]
    history: tuple[Said, ...]


async def readable(case: Case, standing: Standing, reader: Reader) -> Readable:
    """Return what of a ticket a reader may read today."""
    quotes = [Cited(each["source"], each["document"], each.get("quote") or "") for each in case.candidates]
    may = await standing.standing(quotes, reader) if quotes else []
    candidates = tuple(each for each, is_readable in zip(case.candidates, may, strict=True) if is_readable)
    history = [turn for turn in case.history if not turn.quotes or all(await standing.standing(turn.quotes, reader))]
    beneath = stands_on(case) if case.draft else []
    draft = case.draft if not beneath or all(await standing.standing(beneath, reader)) else ()
    return Readable(case, candidates, len(may) - len(candidates), draft, tuple(history))
