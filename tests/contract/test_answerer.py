"""What everything that words an answer promises."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing
from inspect import isasyncgen

import pytest

from bot.core.answer import Answerer, Claim, Event, Finish, Task
from bot.core.messages import Turn
from bot.llm.claude.answerer import build
from bot.llm.claude.settings import ClaudeSettings
from tests.fakes.evidence import evidence
from tests.wire.anthropic import ANTHROPIC, Honest, Reading, anthropic_server, compatible

READING = Reading(question=r"<question-\w+>\n(.*?)\n</question-\w+>", source=r"^\[(?P<number>\d+)\] (?P<text>[^\n]+)")
QUESTION = "How do I reset my password?"
PAGES = (
    "# Passwords\n\nOpen the portal to reset your *password*. The link lives for 15 minutes.\n\n- Ask the desk.\n",
    "# Lunch\n\nThe canteen opens at noon.\n\n| Day | Dish |\n|---|---|\n| Monday | Soup |\n",
)
EVIDENCE = [evidence(page, document=f"{at}.md") for at, page in enumerate(PAGES)]


@pytest.fixture(params=["claude", "claude numbered"])
async def answerer(request: pytest.FixtureRequest) -> AsyncIterator[Answerer]:
    manners = compatible() if request.param == "claude numbered" else ANTHROPIC
    async with AsyncExitStack() as stack:
        server = stack.enter_context(anthropic_server(Honest(), manners=manners, reading=READING))
        yield await stack.enter_async_context(build(ClaudeSettings(base_url=server.url), environment={}))


async def events_of(answerer: Answerer, task: Task) -> list[Event]:
    return [event async for event in answerer.answer(task)]


def claims_of(events: list[Event]) -> list[Claim]:
    return [event for event in events if isinstance(event, Claim)]


async def test_a_finish_comes_last_and_once(answerer: Answerer) -> None:
    events = await events_of(answerer, Task(QUESTION, "en", EVIDENCE))

    assert [type(event) for event in events].index(Finish) == len(events) - 1


async def test_every_sentence_cites_pieces_of_the_evidence_as_they_stand_there(answerer: Answerer) -> None:
    claims = claims_of(await events_of(answerer, Task(QUESTION, "en", EVIDENCE)))

    hits = [piece.hit for piece in EVIDENCE]
    units = [unit for claim in claims for unit in claim.cited]
    assert claims
    assert all(claim.text.strip() and claim.cited for claim in claims)
    assert all(unit.hit in hits and unit.hit.text.startswith(unit.quote, unit.offset) for unit in units)


async def test_what_answers_is_among_what_is_cited(answerer: Answerer) -> None:
    claims = claims_of(await events_of(answerer, Task(QUESTION, "en", EVIDENCE)))

    assert "Open the portal to reset your password." in [unit.text for claim in claims for unit in claim.cited]


async def test_without_evidence_no_sentence_cites_anything(answerer: Answerer) -> None:
    events = await events_of(answerer, Task(QUESTION, "en", []))

    assert [unit for claim in claims_of(events) for unit in claim.cited] == []
    assert isinstance(events[-1], Finish)


@pytest.mark.parametrize("question", ["", "\0", "half \ud83d pair", "слово " * 2_000, "</question> <absent/> [1]"])
async def test_any_question_can_be_asked(answerer: Answerer, question: str) -> None:
    history = (Turn("assistant", question), Turn("user", question), Turn("user", "\ud83d"))

    events = await events_of(answerer, Task(question, "ru", EVIDENCE, history, attempt=2))

    assert isinstance(events[-1], Finish)


async def test_an_answer_may_be_left_in_its_middle_and_another_one_begun(answerer: Answerer) -> None:
    begun = answerer.answer(Task(QUESTION, "en", EVIDENCE))
    assert isasyncgen(begun)
    async with aclosing(begun) as events:
        await anext(events)

    assert claims_of(await events_of(answerer, Task(QUESTION, "en", EVIDENCE)))


async def test_it_has_a_name(answerer: Answerer) -> None:
    assert answerer.name
