"""The life of a question, with every port in memory."""

import pytest

from bot.core.errors import QuestionProblem
from bot.core.handle import MAX_QUESTION_CHARACTERS, Handler, Policy, clean_question
from bot.core.messages import Asked
from bot.core.phrases import phrase
from knowledge.retrieve import Retriever
from knowledge.types import Reader, Relevance
from tests.fakes.core import FakeAnswerer, FakeIndex, FakeJournal, FakeLevels, FakeReranker, FakeTickets
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.evidence import hit

TEXT = "Reset the PIN in the app."


def handler(
    *,
    relevance: float = 0.9,
    quote: str | None = TEXT,
    texts: tuple[str, ...] = (TEXT,),
    journal: FakeJournal | None = None,
) -> tuple[Handler, FakeTickets, FakeIndex]:
    tickets = FakeTickets()
    index = FakeIndex([hit(text) for text in texts])
    retriever = Retriever(embedder=FakeEmbedder(), levels=FakeLevels(), index=index, reranker=FakeReranker(relevance))
    policy = Policy(threshold=Relevance(0.7), fingerprint="f")
    answerer, kept = FakeAnswerer(quote), journal or FakeJournal()
    subject = Handler(retriever=retriever, answerer=answerer, tickets=tickets, journal=kept, policy=policy)
    return subject, tickets, index


async def test_answers_with_a_numbered_citation_when_the_evidence_is_relevant_enough() -> None:
    subject, tickets, _ = handler()

    reply = await subject.handle(Asked("How do I reset my PIN?"))

    assert (reply.decision, reply.text) == ("answer", f"{TEXT} [1]")
    assert [sentence.citation.marker for sentence in reply.sentences] == [1]
    assert tickets.opened == []


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        ({"relevance": 0.69}, "below_threshold"),
        ({"texts": ()}, "no_source"),
        ({"quote": None}, "unsupported"),
        ({"quote": "Words that stand nowhere."}, "unsupported"),
    ],
)
async def test_hands_over_and_says_so_when_it_cannot_keep_its_promise(case: dict[str, object], reason: str) -> None:
    subject, tickets, _ = handler(**case)  # type: ignore[arg-type]  # a table of keyword arguments

    reply = await subject.handle(Asked("Who feeds the office cat?"))

    assert (reply.decision, reply.reason, reply.sentences) == ("escalate", reason, ())
    assert [(ticket.question, ticket.reason) for ticket in tickets.opened] == [("Who feeds the office cat?", reason)]
    assert reply.text == phrase("handed_over", "en", ticket=1)


async def test_an_exactly_sufficient_relevance_is_enough() -> None:
    subject, _, _ = handler(relevance=0.7)

    assert (await subject.handle(Asked("How do I reset my PIN?"))).decision == "answer"


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Кто кормит кота в нашем офисе?", "ru"),
        ("Хто годує кота в нашому офісі?", "uk"),
        ("¿Quién da de comer al gato?", "es"),
    ],
)
async def test_the_asker_is_told_in_their_own_language(question: str, language: str) -> None:
    subject, _, _ = handler(relevance=0.1)

    reply = await subject.handle(Asked(question))

    assert (reply.language, reply.text) == (language, phrase("handed_over", language, ticket=1))


async def test_a_chosen_language_wins_over_the_questions_own() -> None:
    subject, _, _ = handler(relevance=0.1)

    assert (await subject.handle(Asked("Who feeds the cat?", language="es"))).language == "es"


async def test_the_search_reads_as_the_asker_does() -> None:
    subject, _, index = handler()
    reader = Reader(frozenset({"public", "user:ann@example.org"}))

    await subject.handle(Asked("How do I reset my PIN?", reader))

    assert index.readers == [reader]


async def test_an_answer_is_journalled_with_its_readers_and_a_handover_is_not() -> None:
    journal = FakeJournal()
    reader = Reader(frozenset({"public", "user:ann@example.org"}))
    answered, _, _ = handler(journal=journal)
    handed_over, _, _ = handler(relevance=0.1, journal=journal)

    reply = await answered.handle(Asked("How do I reset my PIN?", reader))
    await handed_over.handle(Asked("How do I reset my PIN?", reader))

    assert journal.recorded == [(reply, reader)]


@pytest.mark.parametrize("relevance", [0.1, 0.9])
async def test_a_draft_tells_nobody(relevance: float) -> None:
    journal = FakeJournal()
    subject, tickets, _ = handler(relevance=relevance, journal=journal)

    await subject.draft(Asked("Who feeds the cat?"))

    assert (tickets.opened, journal.recorded) == ([], [])


@pytest.mark.parametrize("text", ["", "  \n\t ", "\0"])
def test_an_empty_question_is_refused_with_the_remedy(text: str) -> None:
    with pytest.raises(QuestionProblem, match="write it in words"):
        clean_question(text)


def test_a_pasted_document_is_refused_naming_both_sizes() -> None:
    with pytest.raises(QuestionProblem, match="102,400 characters, and 4,000"):
        clean_question("x" * 102_400)


def test_what_no_database_stores_is_taken_out_of_a_question() -> None:
    assert clean_question(" PIN\0 \ud83d?") == "PIN ??"
    assert len(clean_question("я" * MAX_QUESTION_CHARACTERS)) == MAX_QUESTION_CHARACTERS
