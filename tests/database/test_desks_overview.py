"""What operators see of desks and entries."""

from bot.store.desks_overview import DeskOverview, EntriesOverview, handover_overview
from knowledge.store.pool import Pool
from tests.database.recount import rows

TICKETS = """
insert into ticket (question, language, reason, threshold, candidates, fingerprint, state, desk, opened_at, due_at,
    next_at)
values
    ('a', 'en', 'asked', 1, '[]', 'f', 'open', 'it', '2026-11-01 09:00Z', now() - interval '1 hour', now() + '1 hour'),
    ('b', 'en', 'asked', 1, '[]', 'f', 'claimed', 'it', '2026-11-02 09:00Z', now() + interval '1 hour', null),
    ('c', 'en', 'asked', 1, '[]', 'f', 'answered', 'it', '2026-10-01 09:00Z', now() - interval '1 hour', null),
    ('d', 'en', 'asked', 1, '[]', 'f', 'closed', 'it', '2026-09-01 09:00Z', now() - interval '1 hour', null),
    ('e', 'en', 'asked', 1, '[]', 'f', 'open', null, '2026-11-03 09:00Z', null, now() - interval '5 minutes'),
    ('f', 'en', 'asked', 1, '[]', 'f', 'open', null, '2026-11-04 09:00Z', null, now() - interval '10 seconds')
returning opened_at
"""
ENTRIES = """
insert into entry (state, question, answer, language, author, author_name, owner, review_at)
select state, 'q', 'a', 'en', 'x', 'X', 'x', review
from (values ('approved', now() - interval '1 day'), ('approved', now() + interval '1 day'), ('approved', null),
      ('draft', now() - interval '1 day'), ('rejected', null)) as made(state, review)
returning id
"""


async def test_tickets_are_counted_by_desk_with_those_past_their_time_and_the_oldest_that_waits(pool: Pool) -> None:
    opened = [at for (at,) in await rows(pool, TICKETS)]
    overview = await handover_overview(pool)

    assert overview.desks == (
        DeskOverview("it", 1, 1, 1, 1, opened[0]),
        DeskOverview(None, 2, 0, 0, 0, opened[4]),
    )


async def test_a_clock_that_should_have_looked_long_ago_is_missed(pool: Pool) -> None:
    await rows(pool, TICKETS)

    assert (await handover_overview(pool)).missed == 1


async def test_entries_are_counted_by_what_they_wait_for(pool: Pool) -> None:
    await rows(pool, ENTRIES)

    assert (await handover_overview(pool)).entries == EntriesOverview(approved=3, to_review=1, drafts=1)


async def test_nothing_there_is_nothing_told(pool: Pool) -> None:
    overview = await handover_overview(pool)

    assert (overview.desks, overview.entries, overview.missed) == ((), EntriesOverview(0, 0, 0), 0)
