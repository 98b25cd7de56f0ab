"""How the desks stand, and what people taught, for operators."""

from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import class_row

from knowledge.store.pool import Pool


@dataclass(frozen=True, slots=True)
class DeskOverview:
    """A desk's tickets (`name` None: those of no desk): how many wait, are taken, were answered, are past their time.

    `oldest_since` is when the oldest of those that wait was opened.
    """

    name: str | None
    open: int
    claimed: int
    answered: int
    overdue: int
    oldest_since: datetime | None


@dataclass(frozen=True, slots=True)
class EntriesOverview:
    """What people taught: how many entries are known, are to be looked at again, and wait for a decision."""

    approved: int
    to_review: int
    drafts: int


@dataclass(frozen=True, slots=True)
class HandoverOverview:
    """All desks that have tickets; `missed`: so many tickets wait for a clock that should have seen to them."""

    desks: tuple[DeskOverview, ...]
    entries: EntriesOverview
    missed: int


async def handover_overview(pool: Pool) -> HandoverOverview:
    """Return how desks and entries stand now."""
    async with pool.connection() as connection:
        desks = await (await connection.cursor(row_factory=class_row(DeskOverview)).execute(_DESKS)).fetchall()
        entries = await (await connection.cursor(row_factory=class_row(EntriesOverview)).execute(_ENTRIES)).fetchone()
        missed = await (await connection.execute(_MISSED)).fetchone()
    assert entries is not None, "a select of counts returns its row"
    assert missed is not None, "a select of counts returns its row"
    return HandoverOverview(tuple(desks), entries, int(missed[0]))


_DESKS = """
select desk as name,
    count(*) filter (where state = 'open') as open,
    count(*) filter (where state = 'claimed') as claimed,
    count(*) filter (where state = 'answered') as answered,
    count(*) filter (where state in ('open', 'claimed') and due_at < now()) as overdue,
    min(opened_at) filter (where state in ('open', 'claimed')) as oldest_since
from ticket where state in ('open', 'claimed', 'answered')
group by desk order by desk nulls last
"""
_ENTRIES = """
select
    count(*) filter (where state = 'approved') as approved,
    count(*) filter (where state = 'approved' and review_at < now()) as to_review,
    count(*) filter (where state = 'draft') as drafts
from entry
"""
# The clock looks every few seconds.
_MISSED = "select count(*) from ticket where next_at < now() - interval '1 minute'"
