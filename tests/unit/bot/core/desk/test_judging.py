"""What comes of an act: whether its actor may, whether somebody was first, whether it makes sense any more."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.desk.book import Event
from bot.core.desk.desks import Desk
from bot.core.desk.hours import Hours
from bot.core.desk.judging import judge
from bot.core.incoming import Place
from bot.core.tickets.acts import Act, ActKind, Actor, Came
from bot.core.tickets.state import State
from tests.fakes.book import ASKED_AT, NOW, case

ROOM, OTHER_ROOM, ELSEWHERE = (Place("desk", "T9", channel) for channel in ("D1", "D2", "D7"))
OPEN_DESK = Desk("it", "IT", "en", Hours(), timedelta(hours=4), place=ROOM)
CLOSED_DESK = replace(OPEN_DESK, people={"desk:bea": "Bea"}, is_closed=True)
BEHIND = replace(OPEN_DESK, name="second", place=OTHER_ROOM)
BEA = Actor("desk:bea", "Bea", ROOM)
DRAFT = ({"text": "In the app."},)


def act(kind: ActKind, actor: Actor = BEA, text: str = "") -> Act:
    return Act(kind, 12, actor, "key", text)


@pytest.mark.parametrize(
    ("actor", "desk", "came"),
    [
        (BEA, OPEN_DESK, "done"),
        (BEA, CLOSED_DESK, "done"),
        (replace(BEA, id="desk:eve"), OPEN_DESK, "done"),
        (replace(BEA, id="desk:eve"), CLOSED_DESK, "refused"),
        (replace(BEA, id="other:bea"), CLOSED_DESK, "refused"),
        (replace(BEA, is_foreign=True), OPEN_DESK, "refused"),
        (replace(BEA, place=ELSEWHERE), OPEN_DESK, "refused"),
        (replace(BEA, place=OTHER_ROOM), OPEN_DESK, "done"),
        (replace(BEA, place=replace(ROOM, workspace="T8")), OPEN_DESK, "refused"),
        (replace(BEA, place=replace(ROOM, platform="other")), OPEN_DESK, "refused"),
        (replace(BEA, place=ASKED_AT), OPEN_DESK, "refused"),
        (Actor("terminal:ann"), CLOSED_DESK, "done"),
    ],
)
@pytest.mark.parametrize("kind", ["claim", "reply", "note", "close", "return"])
def test_people_act_at_a_desk_of_the_ticket_and_nowhere_else(
    kind: ActKind, actor: Actor, desk: Desk, came: Came
) -> None:
    assert judge(act(kind, actor, "So."), case(), [desk, BEHIND], now=NOW) == came


@pytest.mark.parametrize(
    ("actor", "kind", "came"),
    [
        (Actor("slack:U1", place=ASKED_AT), "return", "done"),
        (Actor("slack:U1", place=ASKED_AT, is_foreign=True), "return", "done"),
        (Actor("slack:U2", place=ASKED_AT), "return", "refused"),
        (Actor("slack:U1", place=replace(ASKED_AT, channel="C2")), "return", "refused"),
        (Actor("slack:U1", place=ASKED_AT), "close", "refused"),
        (Actor("slack:U1", place=ASKED_AT), "reply", "refused"),
    ],
)
def test_the_asker_can_have_the_bot_back_and_nothing_else(actor: Actor, kind: ActKind, came: Came) -> None:
    assert judge(act(kind, actor, "So."), case(state="claimed"), [OPEN_DESK], now=NOW) == came


def test_people_at_a_desk_in_the_askers_channel_may_do_all_that_people_at_a_desk_may() -> None:
    desk = replace(OPEN_DESK, place=ASKED_AT)

    assert judge(act("return", Actor("slack:U2", place=ASKED_AT)), case(), [desk], now=NOW) == "done"


def test_of_two_desks_in_one_channel_either_lets_its_people_act() -> None:
    assert judge(act("claim"), case(), [replace(CLOSED_DESK, people={}), OPEN_DESK], now=NOW) == "done"


@pytest.mark.parametrize(
    ("state", "owner", "came"),
    [
        ("open", None, "done"),
        ("claimed", "desk:bea", "done"),
        ("claimed", "desk:carl", "taken"),
        ("answered", "desk:carl", "taken"),
        ("closed", "desk:carl", "late"),
        ("returned", None, "late"),
    ],
)
def test_whoever_is_first_has_it(state: State, owner: str | None, came: Came) -> None:
    assert judge(act("claim"), case(state=state, owner=owner), [OPEN_DESK], now=NOW) == came


@pytest.mark.parametrize(("minutes", "came"), [(-1, "done"), (0, "done"), (1, "late"), (None, "late")])
def test_the_clock_acts_when_its_time_has_come(minutes: int | None, came: Came) -> None:
    due = None if minutes is None else NOW + timedelta(minutes=minutes)

    assert judge(act("remind", Actor("clock:")), case(next_at=due), [OPEN_DESK], now=NOW) == came


@pytest.mark.parametrize(
    ("kind", "text", "draft", "happened", "came"),
    [
        ("draft", "", DRAFT, None, "done"),
        ("draft", "", (), None, "late"),
        ("draft", "", DRAFT, "draft", "taken"),
        ("offer", "", (), "answerable", "done"),
        ("offer", "In the app.", (), None, "done"),
        ("offer", "", (), None, "late"),
    ],
)
def test_what_is_sent_has_to_be_there_and_a_draft_is_sent_once(
    kind: ActKind, text: str, draft: tuple[dict[str, str], ...], happened: str | None, came: Came
) -> None:
    events = [Event(1, happened, "x:y", "", NOW, "open", "open", "In the app.")] if happened else []  # type: ignore[arg-type]  # a table of kinds
    held = case(draft=draft, events=tuple(events))

    assert judge(act(kind, text=text), held, [OPEN_DESK], now=NOW) == came


@pytest.mark.parametrize("kind", ["approve", "reject", "reword"])
def test_entries_are_decided_on_whatever_became_of_their_ticket(kind: ActKind) -> None:
    assert judge(act(kind), case(state="closed"), [OPEN_DESK], now=NOW) == "done"
