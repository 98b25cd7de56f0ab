"""What of a ticket somebody may read: passages, the draft that stands on them, and earlier answers that quote them."""

from dataclasses import dataclass
from typing import Any

from bot.core.desk.book import Case, Said
from bot.core.desk.drafts import stands_on
from bot.core.standing import Standing
from knowledge.types import Reader


@dataclass(frozen=True, slots=True)
class Readable:
    """A ticket, and what of it may be read; `left_out` counts the passages that may not.

    `turns` are all earlier ones, each with whether it may be read.
    """

    case: Case
    candidates: tuple[dict[str, Any], ...]
    left_out: int
    draft: tuple[dict[str, Any], ...]
    turns: tuple[tuple[Said, bool], ...]

    @property
    def history(self) -> tuple[Said, ...]:
        """The earlier turns that may be read."""
        return tuple(turn for turn, may_be_read in self.turns if may_be_read)


async def readable(case: Case, standing: Standing, reader: Reader) -> Readable:
    """Return what of a ticket a reader may read today; all of it is asked for at once."""
    groups = [case.passages, stands_on(case) if case.draft else (), *(turn.quotes for turn in case.history)]
    quotes = [quote for group in groups for quote in group]
    stand = iter(await standing.standing(quotes, reader) if quotes else [])
    passages, beneath, *turns = [[next(stand) for _ in group] for group in groups]
    candidates = tuple(each for each, stands in zip(case.candidates, passages, strict=True) if stands)
    return Readable(
        case,
        candidates,
        len(passages) - len(candidates),
        case.draft if all(beneath) else (),
        tuple((turn, all(stands)) for turn, stands in zip(case.history, turns, strict=True)),
    )
