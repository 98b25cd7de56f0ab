"""All that can go wrong between us and a Messages API: told in time, told once, and without the key."""

import asyncio
import logging
from contextlib import aclosing

import pytest

from bot.core.answer import Finish
from bot.core.errors import AnswererDown
from bot.llm.claude.answerer import build
from bot.llm.claude.settings import ClaudeSettings
from tests.scenario.claude_talks import KEY, MODES, SHORT_PATIENCE_S, TASK, down, events_of, talking, texts
from tests.wire.anthropic import Block, Fault, Honest, Plan, compatible
from tests.wire.anthropic.models.pace import Slow, StopsMidSentence

# How much later than promised a busy machine may be.
SLACK_S = 0.6


@pytest.mark.parametrize("fault", [Fault.overloaded(), Fault.server_error(), Fault.html(502), Fault.rate_limited(0.1)])
async def test_what_passes_in_a_moment_is_tried_again(fault: Fault) -> None:
    async with talking(Honest(), mode="citations") as (answerer, server):
        server.answer_next_with(fault)
        events = await events_of(answerer)

    waited_s = server.messages[1].at_s - server.messages[0].at_s
    assert events[-1] == Finish("done")
    assert waited_s >= 0.1


@pytest.mark.parametrize("fault", [Fault.cut(0), Fault.error_event(0)])
async def test_a_stream_that_brought_nothing_is_tried_again(fault: Fault) -> None:
    async with talking(Honest(), mode="citations") as (answerer, server):
        server.answer_next_with(fault)

        assert (await events_of(answerer))[-1] == Finish("done")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "fault",
    [
        Fault.overloaded(),
        Fault.server_error(),
        Fault.html(502),
        Fault.html(200),
        Fault.silent(),
        Fault.cut(0),
        Fault.cut(1),
        Fault.cut(5),
        Fault.stalled(0),
        Fault.stalled(1),
        Fault.stalled(5),
        Fault.error_event(1),
        Fault.error_event(5),
        Fault.malformed(0),
        Fault.malformed(5),
        Fault.rate_limited(1.9),
        Fault.spend_cap(),
        *map(Fault.error, ("invalid_request_error", "authentication_error", "permission_error", "not_found_error")),
    ],
    ids=lambda fault: f"{fault.kind or fault.page or fault.breaks}-{fault.after_events}"[:30],
)
async def test_an_outage_at_any_point_is_told_in_time(mode: str, fault: Fault) -> None:
    async with talking(Honest(), MODES[mode], mode=mode, patience_s=SHORT_PATIENCE_S) as (answerer, server):
        server.answer_next_with(fault, times=None)
        _, seconds = await down(answerer)

    assert seconds < SHORT_PATIENCE_S * 8 / 6 + SLACK_S


@pytest.mark.parametrize("fault", [Fault.spend_cap(), Fault.rate_limited(1.9), Fault.error("authentication_error")])
async def test_what_does_not_pass_in_time_is_not_tried_again(fault: Fault) -> None:
    async with talking(Honest(), mode="citations", patience_s=1.5) as (answerer, server):
        server.answer_next_with(fault, times=None)
        _, seconds = await down(answerer)

    assert len(server.messages) == 1
    assert seconds < 1


async def test_a_server_that_is_gone_is_told_in_time() -> None:
    settings = ClaudeSettings(base_url="http://127.0.0.1:9", patience_s=SHORT_PATIENCE_S)
    async with build(settings, environment={}) as answerer:
        _, seconds = await down(answerer)

    assert seconds < SHORT_PATIENCE_S + SLACK_S


async def test_an_answer_that_begun_is_not_tried_again() -> None:
    async with talking(StopsMidSentence(Honest(openings={}), "cut"), mode="citations") as (answerer, server):
        events, _ = await down(answerer)

    assert texts(events) == ["The VPN drops after 25 minutes."]
    assert len(server.messages) == 1


async def test_an_answer_that_goes_on_and_on_ends_with_its_deadline() -> None:
    endless = Plan(tuple(Block("One more word and ", delta_wait_s=0.1) for _ in range(50)))
    async with talking(lambda _: endless, mode="citations", deadline_s=1) as (answerer, _):
        _, seconds = await down(answerer)

    assert 0.9 < seconds < 1 + SLACK_S


async def test_after_three_failures_nobody_waits() -> None:
    async with talking(Honest(), mode="citations", patience_s=SHORT_PATIENCE_S) as (answerer, server):
        server.answer_next_with(Fault.silent(), times=None)
        waits = [(await down(answerer))[1] for _ in range(4)]

    assert min(waits[:3]) > SHORT_PATIENCE_S * 0.9
    assert waits[3] < SHORT_PATIENCE_S / 2


async def test_requests_that_are_no_good_keep_no_other_question_from_being_answered() -> None:
    async with talking(Honest(), mode="citations") as (answerer, server):
        server.answer_next_with(*[Fault.error("invalid_request_error")] * 4)
        for _ in range(4):
            await down(answerer)

        assert (await events_of(answerer))[-1] == Finish("done")


async def test_a_probe_without_an_answer_decides_nothing() -> None:
    async with talking(Honest(), compatible()) as (answerer, server):
        server.answer_next_with(Fault.error("permission_error"))
        await down(answerer)

        assert texts(await events_of(answerer))


@pytest.mark.parametrize("path", ["/v1/models/", "/v1/messages"])
async def test_a_silent_probe_takes_no_longer_than_patience_allows(path: str) -> None:
    async with talking(Honest(), compatible(), patience_s=SHORT_PATIENCE_S) as (answerer, server):
        server.answer_next_with(Fault.silent(), times=None, path=path)
        _, seconds = await down(answerer)

    assert seconds < SHORT_PATIENCE_S + SLACK_S


@pytest.mark.parametrize("how", ["closed", "cancelled"])
async def test_leaving_an_answer_ends_its_request(how: str) -> None:
    async with talking(Slow(Honest(sentences=3), piece_s=0.1), mode="citations", patience_s=2) as (answerer, server):
        if how == "closed":
            async with aclosing(answerer.answer(TASK)) as events:
                await anext(events)
        else:
            asking = asyncio.create_task(events_of(answerer))
            await asyncio.sleep(0.3)
            asking.cancel()
            await asyncio.wait([asking])
        await asyncio.sleep(0.3)

        assert len(server.hang_ups) == 1


async def test_one_connection_serves_many_questions(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with talking(Honest(), mode="citations") as (answerer, _):
        for _ in range(3):
            await events_of(answerer)

    assert [record.getMessage().split()[0] for record in caplog.records].count("connect_tcp.started") == 1


@pytest.mark.parametrize(
    "fault", [None, Fault.silent(), Fault.error("authentication_error", f"{KEY} is no key"), Fault.malformed(2)]
)
async def test_the_key_is_in_no_log_and_in_no_error(
    fault: Fault | None, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    said = ""
    async with talking(Honest(), mode="citations", patience_s=2) as (answerer, server):
        server.answer_next_with(*[fault] if fault else [], times=None)
        try:
            await events_of(answerer)
        except AnswererDown as exc:
            said = f"{exc} {exc.__cause__} {exc.__cause__ and exc.__cause__.__cause__}"

    logged = "\n".join(f"{record.getMessage()} {record.__dict__}" for record in caplog.records)
    assert KEY not in said + logged + "".join(capsys.readouterr())


async def test_the_spending_limit_is_told_to_the_operator_once(caplog: pytest.LogCaptureFixture) -> None:
    async with talking(Honest(), mode="citations") as (answerer, server):
        server.answer_next_with(Fault.spend_cap(), times=None)
        for _ in range(3):
            await down(answerer)

    errors = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(errors) == 1
    assert "spending limit" in errors[0]
