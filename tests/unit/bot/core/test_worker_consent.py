"""Where askers are asked first, nothing goes to a person before they agree, whatever the reason."""

from datetime import timedelta

import pytest

from bot.core.incoming import Question
from bot.core.outgoing import Readers
from bot.core.phrases import phrase
from bot.core.worker import MOST_ATTEMPTS
from knowledge.types import Reader
from tests.fakes.channel import NOW, incoming, question
from tests.unit.bot.core.test_worker import ANN, Desk

DISLIKED = question(incoming("", origin="button", wire={"human": "5", "disliked": "yes"}))
WANTED = question(incoming("", origin="button", wire={"human": "5"}))


@pytest.mark.parametrize(
    ("asked", "name", "button"),
    [
        (question(), "may_i_hand_over", "consent"),
        (question(attempts=MOST_ATTEMPTS + 1), "may_i_broken", "consent"),
        (question(incoming(sent_at=NOW - timedelta(days=1))), "may_i_late", "retry"),
        (DISLIKED, "may_i_disliked", "consent"),
    ],
)
async def test_the_asker_is_asked_whatever_the_reason(asked: Question, name: str, button: str) -> None:
    desk = Desk(asked, relevance=0.1, asks_first=True)
    desk.questions.answers = {5: "How do I reset my PIN?"}

    await desk.worker.do(1)

    assert desk.channel.texts == [f"{phrase(name, 'en')} [{button}]"]
    assert (desk.tickets.opened, [one.message for one in desk.tickets.suggested]) == ([], [1])


async def test_whoever_asks_for_a_person_is_not_asked() -> None:
    desk = Desk(WANTED, asks_first=True)
    desk.questions.answers = {5: "How do I reset my PIN?"}

    await desk.worker.do(1)

    assert desk.channel.texts == [phrase("asked_for_a_person", "en", ticket=1)]


async def test_who_agrees_gets_the_ticket_that_was_suggested() -> None:
    pressed = question(incoming("", origin="button", wire={"consent": "1"}), number=2)
    desk = Desk(question(), pressed, relevance=0.1, asks_first=True)

    await desk.worker.do(1)
    await desk.worker.do(2)

    assert [(one.message, one.reason) for one in desk.tickets.opened] == [(1, "below_threshold")]
    assert desk.channel.texts[1:] == [phrase("asked_for_a_person", "en", ticket=1)]


@pytest.mark.parametrize("number", ["7", "²", "nothing", ""])
async def test_agreeing_to_nothing_says_nothing(number: str) -> None:
    desk = Desk(question(incoming("", origin="button", wire={"consent": number})), asks_first=True)

    await desk.worker.do(1)

    assert (desk.channel.texts, desk.tickets.opened, desk.questions.finished) == ([], [], [(1, "refused")])


async def test_what_the_asker_alone_may_read_is_offered_in_private_all_the_same() -> None:
    desk = Desk(question(), asks_first=True)
    desk.index.tag = "user:ann@example.org"
    desk.channel.of_place = Readers(Reader(), ANN)

    await desk.worker.do(1)

    assert desk.channel.texts == [
        f"{phrase('may_i_hand_over', 'en')} [consent]",
        f"{phrase('in_private', 'en')} [private]",
    ]
