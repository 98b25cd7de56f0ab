"""Daily caps on what the model may cost: at a cap answers come in the pages' own words, and the operator hears."""

import asyncio
from pathlib import Path

import pytest

from bot.core.messages import Reply
from tests.scenario.model_desk import QUESTIONS, Answer, ModelDesk, Place, open_model_desk
from tests.wire.anthropic import Absent, Fault, Honest, Slow

QUESTION = QUESTIONS["en"]
MODEL = Honest(openings={})
# Dear enough that one answer costs a cent or more, and a cap is soon full.
PRICES: Answer = {"input_usd_per_million": 10.0, "output_usd_per_million": 50.0, "max_input_tokens": 2_000}
MOST_USD = (2_000 * 10 * 1.25 + 1_024 * 50) / 1e6


@pytest.fixture
def place(embedded_home: Path, database_url: str, tmp_path: Path) -> Place:
    return Place(embedded_home, database_url, tmp_path)


def caps(daily_usd: float, *, person_usd: float | None = None) -> str:
    return f"[budget]\ndaily_usd = {daily_usd}\ndaily_usd_per_person = {person_usd or daily_usd}"


async def spent(desk: ModelDesk) -> dict[str, float]:
    """Return what the database holds as spent today, by asker."""
    async with desk.desk.base.pool.connection() as connection:
        rows = await connection.execute("select asker, usd from spending where day = (now() at time zone 'utc')::date")
        return {str(asker): float(usd) for asker, usd in await rows.fetchall()}


async def topics(desk: ModelDesk) -> list[str]:
    return [notice.topic for notice in await desk.desk.base.notices.newest(10)]


def usd(*replies: Reply) -> float:
    return sum(call.usd for reply in replies for call in reply.calls)


@pytest.mark.parametrize("daily_usd", [0.0, MOST_USD / 2])
async def test_at_the_cap_the_pages_own_words_answer_and_one_notice_is_given(
    place: Place, daily_usd: float, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_model_desk(place, MODEL, settings=caps(daily_usd), answer=PRICES) as desk:
        replies = [(await desk.ask(question)).reply for question in QUESTIONS.values()]

        assert (desk.server.messages, await topics(desk)) == ([], ["spending"])
    assert {reply.answerer for reply in replies} == {"extractive"}
    assert all(reply.sentences for reply in replies)
    assert len([record for record in caplog.records if "spending cap" in record.getMessage()]) == 1


async def test_the_model_answers_until_the_cap_and_what_it_cost_is_what_is_written_down(place: Place) -> None:
    cap = 2 * MOST_USD
    async with open_model_desk(place, MODEL, settings=caps(cap), answer=PRICES) as desk:
        replies = [(await desk.ask(QUESTION)).reply for _ in range(20)]

        held = await spent(desk)
    by = [reply.answerer for reply in replies]
    assert by == sorted(by)
    assert set(by) == {"claude", "extractive"}
    assert held == {"": pytest.approx(usd(*replies)), "ann": pytest.approx(usd(*replies))}
    assert cap - MOST_USD < held[""] <= cap


async def test_a_person_at_the_own_cap_takes_nothing_from_others(place: Place) -> None:
    async with open_model_desk(place, MODEL, settings=caps(10, person_usd=MOST_USD), answer=PRICES) as desk:
        by = [(await desk.ask(QUESTION, asker=asker)).reply.answerer for asker in ("ann", "ann", "ben", "ann", "ben")]

        assert await topics(desk) == ["spending:ben", "spending:ann"]
    assert by == ["claude", "extractive", "claude", "extractive", "extractive"]


async def test_the_next_day_begins_with_nothing_spent(place: Place) -> None:
    async with open_model_desk(place, MODEL, settings=caps(MOST_USD), answer=PRICES) as desk:
        today = [(await desk.ask(QUESTION)).reply.answerer for _ in range(2)]
        async with desk.desk.base.pool.connection() as connection:
            await connection.execute("update spending set day = day - 1")
        tomorrow = (await desk.ask(QUESTION)).reply.answerer

    assert (today, tomorrow) == (["claude", "extractive"], "claude")


async def test_questions_at_the_same_time_never_pass_a_cap_together(place: Place) -> None:
    cap, slow = 3.5 * MOST_USD, Slow(MODEL, sentence_s=0.3)
    async with open_model_desk(place, slow, settings=caps(cap), answer=PRICES) as desk:
        shared = {"base_url": desk.server.url, **PRICES}
        async with open_model_desk(place, slow, settings=caps(cap), answer=shared) as other:
            asking = [one.ask(QUESTION, asker=f"person {at}") for at in range(6) for one in (desk, other)]
            replies = [outcome.reply for outcome in await asyncio.gather(*asking)]
            held = await spent(desk)

    assert len(desk.server.messages) == 3
    assert [reply.answerer for reply in replies].count("claude") == 3
    assert all(reply.sentences for reply in replies)
    assert held[""] == pytest.approx(usd(*replies))


@pytest.mark.parametrize(
    ("fault", "cost"),
    [
        (Fault.silent(), 0.0),
        (Fault.spend_cap(), 0.0),
        (Fault.cut(0), 0.0),
        (Fault.cut(20), None),
        (Fault.refusal(), None),
    ],
    ids=["silent", "spending limit", "cut at once", "cut later", "refused"],
)
async def test_a_call_that_failed_costs_what_it_used(place: Place, fault: Fault, cost: float | None) -> None:
    async with open_model_desk(place, MODEL, settings=caps(10), answer=PRICES) as desk:
        desk.server.answer_next_with(fault, times=None)
        reply = (await desk.ask(QUESTION)).reply

        held = (await spent(desk))[""]
    assert held == pytest.approx(usd(reply))
    assert held == cost if cost is not None else 0 < held < MOST_USD


async def test_what_a_question_cost_that_was_handed_over_stands_in_its_ticket(place: Place) -> None:
    async with open_model_desk(place, Absent("<absent/>"), settings=caps(10), answer=PRICES) as desk:
        reply = (await desk.ask(QUESTION)).reply
        async with desk.desk.base.pool.connection() as connection:
            row = await (await connection.execute("select (calls->0->>'usd')::float from ticket")).fetchone()

        assert row == (pytest.approx((await spent(desk))[""]),)
    assert reply.calls
