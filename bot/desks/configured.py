"""Desks as answerdesk.toml describes them, whatever kind they are, and what becomes of their tickets."""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.core.desk.clock import Times
from bot.core.desk.desks import Desk, Desks
from bot.core.desk.hours import Hours, refusal, working_hours
from bot.core.incoming import Place
from bot.core.offered import Listening
from bot.core.phrases import spoken
from bot.tables import DeskTable, HandoverSettings
from knowledge.types import PUBLIC, Reader


@dataclass(frozen=True, slots=True)
class OpenDesk:
    """A desk that can be reached: by a `channel` of its own, or by that of the platform that it is on.

    `find` says where it is, as long as that is not known; TransientError where it still is not.
    """

    desk: Desk
    channel: Listening | None = None
    find: Callable[[], Awaitable[Place]] | None = None


def desk_of(table: DeskTable, *, place: Place | None = None, with_topics: bool = False) -> Desk:
    """Return the desk that a valid table describes."""
    return Desk(
        name=table.name,
        title=table.title or table.name,
        language=spoken(table.language) or table.language,
        hours=_hours(table),
        answer_within=timedelta(minutes=table.answer_within_minutes),
        place=place,
        fallback=table.fallback,
        people=table.people,
        is_closed=table.only_people,
        reads=Reader(frozenset({PUBLIC, *table.reads})),
        sources=frozenset(table.sources),
        words=table.words,
        sign=table.sign,
        with_topics=with_topics,
    )


def desks_of(tables: Iterable[DeskTable]) -> Desks:
    """Return all desks in their order; where they are is found out when they are opened."""
    return Desks(desk_of(table) for table in tables)


def times_of(handover: HandoverSettings) -> Times:
    """Return how long people may be silent, as it is configured."""
    hours = handover.return_after_hours
    return Times(timedelta(hours=hours) if hours else None, timedelta(days=handover.expire_days))


def time_problems(table: DeskTable) -> Iterator[str]:
    """Yield what is wrong with when a desk works."""
    try:
        ZoneInfo(table.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        yield (
            f"`time_zone` = {table.time_zone!r}: is no time zone known here; write for instance Europe/Kyiv, and where"
            " that is not known either, pip install --upgrade tzdata"
        )
        return
    try:
        hours = _hours(table)
    except ValueError as exc:
        yield f"`hours` = {table.hours!r}: {exc}"
        return
    if why := refusal(hours, timedelta(minutes=table.answer_within_minutes), datetime.now(UTC)):
        yield f"`answer_within_minutes` = {table.answer_within_minutes}: {why}, or fewer minutes and holidays"


def _hours(table: DeskTable) -> Hours:
    return working_hours(table.hours, zone=ZoneInfo(table.time_zone), holidays=table.holidays)
