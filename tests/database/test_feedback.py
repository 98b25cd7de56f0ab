"""A person's last word on an answer counts, where the answer was given."""

from dataclasses import replace

import pytest

from bot.core.feedback import Verdict
from bot.core.incoming import Company, Incoming, Origin, Place
from bot.core.messages import Answer
from bot.store.conversations import conversations_overview
from bot.store.feedback import PostgresFeedback
from bot.store.journal import PostgresJournal
from knowledge.store.pool import Pool
from knowledge.types import Reader
from tests.database.stored_answers import quoting, reply_of, said
from tests.database.stored_messages import PLACE, Conversations, heard

ANSWER = Answer((said("The code is 7.", quoting("The code is 7.")),), "claude")
ELSEWHERE = [Place("fake", "T1", "C2"), Place("fake", "T2", "C1"), Place("other", "T1", "C1")]


@pytest.fixture
def feedback(pool: Pool) -> PostgresFeedback:
    return PostgresFeedback(pool)


async def answered(talk: Conversations, incoming: Incoming | None = None) -> tuple[int, str]:
    """Answer a message; return the answer's number and the platform's name of its last part."""
    question = await talk.heard_and_taken(incoming or heard("1"))
    reply = replace(reply_of(ANSWER), message=question.number)
    number = await PostgresJournal(talk.pool).record(reply, Reader())
    await talk.answer(question, "A.", "B.")
    ((name,),) = await talk.change("select sent_as from parcel order by message_id desc, position desc limit 1")
    return number, name


async def verdicts(talk: Conversations) -> tuple[int, int]:
    """Return how many verdicts operators see, good and bad."""
    overview = await conversations_overview(talk.pool)
    return overview.good, overview.bad


async def test_the_last_click_counts_and_an_earlier_reason_with_it_only_for_the_same(
    talk: Conversations, feedback: PostgresFeedback
) -> None:
    number, _ = await answered(talk)

    async def judge(verdict: Verdict) -> list[tuple[str, str | None]]:
        assert await feedback.judge(number, place=PLACE, actor="U2", verdict=verdict)
        return [(verdict, reason) for verdict, reason in await talk.change("select verdict, reason from feedback")]

    first = await judge("bad")
    assert await feedback.explain(number, place=PLACE, actor="U2", reason="outdated", comment="x\0" * 4_000)
    again = await judge("bad")

    assert (first, again) == ([("bad", None)], [("bad", "outdated")])
    assert await judge("good") == [("good", None)]
    assert await verdicts(talk) == (1, 0)


@pytest.mark.parametrize("place", ELSEWHERE)
async def test_an_answer_is_judged_where_it_was_given_only(
    talk: Conversations, feedback: PostgresFeedback, place: Place
) -> None:
    """S32."""
    number, name = await answered(talk)
    await feedback.judge(number, place=PLACE, actor="U1", verdict="good")

    assert not await feedback.judge(number, place=place, actor="U1", verdict="bad")
    assert not await feedback.explain(number, place=place, actor="U1", reason="outdated", comment=None)
    assert not await feedback.react(place, name, actor="U1", verdict="bad")
    assert not await feedback.react(place, name, actor="U1", verdict=None)
    assert await verdicts(talk) == (1, 0)


@pytest.mark.parametrize(("origin", "company"), [("command", "public"), ("message", "direct")])
async def test_what_one_person_was_answered_is_judged_by_nobody_else(
    talk: Conversations, feedback: PostgresFeedback, origin: Origin, company: Company
) -> None:
    number, _ = await answered(talk, heard("1", origin=origin, company=company))

    assert not await feedback.judge(number, place=PLACE, actor="U2", verdict="bad")
    assert await feedback.judge(number, place=PLACE, actor="U1", verdict="good")


async def test_there_is_nothing_to_explain_without_a_verdict(talk: Conversations, feedback: PostgresFeedback) -> None:
    number, _ = await answered(talk)

    assert not await feedback.explain(number, place=PLACE, actor="U1", reason="outdated", comment=None)
    assert not await feedback.judge(number + 1, place=PLACE, actor="U1", verdict="bad")


async def test_a_reaction_is_a_verdict_and_can_be_taken_back(talk: Conversations, feedback: PostgresFeedback) -> None:
    _, name = await answered(talk)

    assert await feedback.react(PLACE, name, actor="U1", verdict="bad")
    assert await feedback.react(PLACE, name, actor="U2", verdict="bad")
    both = await verdicts(talk)
    assert await feedback.react(PLACE, name, actor="U1", verdict=None)

    assert (both, await verdicts(talk)) == ((0, 2), (0, 1))
    assert not await feedback.react(PLACE, "1", actor="U1", verdict="bad")


@pytest.mark.parametrize(
    ("pressed", "is_told"),
    [
        (heard("9", origin="button", author="U2"), True),
        (heard("9", origin="button", place=ELSEWHERE[0]), False),
        (heard("9", origin="button", place=ELSEWHERE[1]), False),
    ],
)
async def test_a_person_is_handed_the_question_of_an_answer_that_was_given_here(
    talk: Conversations, pressed: Incoming, is_told: bool
) -> None:
    number, _ = await answered(talk)
    button = await talk.heard_and_taken(pressed)

    found = await talk.inbox.answered(button.number, number, button.incoming.author)

    assert found == ("What?" if is_told else None)
    assert await talk.inbox.answered(button.number, 10**30, "U1") is None


@pytest.mark.parametrize(("origin", "company"), [("command", "public"), ("message", "direct")])
async def test_nobody_is_handed_the_question_of_an_answer_to_another_person_alone(
    talk: Conversations, origin: Origin, company: Company
) -> None:
    number, _ = await answered(talk, heard("1", origin=origin, company=company))
    button = await talk.heard_and_taken(heard("9", origin="button", author="U2"))

    found = [await talk.inbox.answered(button.number, number, actor) for actor in ("U1", "U2")]

    assert found == ["What?", None]
