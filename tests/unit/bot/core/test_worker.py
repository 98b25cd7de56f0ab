"""The job of one message, with every port in memory."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.admit import Manners, PlaceRules
from bot.core.handle import Policy
from bot.core.incoming import Company, Origin, Question
from bot.core.messages import Turn
from bot.core.outgoing import Readers
from bot.core.phrases import phrase
from bot.core.transcribe import Transcriber
from bot.core.worker import MOST_ATTEMPTS, Parts, Worker
from knowledge.types import Reader, Relevance
from tests.fakes.channel import NOW, FakeChannel, FakeOutbox, FakeQuestions, FakeTraces, incoming, question
from tests.fakes.core import FakeIndex, FakeTickets
from tests.fakes.requests import requests_of
from tests.unit.bot.core.test_handle import handler

ANN = Reader(frozenset({"public", "user:ann@example.org"}))


class Desk:
    """A worker with everything that it works with."""

    def __init__(
        self,
        *questions: Question,
        relevance: float = 0.9,
        manners: Manners | None = None,
        transcriber: Transcriber | None = None,
        asks_first: bool = False,
    ) -> None:
        self.channel = FakeChannel()
        self.outbox = FakeOutbox()
        self.questions = FakeQuestions(*questions)
        policy = Policy(threshold=Relevance(0.7), fingerprint="f", asks_first=asks_first)
        subject, tickets, index = handler(relevance=relevance, policy=policy)
        self.tickets: FakeTickets = tickets
        self.index: FakeIndex = index
        parts = Parts(
            questions=self.questions,
            outbox=self.outbox,
            traces=FakeTraces(),
            tickets=tickets,
            handler=subject,
            channels={"fake": self.channel},
            manners=manners or Manners(),
            fingerprint="f",
            now=lambda: NOW,
            requests=requests_of(),
            transcriber=transcriber,
            asks_first=asks_first,
        )
        self.worker = Worker(parts)


async def test_a_question_is_answered_where_it_was_asked() -> None:
    desk = Desk(question())

    await desk.worker.do(1)

    assert desk.channel.texts == ["Reset the PIN in the app. [1]"]


async def test_a_message_that_is_done_with_says_nothing() -> None:
    desk = Desk()

    await desk.worker.do(1)

    assert (desk.channel.texts, desk.tickets.opened) == ([], [])


async def test_what_was_planned_is_sent_without_another_answer() -> None:
    desk = Desk(replace(question(), has_reply=True))
    desk.outbox.parcels = [desk.channel.notice("Planned.", question(), sight="open")]

    await desk.worker.do(1)

    assert (desk.channel.texts, desk.index.queries) == (["Planned."], [])


async def test_a_message_that_was_edited_meanwhile_is_answered_anew() -> None:
    edited = replace(question(), text="Where is the key?", version=2)
    desk = Desk(question(), edited)
    desk.outbox.changed = {1}

    await desk.worker.do(1)

    assert (len(desk.channel.texts), len(desk.index.queries)) == (1, 2)


async def test_a_message_that_was_deleted_meanwhile_has_no_answer() -> None:
    desk = Desk(question())
    desk.outbox.changed = {1}

    await desk.worker.do(1)

    assert desk.channel.texts == []


async def test_a_message_that_breaks_us_again_and_again_goes_to_a_person() -> None:
    desk = Desk(question(attempts=MOST_ATTEMPTS + 1))

    await desk.worker.do(1)

    assert [(handover.reason, handover.message) for handover in desk.tickets.opened] == [("failed", 1)]
    assert desk.channel.texts == [phrase("broke_down", "en", ticket=1)]


async def test_a_stale_message_gets_an_apology_a_ticket_and_a_button() -> None:
    desk = Desk(question(incoming(sent_at=NOW - timedelta(days=1))))

    await desk.worker.do(1)

    assert [handover.reason for handover in desk.tickets.opened] == ["stale"]
    assert desk.channel.texts == [phrase("too_late", "en", ticket=1) + " [retry]"]


@pytest.mark.parametrize(
    ("asked", "manners", "name"),
    [
        (question(incoming("")), Manners(), "refused_empty"),
        (question(), Manners(only={"fake": frozenset({"C2"})}), "refused_elsewhere"),
        (replace(question(), is_over_limit=True), Manners(), "refused_limit"),
    ],
)
async def test_a_refusal_is_for_the_asker_alone(asked: Question, manners: Manners, name: str) -> None:
    desk = Desk(asked, manners=manners)

    await desk.worker.do(1)

    assert [(parcel.plain, parcel.sight) for parcel in desk.channel.sent] == [(phrase(name, "en"), "private")]


async def test_a_pasted_document_is_refused_with_the_limit() -> None:
    desk = Desk(question(incoming("word " * 1000)))

    await desk.worker.do(1)

    assert desk.channel.texts == [phrase("too_long", "en", limit=4000)]


async def test_a_volunteer_stays_silent_when_it_does_not_know() -> None:
    message = replace(incoming(), is_addressed=False)
    desk = Desk(question(message), relevance=0.1)

    await desk.worker.do(1)

    assert (desk.channel.texts, desk.tickets.opened, desk.questions.finished) == ([], [], [(1, "done")])


@pytest.mark.parametrize(
    ("company", "origin", "tags"),
    [("public", "message", {"public"}), ("direct", "message", ANN.tags), ("public", "command", ANN.tags)],
)
async def test_only_what_all_readers_may_see_is_searched(company: Company, origin: Origin, tags: set[str]) -> None:
    message = replace(incoming(), company=company, origin=origin)
    desk = Desk(question(message))
    desk.channel.of_place = Readers(Reader(), ANN)

    await desk.worker.do(1)

    assert [set(reader.tags) for reader in desk.index.readers] == [set(tags)]


async def test_what_the_asker_may_read_but_not_the_others_is_offered_in_private() -> None:
    desk = Desk(question())
    desk.index.tag = "user:ann@example.org"
    desk.channel.of_place = Readers(Reader(), ANN)

    await desk.worker.do(1)

    assert [(parcel.plain, parcel.sight) for parcel in desk.channel.sent] == [
        (phrase("handed_over", "en", ticket=1), "open"),
        (phrase("in_private", "en") + " [private]", "private"),
    ]


async def test_a_stranger_is_offered_nothing_that_only_others_may_read() -> None:
    desk = Desk(question())
    desk.index.tag = "group:wiki/staff"
    desk.channel.of_place = Readers(Reader(), ANN)

    await desk.worker.do(1)

    assert desk.channel.texts == [phrase("handed_over", "en", ticket=1)]


async def test_the_history_of_a_foreign_thread_is_read_and_of_our_own_is_kept() -> None:
    desk = Desk(
        question(incoming(thread="0.9")), replace(question(incoming(thread="0.9"), number=2), is_follow_up=True)
    )
    desk.channel.earlier = (Turn("user", "I have a phone."),)

    await desk.worker.do(1)
    await desk.worker.do(2)

    assert len(desk.channel.texts) == 2


async def test_a_person_is_called_about_an_answer_that_was_given_here() -> None:
    desk = Desk(question(incoming("", origin="button", wire={"human": "5"})))
    desk.questions.answers = {5: "How do I reset my PIN?"}

    await desk.worker.do(1)

    assert [(handover.question, handover.reason) for handover in desk.tickets.opened] == [
        ("How do I reset my PIN?", "asked")
    ]
    assert desk.channel.texts == [phrase("asked_for_a_person", "en", ticket=1)]


async def test_nobody_is_called_about_an_answer_of_another_place() -> None:
    desk = Desk(question(incoming("", origin="button", wire={"human": "5"})))

    await desk.worker.do(1)

    assert (desk.channel.texts, desk.tickets.opened, desk.questions.finished) == ([], [], [(1, "refused")])


@pytest.mark.parametrize("relevance", [0.1, 0.9])
async def test_a_ticket_goes_to_the_desk_of_its_place(relevance: float) -> None:
    rules = Manners(places={"C1": PlaceRules(desk="it")})
    asked = question() if relevance < 0.5 else question(attempts=MOST_ATTEMPTS + 1)
    desk = Desk(asked, relevance=relevance, manners=rules)

    await desk.worker.do(1)

    assert [handover.desk for handover in desk.tickets.opened] == ["it"]
