"""Words come from the model or from the documents; what leaves is borne out either way."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from bot.core.answer import Claim, Event, Finish, Task
from bot.core.cite import CitePolicy
from bot.core.errors import AnswererDown
from bot.core.messages import Call
from bot.core.verify.check import Verifier
from bot.core.wording import Worded, Wording
from knowledge.types import Evidence, Reader, Relevance
from tests.fakes.core import FakeAnswerer, FakeBudget, FakeStanding, FakeWatcher, claim, quoting
from tests.fakes.evidence import evidence, hit

FIRST, SECOND = "The PIN has six digits.", "It expires after three days."
TASK = Task("How many digits has the PIN?", "en", [evidence(f"{FIRST} {SECOND}")])
DONE = Finish("done")


async def word(
    model: FakeAnswerer | None,
    *,
    own_words: FakeAnswerer | None = None,
    budget: FakeBudget | None = None,
    watcher: FakeWatcher | None = None,
    task: Task = TASK,
) -> Worded:
    wording = Wording(
        model=model,
        own_words=own_words or quoting(FIRST),
        verifier=Verifier(),
        standing=FakeStanding(),
        budget=budget or FakeBudget(),
        policy=CitePolicy(),
    )
    return await wording.word(task, reader=Reader(), asker="ann", watcher=watcher)


def model(*events: Event | Exception | str) -> FakeAnswerer:
    """Return a model that says sentences (each citing the piece that it is), or lets other events happen."""

    def script(task: Task) -> Iterable[Event | Exception]:
        return [claim(task, event) if isinstance(event, str) else event for event in events]

    return FakeAnswerer(script, name="model", most_usd=0.5)


def texts(worded: Worded) -> list[str]:
    return [sentence.text for sentence in worded.answer.sentences] if worded.answer else []


async def test_a_borne_out_answer_of_the_model_is_given() -> None:
    worded = await word(model(FIRST, SECOND, DONE))

    assert (texts(worded), worded.reason) == ([FIRST, SECOND], None)
    assert worded.answer is not None
    assert worded.answer.answerer == "model"


@pytest.mark.parametrize(
    ("events", "attempts"),
    [
        ((AnswererDown("down"),), 1),
        ((FIRST, AnswererDown("cut")), 1),
        ((FIRST,), 1),
        ((Finish("refused"),), 1),
        ((FIRST, Finish("refused")), 1),
        ((DONE,), 2),
        ((FIRST, Finish("cut")), 2),
        (("Parking is free for everybody.", DONE), 2),
        (("ПИН-код состоит из шести цифр, и это важно знать.", DONE), 2),
    ],
)
async def test_where_the_model_fails_the_documents_own_words_answer(
    events: tuple[Event | Exception | str, ...], attempts: int
) -> None:
    subject, watcher = model(*events), FakeWatcher()

    worded = await word(subject, watcher=watcher)

    assert (texts(worded), len(subject.tasks)) == ([FIRST], attempts)
    assert worded.answer is not None
    assert worded.answer.answerer == "fake"
    assert watcher.shown[-1] == [FIRST]


@pytest.mark.parametrize(
    ("event", "reason"),
    [(AnswererDown("down"), "outage"), (Finish("refused"), "refused"), (DONE, "unsupported")],
)
async def test_where_neither_answers_a_person_is_asked_and_told_why(event: Event | Exception, reason: str) -> None:
    worded = await word(model(event), own_words=quoting())

    assert (worded.answer, worded.reason) == (None, reason)


async def test_the_second_attempt_is_told_to_be_better() -> None:
    def script(task: Task) -> Iterable[Event]:
        return [claim(task, FIRST if task.attempt == 2 else "Wrong."), DONE]

    subject = FakeAnswerer(script, name="model")
    worded = await word(subject)

    assert [task.attempt for task in subject.tasks] == [1, 2]
    assert texts(worded) == [FIRST]


async def test_nothing_unsupported_is_shown_even_for_a_moment() -> None:
    watcher = FakeWatcher()
    lies = ["The PIN has seven digits.", "Parking is free.", "It never expires."]

    def script(task: Task) -> Iterable[Event]:
        yield claim(task, FIRST)
        yield from (claim(task, lie, FIRST) for lie in lies)
        yield claim(task, SECOND)
        yield DONE

    worded = await word(FakeAnswerer(script, name="model"), watcher=watcher)

    assert {text for shown in watcher.shown for text in shown} <= {FIRST, SECOND}
    assert {rejected.text for rejected in worded.rejected} >= set(lies)


async def test_what_is_shown_grows_sentence_by_sentence() -> None:
    watcher = FakeWatcher()

    await word(model(FIRST, SECOND, DONE), watcher=watcher)

    assert watcher.shown == [[FIRST], [FIRST, SECOND]]


async def test_a_model_that_finds_no_answer_leads_to_a_person() -> None:
    worded = await word(model(Finish("absent")))

    assert (worded.answer, worded.reason) == (None, "absent")


async def test_a_plain_sentence_that_the_answer_is_absent_counts_as_such() -> None:
    worded = await word(model(Claim("The documents do not mention this.", ()), DONE))

    assert (worded.answer, worded.reason) == (None, "absent")


async def test_a_partial_answer_names_what_is_open() -> None:
    task = Task("How many digits has the PIN, and who chose them?", "en", TASK.evidence)

    worded = await word(model(FIRST, Finish("done", missing="who chose them")), task=task)

    assert worded.answer is not None
    assert (texts(worded), worded.answer.missing) == ([FIRST], "who chose them")


async def test_at_the_cap_no_model_is_asked() -> None:
    subject = model(FIRST, DONE)

    worded = await word(subject, budget=FakeBudget(0.4))

    assert (texts(worded), subject.tasks) == ([FIRST], [])


async def test_what_a_call_cost_takes_the_place_of_what_was_set_aside() -> None:
    budget = FakeBudget(1.0)
    early, late = Call("m", "p", input_tokens=9, usd=0.01), Call("m", "p", input_tokens=9, output_tokens=3, usd=0.1)

    worded = await word(model(early, FIRST, late, DONE), budget=budget)

    assert [spent for _, spent in budget.settled] == [0.1]
    assert worded.calls == (late,)


async def test_other_documents_that_contradict_the_answer_are_quoted_beside_it() -> None:
    pieces = [
        evidence("The refund period is 30 days.", document="refunds.md"),
        Evidence(replace(hit("The refund period is 90 days.", document="rumours.md"), passage_id=2), Relevance(0.8)),
    ]
    task = Task("How long is the refund period?", "en", pieces)

    worded = await word(None, own_words=quoting("The refund period is 30 days."), task=task)

    assert worded.answer is not None
    assert worded.answer.conflicting
    assert texts(worded) == ["The refund period is 30 days.", "The refund period is 90 days."]
