"""The model's provider fails at any point: the asker gets a whole, cited answer or a person, in time."""

import asyncio
from itertools import count
from pathlib import Path

import pytest

from tests.scenario.model_desk import (
    MODES,
    PAGES,
    QUESTIONS,
    Answer,
    ModelDesk,
    Outcome,
    Place,
    open_model_desk,
    untrue,
)
from tests.wire.anthropic import Fault, Honest
from tests.wire.anthropic.models.words import sentences

QUESTION = QUESTIONS["en"]
PROMISED_S = 10.0
# Short, so that the tests are; long enough for a loaded machine where the model is to answer again.
PATIENCE_S = 1.0
IMPATIENT: Answer = {"patience_s": PATIENCE_S}
# The first words may be waited for a little longer than anything else; the rest is for a loaded machine.
IN_TIME_S = PATIENCE_S * 1.25 + 1.5
AT_ONCE_S = 1.0
# A machine with much else to do may miss a deadline by itself.
TRIES = 3
WHOLE = {sentence.removeprefix("- ") for page in PAGES.values() for sentence in sentences(page)}
# A page that is found and says nothing that could be quoted.
ONLY_A_QUESTION = {"en/archive.md": "# The key of the archive\n\nWho has the key of the archive?\n"}
# These are tried again, or waited for, until patience ends.
SLOW_OUTAGES: dict[str, Fault] = {
    "500": Fault.server_error(),
    "529": Fault.overloaded(),
    "429, wait": Fault.rate_limited(0.2),
    "web page, 502": Fault.html(502),
    "error event at once": Fault.error_event(0),
    "stalled at once": Fault.stalled(0),
    "stalled before words": Fault.stalled(2),
}
OUTAGES: dict[str, Fault] = {
    "silent": Fault.silent(),
    "429, wait too long": Fault.rate_limited(1.9),
    "429, spending limit": Fault.spend_cap(),
    "401": Fault.error("authentication_error"),
    "404": Fault.error("not_found_error"),
    "400": Fault.error("invalid_request_error"),
    "web page, 200": Fault.html(200),
    "error event later": Fault.error_event(12),
    "malformed at once": Fault.malformed(0),
    "malformed later": Fault.malformed(12),
    "stalled later": Fault.stalled(12),
}
POOR_ANSWERS: dict[str, Fault] = {
    "refused": Fault.refusal(),
    "tokens used up": Fault.max_tokens(),
    "empty": Fault.empty_text_block(),
}
WRONG_CITATIONS: dict[str, Fault] = {
    "nothing cited": Fault.no_citations(),
    "unknown source": Fault.unknown_source(),
}


@pytest.fixture
def place(embedded_home: Path, database_url: str, tmp_path: Path) -> Place:
    return Place(embedded_home, database_url, tmp_path)


async def faults_of(desk: ModelDesk, outcome: Outcome) -> list[str]:
    """Return what is wrong with an answer that had to do without the model."""
    found = [why for one in outcome.seen if (why := await untrue(desk, one))]
    found += [f"half a sentence: {one.text}" for one in outcome.seen if one.text not in WHOLE]
    if not outcome.reply.sentences:
        found.append(f"no answer: {outcome.reply.reason}")
    if outcome.screen.last != outcome.reply.sentences:
        found.append("something else is left on the screen")
    if outcome.reply.answerer != "extractive":
        found.append(f"answered by {outcome.reply.answerer}")
    if outcome.seconds > IN_TIME_S:
        found.append(f"it took {outcome.seconds:.1f} s")
    return found


async def answered_again(desk: ModelDesk) -> Outcome:
    """Ask until the model answers, as it must now."""
    outcomes = [await desk.ask(QUESTION)]
    while outcomes[-1].reply.answerer != "claude":
        assert len(outcomes) < TRIES
        outcomes.append(await desk.ask(QUESTION))
    return outcomes[-1]


@pytest.mark.parametrize("mode", MODES)
async def test_whatever_fails_a_whole_cited_answer_comes_in_time_and_then_all_is_as_before(
    place: Place, mode: str
) -> None:
    wrong: dict[str, list[str]] = {}
    faults = SLOW_OUTAGES | OUTAGES | POOR_ANSWERS | WRONG_CITATIONS if mode == "citations" else OUTAGES | POOR_ANSWERS
    async with open_model_desk(place, Honest(openings={}), mode=mode, answer=IMPATIENT) as desk:
        as_always = await answered_again(desk)
        for name, fault in faults.items():
            desk.server.answer_next_with(fault, times=None)
            wrong[name] = await faults_of(desk, await desk.ask(QUESTION))
            desk.server.work_again()
            if (await answered_again(desk)).texts != as_always.texts:
                wrong[name].append("the answer is another one afterwards")

    assert {name: found for name, found in wrong.items() if found} == {}


async def test_a_stream_that_is_cut_anywhere_leaves_no_half_answer(place: Place) -> None:
    wrong: dict[int, list[str]] = {}
    async with open_model_desk(place, Honest(openings={}), answer=IMPATIENT) as desk:
        for events in count():
            desk.server.answer_next_with(Fault.cut(events), times=None)
            outcome = await desk.ask(QUESTION)
            desk.server.work_again()
            if outcome.reply.answerer == "claude":
                break
            wrong[events] = await faults_of(desk, outcome)
            await answered_again(desk)

    assert len(wrong) > 15
    assert {events: found for events, found in wrong.items() if found} == {}


async def test_nobody_at_the_address_is_an_outage_like_any_other(place: Place) -> None:
    async with open_model_desk(place, Honest(), answer={**IMPATIENT, "base_url": "http://127.0.0.1:9"}) as desk:
        assert await faults_of(desk, await desk.ask(QUESTION)) == []


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fault.silent(), "outage"),
        (Fault.spend_cap(), "outage"),
        (Fault.cut(3), "outage"),
        (Fault.refusal(), "refused"),
        (Fault.empty_text_block(), "unsupported"),
    ],
    ids=["silent", "spending limit", "cut", "refused", "empty"],
)
async def test_where_the_pages_own_words_give_nothing_a_person_is_asked(
    place: Place, fault: Fault, reason: str
) -> None:
    async with open_model_desk(place, Honest(), pages={**PAGES, **ONLY_A_QUESTION}, answer=IMPATIENT) as desk:
        desk.server.answer_next_with(fault, times=None)
        outcome = await desk.ask("Who has the key of the archive?")

        async with desk.desk.base.pool.connection() as connection:
            tickets = await (await connection.execute("select id, reason from ticket")).fetchall()
    assert (outcome.reply.decision, outcome.screen.last) == ("escalate", ())
    assert tickets == [(outcome.reply.ticket, reason)]
    assert outcome.seconds < IN_TIME_S


async def test_as_delivered_nobody_waits_ten_seconds(place: Place) -> None:
    async with open_model_desk(place, Honest(openings={}), answer={"patience_s": 6.0}) as desk:
        desk.server.answer_next_with(Fault.silent(), Fault.stalled(1), Fault.stalled(12))
        outcomes = await asyncio.gather(*(desk.ask(QUESTION) for _ in range(3)))

    assert [outcome.reply.answerer for outcome in outcomes] == ["extractive"] * 3
    assert max(outcome.seconds for outcome in outcomes) < PROMISED_S


class JumpingLoop(asyncio.SelectorEventLoop):
    """A loop whose clock a test can put forward."""

    ahead_s = 0.0

    def time(self) -> float:
        """Return the steady clock and what was added to it."""
        return super().time() + self.ahead_s


def test_a_provider_that_is_down_keeps_nobody_waiting_and_is_tried_again_by_itself(place: Place) -> None:
    async def play() -> tuple[list[Outcome], list[int]]:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, JumpingLoop)
        outcomes, calls = [], []
        async with open_model_desk(place, Honest(openings={}), answer=IMPATIENT) as desk:
            desk.server.answer_next_with(Fault.silent(), times=None)
            for ahead_s in (0, 0, 0, 0, 31, 0):
                loop.ahead_s += ahead_s
                outcomes.append(await desk.ask(QUESTION))
                calls.append(len(desk.server.messages))
            desk.server.work_again()
            for ahead_s in (0, 31, 0):
                loop.ahead_s += ahead_s
                outcomes.append(await desk.ask(QUESTION))
                calls.append(len(desk.server.messages))
        return outcomes, calls

    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        outcomes, calls = runner.run(play())

    assert calls == [1, 2, 3, 3, 4, 4, 4, 5, 6]
    assert [outcome.reply.answerer for outcome in outcomes] == ["extractive"] * 7 + ["claude"] * 2
    assert max(outcomes[at].seconds for at in (3, 5, 6, 7, 8)) < AT_ONCE_S
