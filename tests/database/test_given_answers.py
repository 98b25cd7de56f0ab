"""An answer is shown again where it was given, to those who saw it."""

from dataclasses import replace

import pytest

from bot.core.escalate import Handover
from bot.core.incoming import Company, Incoming, Origin, Place
from bot.core.messages import Answer
from bot.core.requests import Given, HandedOver
from bot.store.given_answers import PostgresGivenAnswers
from bot.store.journal import PostgresJournal
from bot.store.moves import PostgresMoves
from bot.store.tickets import PostgresTickets
from knowledge.store.pool import Pool
from knowledge.types import Reader, Relevance
from tests.database.stored_answers import quoting, reply_of, rich_answer, said
from tests.database.stored_messages import PLACE, Conversations, heard

ELSEWHERE = Place("fake", "T1", "C2")


@pytest.fixture
def given(pool: Pool) -> PostgresGivenAnswers:
    return PostgresGivenAnswers(pool)


def in_chat(
    message: str,
    *,
    author: str = "U1",
    company: Company = "public",
    place: Place = PLACE,
    origin: Origin = "message",
    reply_to: str | None = None,
) -> Incoming:
    """Return a message of a place that is one conversation."""
    wire = {"reply_to": reply_to} if reply_to else {}
    incoming = heard(message, author=author, company=company, place=place, origin=origin, wire=wire)
    return replace(incoming, conversation="chat")


async def answered(talk: Conversations, incoming: Incoming, words: str = "The code is 7.") -> int:
    """Answer a message; return the answer's number."""
    question = await talk.heard_and_taken(incoming)
    answer = Answer((said(words, quoting(words)),), "extractive")
    number = await PostgresJournal(talk.pool).record(
        replace(reply_of(answer), message=question.number, question=incoming.text), Reader()
    )
    await talk.answer(question, words, sight="private" if incoming.origin == "command" else "open")
    return number


async def handed_over(talk: Conversations, incoming: Incoming) -> int:
    question = await talk.heard_and_taken(incoming)
    handover = Handover(
        incoming.text, "uk", "below_threshold", Relevance(0.4), Relevance(0.65), (), "f", message=question.number
    )
    ticket = (await PostgresTickets(talk.pool).open(handover)).number
    await talk.answer(question, "Passed on.")
    return ticket


async def request(talk: Conversations, incoming: Incoming) -> int:
    await talk.store(incoming)
    return await talk.number(incoming.message)


async def test_an_answer_comes_back_as_it_was_given(talk: Conversations, given: PostgresGivenAnswers) -> None:
    question = await talk.heard_and_taken(in_chat("1"))
    reply = replace(reply_of(rich_answer()), message=question.number)
    number = await PostgresJournal(talk.pool).record(reply, Reader())
    await talk.answer(question, "A.")

    found = await given.answer(await request(talk, in_chat("2")), number)

    assert found == Given(
        number,
        reply.question,
        "uk",
        Relevance(0.9),
        Relevance(0.5),
        rich_answer().sentences,
        "claude",
        "f",
        is_own_words=False,
        is_cached=False,
    )


async def test_without_a_number_the_last_answer_of_the_conversation_counts(
    talk: Conversations, given: PostgresGivenAnswers
) -> None:
    await answered(talk, in_chat("1"))
    second = await answered(talk, in_chat("2", author="U2"))
    await handed_over(talk, in_chat("3"))
    await answered(talk, in_chat("4", place=ELSEWHERE))
    own = await request(talk, in_chat("5"))
    await answered(talk, in_chat("6"))

    found = await given.answer(own, None)

    assert found is not None
    assert (found.number, found.is_own_words) == (second, True)


async def test_what_the_request_replies_to_counts_before_the_last(
    talk: Conversations, given: PostgresGivenAnswers
) -> None:
    first = await answered(talk, in_chat("1"))
    ((sent_as,),) = await talk.change("select sent_as from parcel")
    await answered(talk, in_chat("2"))

    found = await given.answer(await request(talk, in_chat("3", reply_to=sent_as)), None)

    assert found is not None
    assert found.number == first


@pytest.mark.parametrize(
    ("asked", "asks", "may"),
    [
        # Everybody there was shown it.
        (in_chat("1"), in_chat("2", author="U2"), True),
        (in_chat("1", company="direct"), in_chat("2", company="direct"), True),
        # Direct messages and private commands are the asker's, and are not shown to a group even by the asker.
        (in_chat("1", company="direct"), in_chat("2", company="direct", author="U2"), False),
        (in_chat("1", origin="command"), in_chat("2", author="U2"), False),
        (in_chat("1", origin="command"), in_chat("2"), False),
        (in_chat("1"), in_chat("2", place=ELSEWHERE), False),
        (in_chat("1"), in_chat("2", place=Place("fake", "T2", "C1")), False),
        (in_chat("1"), in_chat("2", place=Place("other", "T1", "C1")), False),
        (in_chat("1", company="direct"), in_chat("2", place=ELSEWHERE), False),
    ],
)
@pytest.mark.parametrize("is_named", [True, False])
async def test_an_answer_is_shown_to_those_who_saw_it_where_they_saw_it(
    talk: Conversations, given: PostgresGivenAnswers, asked: Incoming, asks: Incoming, may: bool, is_named: bool
) -> None:
    number = await answered(talk, asked)
    own = await request(talk, asks)

    found = await given.answer(own, number if is_named else None)

    assert (found is not None, await given.last(own) is not None) == (may, may)


async def test_an_answer_that_was_never_sent_is_not_shown(talk: Conversations, given: PostgresGivenAnswers) -> None:
    number = await answered(talk, in_chat("1"))
    await talk.change("update parcel set state = 'dead' returning 1")

    assert await given.answer(await request(talk, in_chat("2")), number) is None


async def test_a_moved_chat_keeps_its_answers(talk: Conversations, given: PostgresGivenAnswers) -> None:
    number = await answered(talk, in_chat("1"))
    await PostgresMoves(talk.pool).move(PLACE, "C9")

    found = await given.answer(await request(talk, in_chat("2", place=Place("fake", "T1", "C9"))), None)

    assert found is not None
    assert found.number == number


async def test_answers_of_a_release_that_knew_no_sentences_are_none(
    talk: Conversations, given: PostgresGivenAnswers
) -> None:
    number = await answered(talk, in_chat("1"))
    await talk.change("update answer set sentences = null returning 1")
    own = await request(talk, in_chat("2"))

    assert [await given.answer(own, number), await given.last(own)] == [None, None]


async def test_the_last_question_may_be_with_a_person(talk: Conversations, given: PostgresGivenAnswers) -> None:
    await answered(talk, in_chat("1"))
    ticket = await handed_over(talk, in_chat("2"))
    own = await request(talk, in_chat("3"))

    last = await given.last(own)
    await talk.change("update ticket set state = 'closed' returning 1")
    closed = await given.last(own)

    assert isinstance(last, HandedOver)
    assert (last.ticket, last.reason, last.language, last.is_open) == (ticket, "below_threshold", "uk", True)
    assert last.relevance == pytest.approx(0.4)
    assert last.threshold == pytest.approx(0.65)
    assert closed == replace(last, is_open=False)


async def test_the_last_question_may_be_answered(talk: Conversations, given: PostgresGivenAnswers) -> None:
    await handed_over(talk, in_chat("1"))
    number = await answered(talk, in_chat("2"))

    last = await given.last(await request(talk, in_chat("3")))

    assert isinstance(last, Given)
    assert last.number == number
