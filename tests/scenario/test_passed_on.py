"""What an operator's rules give to people: risky questions, and answers that did not help; and whole albums."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count

import pytest

from bot.core.phrases import phrase
from tests.scenario.asked_in_places import PLACES, Place, place_in
from tests.scenario.conftest import Site
from tests.scenario.takeover_office import ANN, Takeover, takeover
from tests.scenario.takeover_sides import TelegramAsker
from tests.scenario.whole_bot import EXPIRES, IN_DAYS, beginning

RULES = """
[handover]
risky_words = ["certificate of Bob", "зарплат"]
on_dislike = true
"""
STAYS_S = 1.5
PASSED = beginning("asked_for_a_person")
numbers = count(1)


def _answered(office: Takeover, name: str) -> Place:
    """Return a place where a question has just been answered."""
    place = place_in(office, name)
    place.asks(EXPIRES)
    office.sees(place.can_judge)
    return place


def _tickets(office: Takeover, place: Place) -> list[tuple[object, ...]]:
    statement = f"select question, reason from ticket where channel = '{place.room}' and reason = 'disliked'"
    return office.rows(statement)


def _is_disliked(office: Takeover, name: str) -> None:
    """A thumb down opens one ticket for each person, however often it is said."""
    place = _answered(office, name)

    place.dislikes()
    office.sees(lambda: any(text.startswith(PASSED) for text in place.read()))
    if name != "a group":
        # There Telegram tells administrators alone.
        place.reacts()
        place.reacts(is_taken_back=True)
        place.reacts()
    time.sleep(STAYS_S)
    assert _tickets(office, place) == [(EXPIRES, "disliked")]
    if name == "a group":
        answer, told = office.telegram.answers(int(place.room))
        # Whoever is faster than the note of the sending is answered below the question.
        assert told.reply_to in (answer.id, answer.reply_to)
    assert sum(text.startswith(PASSED) for text in place.read()) == 1
    if name == "a thread":
        place.dislikes(is_other=True)
        office.sees(lambda: sum(text.startswith(PASSED) for text in place.read()) == 2)
        assert _tickets(office, place) == [(EXPIRES, "disliked")] * 2


def _is_risky(office: Takeover, name: str) -> None:
    """What the documents answer goes to a person all the same, whose card has what they say."""
    place = place_in(office, name)
    question = f"When does the VPN CERTIFICATE  OF BOB expire, {next(numbers)}?"
    desk = office.desk("slack", "", question)
    place.asks(f"{question} (cat)")
    office.sees(place.read)
    office.sees(desk.card)

    assert place.read()[0].startswith(beginning("handed_over_risky"))
    assert phrase("why_risky", "en") in desk.card()
    assert IN_DAYS in desk.card()
    assert not any(IN_DAYS in text for text in place.read())


def _album(office: Takeover, name: str) -> None:
    """All pictures of an album come to the person who has the conversation."""
    asker = office.asker("telegram", next(numbers))
    assert isinstance(asker, TelegramAsker)
    question = f"Who feeds the office cat {next(numbers)} on Sundays?"
    desk = office.desk("slack", "", question)
    asker.asks(question)
    office.sees(desk.card)
    desk.presses(ANN, "claim")
    kind, _, caption = name.partition(" ")
    office.telegram.says_album(asker.user, asker.user, caption, kind=kind)
    office.sees(lambda: len(desk.files()) == 3)
    time.sleep(STAYS_S)

    assert sum(caption in text for text in desk.read()) if caption else True

    assert len(desk.files()) == 3
    assert len(asker.read()) == 1


DIALOGS: dict[str, tuple[Callable[[Takeover, str], None], tuple[str, ...]]] = {
    "is disliked": (_is_disliked, PLACES),
    "is risky": (_is_risky, ("a thread", "a private chat")),
    "is an album": (_album, ("photo", "document", "photo with words")),
}
CASES = [(name, where) for name, (_, places) in DIALOGS.items() for where in places]
Played = dict[tuple[str, str], Future[None]]


@pytest.fixture(scope="module")
def played(site: Site) -> Iterator[Played]:
    """All dialogs with one bot, several at once."""
    with takeover(*site, more=RULES) as office, ThreadPoolExecutor(8) as threads:
        yield {(name, where): threads.submit(DIALOGS[name][0], office, where) for name, where in CASES}


@pytest.mark.parametrize(("dialog", "where"), CASES)
def test_a_person_gets_what_the_operator_wants_them_to_get(played: Played, dialog: str, where: str) -> None:
    assert played[dialog, where].result() is None
