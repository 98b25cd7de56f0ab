"""Where askers are asked first, a person gets a question only when its asker has agreed."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count

import pytest

from bot.core.phrases import phrase
from tests.scenario.asked_in_places import PLACES, Place, place_in
from tests.scenario.conftest import Site
from tests.scenario.takeover_office import Takeover, takeover
from tests.scenario.whole_bot import EXPIRES, IN_DAYS, beginning

ASKS_FIRST = """
[handover]
ask_first = true
risky_words = ["salary"]
"""
STAYS_S = 1.5
MAY_I, PASSED = phrase("may_i_hand_over", "en"), beginning("asked_for_a_person")
numbers = count(1)


def _asked(office: Takeover, name: str, about: str = "the office cat") -> tuple[Place, str]:
    """Return a place where what somebody asked has just been answered with a question."""
    place, question = place_in(office, name), f"Who feeds {about} {next(numbers)} on Sundays?"
    place.asks(question)
    office.sees(place.read)
    return place, question


def _tickets(office: Takeover, question: str) -> list[tuple[object, ...]]:
    return office.rows(f"select reason, state from ticket where question = '{question}'")


def _agrees(office: Takeover, name: str) -> None:
    """The asker alone agrees, and once."""
    place, question = _asked(office, name)
    desk = office.desk("slack", "", question)
    assert place.read() == [MAY_I]
    noted = f"select reason, ticket_id from unanswered where question = '{question}'"
    assert office.rows(noted) == [("below_threshold", None)]

    if name in ("a thread", "a group"):
        place.presses("consent", is_other=True)
        time.sleep(STAYS_S)
    assert (desk.card(), _tickets(office, question), len(place.read())) == ("", [], 1)
    place.presses("consent")
    office.sees(lambda: len(place.read()) == 2)
    assert place.read()[1].startswith(PASSED)
    assert "Who will answer: The helpers. By when: 20" in place.read()[1]
    office.sees(desk.card)
    place.presses("consent")
    time.sleep(STAYS_S)
    assert (_tickets(office, question), len(place.read())) == ([("below_threshold", "open")], 2)
    assert len(desk.shown()) == 1


def _writes_on(office: Takeover, name: str) -> None:
    """What the asker writes instead is answered as always, and nobody has the question."""
    place, question = _asked(office, name)

    place.says(EXPIRES)
    office.sees(lambda: len(place.read()) == 2)

    assert IN_DAYS in place.read()[1]
    assert _tickets(office, question) == []


def _wants_a_person(office: Takeover, name: str) -> None:
    """Whoever asks for a person is not asked whether they want one."""
    place = place_in(office, name)
    place.asks(EXPIRES)
    office.sees(lambda: any(IN_DAYS in text for text in place.read()))

    place.presses("human")
    office.sees(lambda: len(place.read()) == 2)

    assert place.read()[1].startswith(PASSED)


def _is_risky(office: Takeover, name: str) -> None:
    """What only people answer is asked about in other words."""
    place, question = _asked(office, name, "whoever negotiates a SALARY")

    assert place.read() == [phrase("may_i_risky", "en")]
    place.presses("consent")
    office.sees(lambda: len(place.read()) == 2)
    assert _tickets(office, question) == [("risky", "open")]


SOME = ("a thread", "a private chat")
DIALOGS: dict[str, tuple[Callable[[Takeover, str], None], tuple[str, ...]]] = {
    "agrees": (_agrees, PLACES),
    "writes on": (_writes_on, PLACES),
    "wants a person": (_wants_a_person, SOME),
    "is risky": (_is_risky, SOME),
}
CASES = [(name, place) for name, (_, places) in DIALOGS.items() for place in places]
Played = dict[tuple[str, str], Future[None]]


@pytest.fixture(scope="module")
def played(site: Site) -> Iterator[Played]:
    """All dialogs in all places with one bot, several at once."""
    with takeover(*site, more=ASKS_FIRST) as office, ThreadPoolExecutor(8) as threads:
        yield {(name, place): threads.submit(DIALOGS[name][0], office, place) for name, place in CASES}


@pytest.mark.parametrize(("dialog", "place"), CASES)
def test_a_person_gets_a_question_when_its_asker_agrees(played: Played, dialog: str, place: str) -> None:
    assert played[dialog, place].result() is None
