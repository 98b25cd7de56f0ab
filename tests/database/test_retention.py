"""The words of tickets that ended long ago are erased; what is under way, or ended lately, keeps them."""

from datetime import UTC, datetime

import pytest

from bot.store.retention import TICKETS_AT_ONCE, erase_old
from knowledge.store.pool import Pool
from tests.database.handed_over import ASKER_NAME, SECRET, Office, holding, let_time_pass, office_of
from tests.database.recount import rows
from tests.database.stored_messages import Conversations

KEEP_DAYS = 30.0


@pytest.fixture
def office(talk: Conversations) -> Office:
    return office_of(talk)


async def erased(pool: Pool, keep_days: float = KEEP_DAYS) -> int:
    return await erase_old(pool, keep_days, datetime.now(UTC))


async def test_what_ended_long_ago_loses_its_words_once(office: Office) -> None:
    ticket = await office.opened("1")
    await office.acted("reply", ticket, SECRET)
    await office.acted("close", ticket)
    await let_time_pass(office.pool, days=31)

    assert [await erased(office.pool), await erased(office.pool)] == [1, 0]
    left = await holding(office.pool, SECRET, ASKER_NAME)
    # The conversation itself is no ticket: its asker has it forgotten.
    assert {row["origin"] for row in left.pop("message")} == {"message"}
    assert left == {}


@pytest.mark.parametrize(
    ("days", "steps", "keep_days"),
    [
        (29, ["close"], 30.0),
        (400, [], 30.0),
        (400, ["claim"], 30.0),
        (400, ["claim", "reply"], 30.0),
        (400, ["close"], 0.0),
    ],
)
async def test_what_is_under_way_or_ended_lately_or_is_kept_for_ever_stays(
    office: Office, days: int, steps: list[str], keep_days: float
) -> None:
    ticket = await office.opened("1")
    for step in steps:
        await office.acted(step, ticket, SECRET)  # type: ignore[arg-type]  # acts by their names
    await let_time_pass(office.pool, days=days)

    assert await erased(office.pool, keep_days) == 0
    assert await rows(office.pool, "select is_forgotten, question from ticket") == [(False, f"{SECRET} asks?")]


async def test_what_somebody_noted_afterwards_goes_in_its_time(office: Office) -> None:
    ticket = await office.opened("1")
    await office.acted("close", ticket)
    await let_time_pass(office.pool, days=31)
    await erased(office.pool)
    await rows(
        office.pool,
        "insert into ticket_event (ticket_id, kind, actor, from_state, to_state, text, key)"
        f" values ({ticket}, 'note', 'a', 'closed', 'closed', '{SECRET}', 'k') returning 1",
    )

    lately = await erased(office.pool)
    await let_time_pass(office.pool, days=31)

    assert [lately, await erased(office.pool)] == [0, 1]


async def test_questions_that_nobody_took_up_go_too(office: Office) -> None:
    await office.opened("1")
    await rows(office.pool, "update unanswered set ticket_id = null returning 1")
    await let_time_pass(office.pool, days=31)

    await erased(office.pool)

    assert await rows(office.pool, "select question, candidates, draft from unanswered") == [("", [], [])]


async def test_many_are_erased_in_steps(pool: Pool) -> None:
    many = 2 * TICKETS_AT_ONCE + 1
    await rows(
        pool,
        "insert into ticket (question, language, reason, threshold, candidates, fingerprint, state, ended_at)"
        " select 'q', 'en', 'asked', 0.5, '[]', 'f', 'closed', now() - interval '1 year'"
        f" from generate_series(1, {many}) returning 1",
    )

    assert await erased(pool) == many
    assert await rows(pool, "select count(*)::int from ticket where question <> ''") == [(0,)]
