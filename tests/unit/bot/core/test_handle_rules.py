"""What an operator's rules do to a question, with every port in memory."""

import pytest

from bot.core.handle import Handler, Policy
from bot.core.messages import Asked
from bot.core.phrases import phrase
from knowledge.types import Relevance
from tests.fakes.core import FakeAnswerer, FakeTickets, quoting
from tests.unit.bot.core.test_handle import TEXT, handler

RISKY = "Tell me my SALARY: how do I reset my PIN?"


def with_rules(
    model: FakeAnswerer | None = None, *, asks_first: bool = False, relevance: float = 0.9
) -> tuple[Handler, FakeTickets]:
    policy = Policy(threshold=Relevance(0.7), fingerprint="f", asks_first=asks_first, risky_words=("salary", "зарплат"))
    subject, tickets, _ = handler(model=model, policy=policy, relevance=relevance)
    return subject, tickets


@pytest.mark.parametrize(("question", "language"), [(RISKY, "en"), ("Какая ЗАРПЛАТА у директора нашей фирмы?", "ru")])
async def test_a_risky_question_goes_to_a_person_with_the_passages_and_without_a_model(
    question: str, language: str
) -> None:
    model = quoting(TEXT)
    subject, tickets = with_rules(model)

    reply = await subject.handle(Asked(question))

    (handed,) = tickets.opened
    assert (handed.reason, [piece.hit.text for piece in handed.evidence]) == ("risky", [TEXT])
    assert (reply.text, model.tasks) == (phrase("handed_over_risky", language, ticket=1), [])


async def test_nobody_is_offered_a_risky_question_s_answer_in_private() -> None:
    subject, _ = with_rules()

    assert [await subject.would_answer(Asked(text)) for text in (RISKY, "How do I reset my PIN?")] == [False, True]


@pytest.mark.parametrize(("question", "name"), [(RISKY, "may_i_risky"), ("Who feeds the cat?", "may_i_hand_over")])
async def test_whoever_asks_in_a_conversation_is_asked_first(question: str, name: str) -> None:
    subject, tickets = with_rules(asks_first=True, relevance=0.1)

    reply = await subject.handle(Asked(question, message=7))

    assert (reply.text, reply.ticket) == (phrase(name, "en"), None)
    assert (tickets.opened, [handover.message for handover in tickets.suggested]) == ([], [7])


async def test_in_a_terminal_nobody_is_asked_first() -> None:
    subject, tickets = with_rules(asks_first=True, relevance=0.1)

    reply = await subject.handle(Asked("Who feeds the cat?"))

    assert (reply.ticket, len(tickets.opened), tickets.suggested) == (1, 1, [])
