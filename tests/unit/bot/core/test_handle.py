"""The life of a question, with every port in memory."""

import pytest

from bot.core.answer import Finish
from bot.core.cache import CachedAnswer
from bot.core.cite import CitePolicy
from bot.core.errors import AnswererDown, QuestionProblem
from bot.core.handle import MAX_QUESTION_CHARACTERS, Handler, Policy, Step, clean_question
from bot.core.messages import Answer, Asked, Turn
from bot.core.phrases import phrase
from bot.core.verify.check import Verifier
from bot.core.wording import Wording
from knowledge.retrieve import Retriever
from knowledge.types import Reader, Relevance
from tests.fakes.core import (
    FakeAnswerer,
    FakeBudget,
    FakeCache,
    FakeIndex,
    FakeJournal,
    FakeLevels,
    FakeReranker,
    FakeStanding,
    FakeTickets,
    FakeWatcher,
    claim,
    quoting,
)
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.evidence import hit

TEXT = "Reset the PIN in the app."


def handler(
    *,
    relevance: float = 0.9,
    quote: str | None = TEXT,
    texts: tuple[str, ...] = (TEXT,),
    journal: FakeJournal | None = None,
    cached: CachedAnswer | None = None,
    model: FakeAnswerer | None = None,
    policy: Policy | None = None,
) -> tuple[Handler, FakeTickets, FakeIndex]:
    tickets = FakeTickets()
    index = FakeIndex([hit(text) for text in texts])
    wording = Wording(
        model=model,
        own_words=quoting(quote) if quote else quoting(),
        verifier=Verifier(),
        standing=FakeStanding(),
        budget=FakeBudget(),
        policy=CitePolicy(),
    )
    subject = Handler(
        retriever=Retriever(
            embedder=FakeEmbedder(), levels=FakeLevels(), index=index, reranker=FakeReranker(relevance)
        ),
        wording=wording,
        tickets=tickets,
        journal=journal or FakeJournal(),
        cache=FakeCache(cached),
        policy=policy or Policy(threshold=Relevance(0.7), fingerprint="f"),
    )
    return subject, tickets, index


async def test_answers_with_a_numbered_citation_when_the_evidence_is_relevant_enough() -> None:
    subject, tickets, _ = handler()

    reply = await subject.handle(Asked("How do I reset my PIN?"))

    assert (reply.decision, reply.text) == ("answer", f"{TEXT} [1]")
    assert [sentence.markers for sentence in reply.sentences] == ["[1]"]
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


async def test_a_stored_answer_is_given_at_once_and_journalled_again() -> None:
    journal = FakeJournal()
    stored = CachedAnswer(Answer((), "fake"), "Stored. [1]", "en", Relevance(0.8), ("A note.",))
    subject, _, index = handler(journal=journal, cached=stored)

    reply = await subject.handle(Asked("How do I reset my PIN?"))

    assert (reply.text, reply.notes, reply.is_cached, index.readers) == ("Stored. [1]", ("A note.",), True, [])
    assert [recorded for recorded, _ in journal.recorded] == [reply]


async def test_an_answer_may_be_given_again_only_when_it_is_the_usual_one() -> None:
    journal = FakeJournal()
    usual, _, _ = handler(journal=journal)
    stand_in, _, _ = handler(journal=journal, model=FakeAnswerer(lambda task: [AnswererDown("down")], name="model"))
    in_context, _, _ = handler(
        journal=journal, model=FakeAnswerer(lambda task: [claim(task, TEXT), Finish("done")], name="model")
    )

    await usual.handle(Asked("How do I reset my PIN?"))
    await stand_in.handle(Asked("How do I reset my PIN?"))
    await in_context.handle(Asked("How do I reset my PIN?", history=(Turn("user", "I have a phone."),)))

    assert [key is not None for key in journal.keys] == [True, False, False]


async def test_the_model_is_not_asked_below_the_threshold() -> None:
    model = FakeAnswerer(lambda task: [claim(task, TEXT), Finish("done")], name="model")
    subject, _, _ = handler(relevance=0.69, model=model)

    await subject.handle(Asked("Who feeds the office cat?"))

    assert model.tasks == []


async def test_who_watches_sees_the_answer_before_it_is_complete() -> None:
    watcher = FakeWatcher()
    subject, _, _ = handler()

    await subject.handle(Asked("How do I reset my PIN?"), watcher)

    assert watcher.shown == [[TEXT]]


async def test_an_asker_who_wants_a_person_gets_one() -> None:
    subject, tickets, _ = handler()
    reply = await subject.handle(Asked("How do I reset my PIN?"))

    number = await subject.hand_over(reply)

    assert [(number, ticket.question, ticket.reason) for ticket in tickets.opened] == [(1, reply.question, "asked")]


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


async def test_a_place_has_sources_and_a_threshold_of_its_own() -> None:
    subject, _, index = handler(relevance=0.6)
    asked = Asked("How do I reset my PIN?", sources=("handbook",), threshold=Relevance(0.5))

    reply = await subject.handle(asked)

    assert (reply.decision, reply.threshold, index.queries[-1].sources) == ("answer", 0.5, ("handbook",))


async def test_what_was_not_asked_of_the_bot_is_not_handed_over() -> None:
    subject, tickets, _ = handler(relevance=0.1)

    reply = await subject.handle(Asked("Lunch, anybody?", may_hand_over=False))

    assert (reply.decision, reply.ticket, tickets.opened) == ("escalate", None, [])


async def test_a_handover_names_the_message_that_it_is_about() -> None:
    subject, tickets, _ = handler(relevance=0.1)

    await subject.handle(Asked("Who feeds the office cat?", message=7))

    assert [handover.message for handover in tickets.opened] == [7]


@pytest.mark.parametrize(("relevance", "expected"), [(0.9, True), (0.1, False)])
async def test_what_would_be_answered_is_told_without_telling_anybody(relevance: float, *, expected: bool) -> None:
    journal = FakeJournal()
    subject, tickets, _ = handler(relevance=relevance, journal=journal)

    would = await subject.would_answer(Asked("How do I reset my PIN?"))

    assert (would, tickets.opened, journal.recorded) == (expected, [], [])


async def test_each_step_is_told_when_it_begins() -> None:
    subject, _, _ = handler()
    begun: list[Step] = []

    async def begin(step: Step) -> None:
        begun.append(step)

    await subject.handle(Asked("How do I reset my PIN?"), None, begin)

    assert begun == ["retrieve", "read"]
