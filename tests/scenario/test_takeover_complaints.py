"""What people complained about where bots hand over to people, and how this one behaves.

The numbers are those of the reference list of complaints that the project keeps; those without one are of its reserve.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import pytest

from bot.core.phrases import phrase
from tests.scenario.conftest import Site
from tests.scenario.takeover_dialogs import (
    AMONG_OTHERS,
    ODD,
    WAYS_TO_A_PERSON,
    among_others,
    begun,
    desk_on_its_own,
    directly,
    hands_over,
    moved,
    odd_things,
    sources_stay,
    tickets_of,
)
from tests.scenario.takeover_office import ANN, BOB, STAYS_S, Takeover, takeover
from tests.scenario.whole_bot import EXPIRES, IN_DAYS, IN_HOURS, RENEWED, beginning

TITLES = {"slack": "The helpers", "telegram": "The answerers"}
BOTH_WAYS = (("slack", "telegram"), ("telegram", "slack"))
AT_ONCE = 6


def _told_at_once(office: Takeover, asked_on: str, desk_on: str) -> None:
    """It hands over without a word."""
    asker, desk = begun(office, asked_on, desk_on)

    (told,) = asker.read()
    assert told.startswith(beginning("handed_over"))
    assert TITLES[desk_on] in told
    assert phrase("state_open", "en") in desk.card()


def _stored_not_said(office: Takeover, asked_on: str, desk_on: str) -> None:
    """That somebody has taken over is hidden in free text."""
    asker, desk = begun(office, asked_on, desk_on)
    returned = phrase("asker_returned", "en")
    desk.says(ANN, f"Ask it yourself. {returned}")
    office.sees(lambda: asker.read()[-1].endswith(returned))
    asker.says(EXPIRES)
    office.sees(lambda: EXPIRES in "".join(desk.read()))
    time.sleep(STAYS_S)

    assert not any(IN_DAYS in text for text in asker.read())
    assert [state for _, state in tickets_of(office, asker)] == ["claimed"]


def _reopened(office: Takeover, asked_on: str, desk_on: str) -> None:
    """After it is reopened, it hands over once more with each message."""
    asker, desk = begun(office, asked_on, desk_on)
    desk.presses(ANN, "close")
    office.sees(lambda: beginning("asker_closed") in asker.read()[-1])
    desk.presses(BOB, "reopen")
    office.sees(lambda: beginning("asker_reopened") in asker.read()[-1])
    time.sleep(STAYS_S)
    before = [text for text in asker.read() if hands_over(text)]
    asker.says("And who does that on Mondays?")
    office.sees(lambda: "And who does that on Mondays?" in "".join(desk.read()))
    desk.presses(BOB, "claim")
    asker.says("And on Tuesdays?")
    office.sees(lambda: "And on Tuesdays?" in "".join(desk.read()))
    time.sleep(STAYS_S)

    assert len(before) == 1
    assert [state for _, state in tickets_of(office, asker)] == ["claimed"]
    assert sum(map(hands_over, asker.read())) <= 2, "one for each question that nobody had taken up yet"


def _fresh_after_return(office: Takeover, asked_on: str, desk_on: str) -> None:
    """It stays mute after the return, or remembers that it had handed over."""
    asker, desk = begun(office, asked_on, desk_on)
    desk.presses(ANN, "claim")
    desk.presses(ANN, "return")
    office.sees(lambda: asker.read()[-1] == phrase("asker_returned", "en"))
    asker.says(EXPIRES)
    office.sees(lambda: IN_DAYS in asker.read()[-1])
    asker.says(RENEWED)
    office.sees(lambda: IN_HOURS in asker.read()[-1])
    other = desk_on_its_own(office, desk_on)
    asker.says(other.question)
    office.sees(other.card)

    assert [state for _, state in tickets_of(office, asker)] == ["returned", "open"]
    assert phrase("state_returned", "en") in desk.card()


def _scenarios() -> Iterator[tuple[str, Callable[[Takeover], None]]]:
    for asked_on, desk_on in BOTH_WAYS:
        for name, play in COMPLAINTS.items():
            yield f"{name}, asked on {asked_on}", partial(play, asked_on=asked_on, desk_on=desk_on)
    for name, (desk_on, ask) in AMONG_OTHERS.items():
        yield f"what was asked {name} is answered there", partial(among_others, desk_on=desk_on, ask=ask)
    for name, (asked_on, question, want) in WAYS_TO_A_PERSON.items():
        yield f"a person {name}", partial(directly, asked_on=asked_on, question=question, ask=want)
    for desk_on in ODD:
        yield f"what is no text breaks nothing on {desk_on}", partial(odd_things, desk_on=desk_on)
    yield "27: answers follow a group that becomes a supergroup", moved
    yield "sources stay with their answer", sources_stay


COMPLAINTS: Mapping[str, Callable[..., None]] = {
    "40: the asker is told at once who will answer": _told_at_once,
    "40: who has a conversation is stored, and not read from what is said": _stored_not_said,
    "40: a reopened ticket is not handed over again and again": _reopened,
    "40: after the return it answers, and what it cannot is another ticket": _fresh_after_return,
}
SCENARIOS: Mapping[str, Callable[[Takeover], None]] = dict(_scenarios())
Played = Mapping[str, Future[None]]


@pytest.fixture(scope="module")
def played(site: Site) -> Iterator[Played]:
    """All of it with one bot, several at once."""
    with takeover(*site) as office, ThreadPoolExecutor(AT_ONCE) as threads:
        yield {name: threads.submit(play, office) for name, play in SCENARIOS.items()}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_takeover_is_none_of_what_people_complained_about(played: Played, scenario: str) -> None:
    assert played[scenario].result() is None
