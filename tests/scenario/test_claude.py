"""Claude's SDK against a Messages API on loopback: what it is sent, and what comes of its answers."""

import json
import time
from collections.abc import Mapping

import pytest

from bot.core.answer import Claim, Finish
from bot.core.messages import Call
from bot.llm.claude.answerer import build
from bot.llm.claude.settings import ClaudeSettings
from knowledge.errors import SettingsProblem
from tests.scenario.claude_talks import MODES, READING, TASK, events_of, talking, texts
from tests.wire.anthropic import (
    ANTHROPIC,
    Block,
    Catalogue,
    Fault,
    Honest,
    Manners,
    Model,
    Plan,
    anthropic_server,
    compatible,
)
from tests.wire.anthropic.models.pace import Absent, Slow, StopsMidSentence


@pytest.mark.parametrize("mode", MODES)
async def test_an_honest_models_sentences_come_with_the_units_that_say_them(mode: str) -> None:
    async with talking(Honest(openings={}), MODES[mode]) as (answerer, _):
        claims = [event for event in await events_of(answerer) if isinstance(event, Claim)]

    assert [(claim.text, [unit.text for unit in claim.cited]) for claim in claims] == [
        ("The VPN drops after 25 minutes.", ["The VPN drops after 25 minutes."]),
        ("Restart the VPN client.", ["Restart the VPN client."]),
    ]


@pytest.mark.parametrize("mode", MODES)
async def test_a_sentence_comes_as_soon_as_the_model_has_finished_it(mode: str) -> None:
    model = Slow(Honest(sentences=3, openings={}), sentence_s=0.3)
    arrived: dict[str, float] = {}
    async with talking(model, MODES[mode]) as (answerer, server):
        async for event in answerer.answer(TASK):
            if isinstance(event, Claim):
                arrived[event.text] = time.monotonic()

    delays = {text: arrived[text] - finished for text, finished in server.finished if text in arrived}
    assert len(delays) == 3
    assert max(delays.values()) < 0.15


@pytest.mark.parametrize("mode", MODES)
async def test_only_what_a_reader_sees_is_sent(mode: str) -> None:
    async with talking(Honest(), MODES[mode]) as (answerer, server):
        await events_of(answerer)

    body = json.dumps(server.requests[-1].json, ensure_ascii=False)
    assert "Restart the VPN client." in body
    assert "Say yes" not in body
    assert "vpn.md" not in body


async def test_two_requests_have_different_fences_and_the_same_rules() -> None:
    async with talking(Honest(), mode="citations") as (answerer, server):
        await events_of(answerer)
        await events_of(answerer)

    first, second = (request.json for request in server.messages)
    assert first["system"] == second["system"]
    assert first["messages"] != second["messages"]


async def test_what_a_request_used_is_told_when_it_begins_and_when_it_ends() -> None:
    async with talking(Honest(), mode="citations", input_usd_per_million=10, output_usd_per_million=20) as (
        answerer,
        _,
    ):
        begun, ended = [event for event in await events_of(answerer) if isinstance(event, Call)]

    assert (begun.model, begun.prompt, begun.stop_reason) == ("claude-sonnet-5-5", "answer-1/citations", None)
    assert begun.input_tokens + begun.cache_write_tokens > 0
    assert ended.stop_reason == "end_turn"
    assert ended.output_tokens > begun.output_tokens
    assert ended.usd == pytest.approx(
        (10 * (ended.input_tokens + 1.25 * ended.cache_write_tokens) + 20 * ended.output_tokens) / 1e6
    )
    assert 0 < begun.seconds <= ended.seconds


async def test_a_model_is_kept_from_thinking_before_its_first_words() -> None:
    async with talking(Honest(), effort="medium") as (answerer, server):
        await events_of(answerer)

    sent = server.messages[-1].json
    assert sent["thinking"] == {"type": "disabled"}
    assert sent["output_config"] == {"effort": "medium"}


async def test_a_server_that_tells_nothing_of_its_model_is_sent_no_more_than_it_must_know() -> None:
    async with talking(Honest(), compatible()) as (answerer, server):
        await events_of(answerer)

    assert set(server.messages[-1].json) == {"model", "max_tokens", "system", "messages", "stream"}


@pytest.mark.parametrize(
    ("model", "finish"),
    [
        (Honest(), Finish("done")),
        (Absent("<absent/>"), Finish("absent")),
        (Absent("<missing>when the VPN</missing>", Honest()), Finish("done", "when the VPN")),
        (Absent("<missing>call 555-1234</missing>", Honest()), Finish("done", "")),
        (StopsMidSentence(Honest(), "max_tokens"), Finish("cut")),
        (lambda _: Plan((), stop_reason="refusal"), Finish("refused")),
        (lambda _: Plan((), stop_reason="end_turn"), Finish("done")),
        (lambda _: Plan((Block(""),), stop_reason="stop_sequence"), Finish("done")),
        (lambda _: Plan((Block("Wait"),), stop_reason="pause_turn"), Finish("cut")),
        (lambda _: Plan((Block("Wait"),), stop_reason="model_context_window_exceeded"), Finish("cut")),
    ],
)
@pytest.mark.parametrize("mode", MODES)
async def test_how_a_model_stops_is_how_the_answer_ends(mode: str, model: Model, finish: Finish) -> None:
    async with talking(model, MODES[mode], mode=mode) as (answerer, _):
        events = await events_of(answerer)

    assert events[-1] == finish
    assert not [text for text in texts(events) if "<" in text or "Wait" in text]


@pytest.mark.parametrize("mode", MODES)
async def test_half_a_sentence_is_never_given_out(mode: str) -> None:
    async with talking(StopsMidSentence(Honest(openings={}), "max_tokens"), MODES[mode]) as (answerer, _):
        assert texts(await events_of(answerer)) == ["The VPN drops after 25 minutes."]


@pytest.mark.parametrize("fault", [Fault.no_citations(), Fault.unknown_source()])
async def test_citations_of_what_was_not_sent_are_dropped(fault: Fault) -> None:
    async with talking(Honest(), mode="citations") as (answerer, server):
        server.answer_next_with(fault)
        claims = [event for event in await events_of(answerer) if isinstance(event, Claim)]

    assert len(claims) == 2
    assert not any(claim.cited for claim in claims)


@pytest.mark.parametrize(
    ("manners", "probes", "mode"),
    [
        (ANTHROPIC, 0, "citations"),
        (compatible("refuse", "missing"), 1, "numbered"),
        (compatible("refuse", "plain"), 1, "numbered"),
        (compatible("ignore", "missing"), 1, "numbered"),
        (Manners(catalogue="missing"), 1, "citations"),
    ],
)
async def test_a_server_is_asked_once_whether_it_cites(manners: Manners, probes: int, mode: str) -> None:
    async with talking(Honest(), manners) as (answerer, server):
        first = await events_of(answerer)
        await events_of(answerer)

    assert len(server.messages) == probes + 2
    assert next(event.prompt for event in first if isinstance(event, Call)) == f"answer-1/{mode}"


@pytest.mark.parametrize(
    ("environment", "settings", "remedy"),
    [
        ({}, {}, "set it in the environment"),
        ({"ANTHROPIC_API_KEY": " "}, {}, "set it in the environment"),
        ({}, {"base_url": "localhost:8080"}, "write for instance http://"),
        ({"ANTHROPIC_BASE_URL": "http://[oops"}, {}, "write for instance http://"),
    ],
)
async def test_settings_that_cannot_work_are_told_at_start(
    environment: Mapping[str, str], settings: Mapping[str, str], remedy: str
) -> None:
    with pytest.raises(SettingsProblem, match=remedy):
        async with build(ClaudeSettings.model_validate(settings), environment=environment):
            pass


async def test_the_address_may_come_from_the_environment_and_needs_no_key() -> None:
    with anthropic_server(Honest(), manners=compatible(), reading=READING) as server:
        async with build(ClaudeSettings(), environment={"ANTHROPIC_BASE_URL": server.url}) as answerer:
            assert texts(await events_of(answerer))


async def test_a_check_tells_what_the_model_can_do() -> None:
    catalogue = Catalogue(lifecycle="deprecated", retires_at="2027-01-22T00:00:00Z")
    async with talking(Honest(), ANTHROPIC, catalogue) as (answerer, _):
        assert await answerer.check() == (
            "claude-sonnet-5-5, citations mode, up to 64000 tokens an answer, retires on 2027-01-22"
        )


async def test_a_check_of_a_compatible_server_asks_it_something() -> None:
    async with talking(Honest(), compatible(), model="local-7b") as (answerer, server):
        assert await answerer.check() == "local-7b, numbered mode, the server tells no limits"

    assert server.messages


@pytest.mark.parametrize(
    ("settings", "catalogue", "remedy"),
    [
        ({"model": "claude-none"}, Catalogue(), "correct `model`"),
        ({"max_output_tokens": 64_000}, Catalogue(max_tokens=8_000), "over what claude-sonnet-5-5 allows: 8000"),
        ({"mode": "citations"}, Catalogue(cites=False), 'set `mode = "numbered"`'),
        ({}, Catalogue(lifecycle="retired"), "is retired"),
    ],
)
async def test_a_check_tells_what_to_change(settings: Mapping[str, object], catalogue: Catalogue, remedy: str) -> None:
    async with talking(Honest(), ANTHROPIC, catalogue, **settings) as (answerer, _):
        with pytest.raises(SettingsProblem, match=remedy):
            await answerer.check()
