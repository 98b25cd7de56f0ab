"""No cap is passed, however many ask at once, and the operator is told of it once."""

import asyncio
import logging

import pytest

from bot.core.budget import Reservation
from bot.store.notices import PostgresNotices
from bot.store.spending import BudgetSettings, PostgresBudget
from knowledge.store.pool import Pool, open_pool
from tests.database.recount import rows

NO_CAP = float("inf")
IN_ALL = "select usd from spending where asker = ''"


def budget(pool: Pool, *, daily: float = 10.0, person: float = NO_CAP) -> PostgresBudget:
    settings = BudgetSettings(daily_usd=daily, daily_usd_per_person=person)
    return PostgresBudget(pool, settings=settings, notices=PostgresNotices(pool))


async def reserve(subject: PostgresBudget, *usd: float, asker: str = "ann") -> list[bool]:
    return [await subject.reserve(asker, amount) is not None for amount in usd]


@pytest.mark.parametrize(
    ("daily", "person", "amounts", "allowed"),
    [
        (1.0, NO_CAP, (0.5, 0.5, 0.25), [True, True, False]),
        (1.0, NO_CAP, (0.75, 0.5, 0.25), [True, False, True]),
        (1.0, NO_CAP, (1.5,), [False]),
        (NO_CAP, 1.0, (0.5, 0.75, 0.5), [True, False, True]),
        (0.0, NO_CAP, (0.0, 0.1), [False, False]),
        (NO_CAP, 0.0, (0.0, 0.1), [False, False]),
        (1.0, 1.0, (1.0, 0.0), [True, True]),
        (NO_CAP, NO_CAP, (1e6, 1e6), [True, True]),
        (1.0, 1.0, (-0.5, float("nan")), [False, False]),
    ],
)
async def test_what_fits_under_both_caps_is_set_aside(
    pool: Pool, daily: float, person: float, amounts: tuple[float, ...], allowed: list[bool]
) -> None:
    assert await reserve(budget(pool, daily=daily, person=person), *amounts) == allowed


async def test_each_person_has_a_cap_of_their_own(pool: Pool) -> None:
    subject = budget(pool, person=1.0)

    done = [await reserve(subject, 1.0, 1.0, asker=asker) for asker in ("ann", "bob", "", "unknown")]

    assert done == [[True, False], [True, False], [True, False], [False, False]]
    assert await rows(pool, IN_ALL) == [(3.0,)]


async def test_what_one_cap_refuses_counts_for_none(pool: Pool) -> None:
    await reserve(budget(pool, person=1.0), 0.75, 0.75)

    assert await rows(pool, "select asker, usd from spending order by asker") == [("", 0.75), ("ann", 0.75)]


async def test_settling_puts_what_was_spent_in_its_place(pool: Pool) -> None:
    subject = budget(pool, daily=1.0)
    reservation = await subject.reserve("ann", 1.0)
    assert reservation is not None

    await subject.settle(reservation, 0.25)

    assert (await subject.spent_today()).usd == 0.25
    assert await reserve(subject, 0.75, 0.01) == [True, False]


async def test_a_request_that_cost_more_than_was_set_aside_counts_whole(pool: Pool) -> None:
    subject = budget(pool, daily=1.0)
    reservation = await subject.reserve("ann", 0.5)
    assert reservation is not None

    await subject.settle(reservation, 2.0)

    assert (await subject.spent_today()).usd == 2.0
    assert await reserve(subject, 0.01) == [False]


async def test_a_new_day_begins_with_nothing_spent_and_yesterday_is_settled_as_yesterday(pool: Pool) -> None:
    subject = budget(pool, daily=1.0)
    await reserve(subject, 1.0)
    ((day,),) = await rows(pool, "update spending set day = day - 1 where asker = '' returning day")
    await rows(pool, "update spending set day = day - 1 where asker <> '' returning day")
    await rows(pool, "update notice set day = day - 1 returning day")

    assert await reserve(subject, 1.0, 1.0) == [True, False]
    await subject.settle(Reservation(day, "ann", 1.0), 0.5)
    assert await rows(pool, "select usd from spending where asker = '' order by day") == [(0.5,), (1.0,)]


@pytest.mark.parametrize(("daily", "person"), [(1.0, NO_CAP), (NO_CAP, 0.1)])
async def test_twenty_at_once_never_pass_a_cap(pool: Pool, database_url: str, daily: float, person: float) -> None:
    async def ask(subject: PostgresBudget, number: int) -> bool:
        reservation = await subject.reserve(f"person {number % 10}", 0.0625)
        if reservation and number % 2:
            await subject.settle(reservation, 0.0625)
        return reservation is not None

    async with open_pool(database_url) as second:
        subjects = [budget(one, daily=daily, person=person) for one in (pool, second)]
        async with asyncio.timeout(30):
            done = await asyncio.gather(*(ask(subjects[number // 2 % 2], number) for number in range(20)))

    assert sum(done) == (16 if daily == 1.0 else 10)
    assert (await budget(pool).spent_today()).usd == sum(done) * 0.0625


async def test_the_operator_is_told_once_a_day_of_each_cap(pool: Pool, caplog: pytest.LogCaptureFixture) -> None:
    subject, full = budget(pool, daily=NO_CAP, person=1.0), budget(pool, daily=1.0)
    for asker in ("ann", "bob", "ann"):
        await reserve(subject, 1.0, 1.0, asker=asker)
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        await asyncio.gather(*(reserve(full, 1.0, asker="eve") for _ in range(5)))

    notices = await PostgresNotices(pool).newest(10)
    assert [record.getMessage() for record in caplog.records] == [notices[0].text]
    assert "the spending cap of $1.00 a day is reached for everybody" in notices[0].text
    assert [notice.topic for notice in notices] == ["spending", "spending:bob", "spending:ann"]
    assert (await subject.spent_today()).people_at_cap == 2


async def test_the_newest_notices_come_first(pool: Pool) -> None:
    notices = PostgresNotices(pool)
    posted = [await notices.post(topic, text) for topic, text in [("a", "1"), ("b", "2"), ("a", "3")]]

    assert posted == [True, True, False]
    assert [(notice.topic, notice.text) for notice in await notices.newest(2)] == [("b", "2"), ("a", "1")]
    assert len(await notices.newest(1)) == 1
