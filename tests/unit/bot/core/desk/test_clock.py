"""What the clock does next with a ticket: in time, in order, and after a downtime once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.core.desk.book import Event
from bot.core.desk.clock import Standing, Step, Times, next_step, promise, promises_anew
from bot.core.desk.desks import Desk
from bot.core.desk.follows import follows
from bot.core.desk.hours import Hours, working_hours
from bot.core.tickets.state import State, TicketAct, state_after

HOUR = timedelta(hours=1)
# A Monday.
START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
FOUR_HOURS = Desk("it", "IT", "en", Hours(), 4 * HOUR, fallback="hr")
OFFICE = replace(FOUR_HOURS, hours=working_hours("Mon-Fri 09:00-18:00", zone=ZoneInfo("Europe/Kyiv")))
DUE = START + 4 * HOUR
TIMES = Times(return_after=24 * HOUR, expire_after=14 * 24 * HOUR)


def event(kind: TicketAct, hours: float, state: State = "open") -> Event:
    return Event(0, kind, "clock:", "", START + hours * HOUR, state, state_after(state, kind) or state)


def ticket(*events: Event, state: State = "open", touched: float = 0) -> Standing:
    return Standing(state, START, START + touched * HOUR, DUE, events)


def step_of(standing: Standing, hours: float, desk: Desk | None = FOUR_HOURS) -> tuple[str, float] | None:
    """Return the next step, and after how many hours since the start it is due."""
    step = next_step(standing, desk=desk, times=TIMES, now=START + hours * HOUR)
    return (step.kind, (step.at - START) / HOUR) if step else None


REMINDED = event("remind", 3)
ESCALATED = event("escalate", 4)
LATE = event("late", 4)


@pytest.mark.parametrize(
    ("standing", "hours", "expected"),
    [
        (ticket(), 0, ("remind", 3)),
        (ticket(REMINDED), 3, ("escalate", 4)),
        (ticket(REMINDED, ESCALATED), 4, ("late", 4)),
        (ticket(REMINDED, ESCALATED, LATE), 4, ("expire", 14 * 24)),
        (ticket(state="claimed"), 1, ("remind", 3)),
        (ticket(REMINDED, ESCALATED, LATE, state="claimed"), 5, ("time_out", 24)),
        (ticket(state="answered", touched=2), 3, ("time_out", 26)),
        (ticket(state="returned"), 3, None),
        (ticket(state="closed"), 3, None),
        (ticket(state="expired"), 400, None),
    ],
)
def test_each_step_follows_the_one_before(standing: Standing, hours: float, expected: tuple[str, float] | None) -> None:
    assert step_of(standing, hours) == expected


@pytest.mark.parametrize(
    ("standing", "hours", "expected"),
    [
        # The reminder is overtaken.
        (ticket(), 30, ("escalate", 4)),
        (ticket(ESCALATED), 30, ("late", 4)),
        (ticket(ESCALATED, LATE), 30, ("expire", 14 * 24)),
        # All that came before the end is overtaken by it.
        (ticket(), 15 * 24, ("expire", 14 * 24)),
        # Both sides hear that nobody has answered; the other desk is asked a while later.
        (ticket(state="claimed"), 30, ("time_out", 24)),
        (ticket(event("time_out", 30, "claimed")), 30, ("escalate", 31)),
        (ticket(event("time_out", 30, "claimed"), event("escalate", 31)), 31, ("expire", 14 * 24 + 30)),
        # A time-out before the promised moment changes nothing about the promise.
        (ticket(event("time_out", 2, "claimed")), 2, ("remind", 3)),
    ],
)
def test_after_a_downtime_only_what_still_counts_is_done(
    standing: Standing, hours: float, expected: tuple[str, float]
) -> None:
    assert step_of(standing, hours) == expected


@pytest.mark.parametrize(
    ("standing", "desk", "expected"),
    [
        (ticket(), None, ("expire", 14 * 24)),
        (ticket(state="claimed"), None, ("time_out", 24)),
        (ticket(REMINDED), replace(FOUR_HOURS, fallback=None), ("late", 4)),
        (replace(ticket(), due_at=None), FOUR_HOURS, ("expire", 14 * 24)),
        # It is the asker's turn.
        (ticket(event("ask", 1, "claimed"), state="claimed", touched=1), FOUR_HOURS, ("time_out", 25)),
        # 9:00 in UTC is 11:00 in Kyiv: the desk has until 15:00, and is reminded after three hours.
        (ticket(), OFFICE, ("remind", 3)),
    ],
)
def test_nobody_is_reminded_of_what_nobody_owes(
    standing: Standing, desk: Desk | None, expected: tuple[str, float]
) -> None:
    assert step_of(standing, 1, desk) == expected


def test_a_reminder_comes_in_working_time() -> None:
    asked = START + 6 * HOUR
    due = promise(OFFICE, asked)

    step = next_step(Standing("open", asked, asked, due), desk=OFFICE, times=TIMES, now=asked)

    # Asked on Monday at 17:00 there; three of the four hours are over on Tuesday at 11:00.
    assert (str(due), step) == ("2026-12-01 12:00:00+02:00", Step("remind", datetime(2026, 12, 1, 9, 0, tzinfo=UTC)))


def test_an_owner_may_keep_a_conversation_for_ever() -> None:
    forever = Times(return_after=None)

    assert next_step(ticket(state="answered"), desk=FOUR_HOURS, times=forever, now=DUE) is None


@pytest.mark.parametrize(
    ("kind", "state", "events", "expected"),
    [
        ("reopen", "closed", [], True),
        ("follow_up", "answered", [event("reply", 1)], True),
        ("follow_up", "open", [], False),
        ("follow_up", "claimed", [event("claim", 1)], False),
        ("follow_up", "claimed", [event("ask", 1)], True),
        ("follow_up", "claimed", [event("ask", 1), event("follow_up", 2, "claimed")], False),
        ("claim", "open", [], False),
    ],
)
def test_a_promise_is_made_anew_when_the_asker_waits_once_more(
    kind: TicketAct, state: State, events: list[Event], expected: bool
) -> None:
    assert promises_anew(kind, state, events) == expected


def test_what_was_done_before_the_asker_waited_again_does_not_count() -> None:
    events = (REMINDED, ESCALATED, LATE, event("reply", 5), event("follow_up", 10, "answered"))
    standing = Standing("claimed", START, START + 10 * HOUR, START + 14 * HOUR, events)

    assert step_of(standing, 10) == ("remind", 13)


@dataclass
class Life:
    """A ticket as the book keeps it, with people and a clock that is off at times."""

    desk: Desk
    standing: Standing = field(init=False)
    now: datetime = START
    keys: list[tuple[str, datetime]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.standing = Standing("open", START, START, promise(self.desk, START))

    def happen(self, kind: TicketAct) -> None:
        before = self.standing
        after = state_after(before.state, kind)
        if after is None:
            return
        event = Event(len(before.events), kind, "", "", self.now, before.state, after)
        is_anew = promises_anew(kind, before.state, before.events)
        is_clock = kind in ("remind", "escalate", "late", "time_out", "expire")
        self.standing = Standing(
            after,
            before.opened_at,
            before.touched_at if is_clock else self.now,
            promise(self.desk, self.now) if is_anew else before.due_at,
            (*before.events, event),
        )

    def look(self) -> list[TicketAct]:
        """Do all that is due now, as often as the clock looks at the same moment."""
        done: list[TicketAct] = []
        while (step := self._due()) and len(done) < 10:
            assert step.kind not in done, "it does not end"
            self.keys.append((step.kind, step.at))
            self.happen(step.kind)
            done.append(step.kind)
        return done

    def _due(self) -> Step | None:
        step = next_step(self.standing, desk=self.desk, times=TIMES, now=self.now)
        return step if step and step.at <= self.now else None

    def promises(self) -> Iterator[list[str]]:
        """Yield what happened under each promise."""
        kinds: list[str] = []
        for position, event in enumerate(self.standing.events):
            if promises_anew(event.kind, event.from_state, self.standing.events[:position]):
                yield kinds
                kinds = []
            kinds.append(event.kind)
        yield kinds


def told(done: Sequence[TicketAct], side: str) -> int:
    """Return how many messages one side gets of what was done at once."""
    return sum(one == side for kind in done for one, what in follows(kind, "open", "open") if what != "refresh")


ACTS: Sequence[TicketAct] = ("claim", "release", "reply", "ask", "note", "follow_up", "close", "return", "reopen")
acts = st.sampled_from(ACTS)
# Hours after which the clock looks; after others it is off, and misses them.
waits = st.one_of(st.floats(0.01, 6), st.floats(6, 500))
downtimes = waits.map(lambda hours: -hours)
stories = st.lists(st.one_of(acts, waits, downtimes), max_size=25)
desks = st.sampled_from([FOUR_HOURS, OFFICE, replace(OFFICE, fallback=None)])


def lived(desk: Desk, story: Sequence[TicketAct | float]) -> Life:
    """Return a ticket to which all of that has happened."""
    life = Life(desk)
    for what in story:
        if not isinstance(what, float):
            life.happen(what)
            continue
        life.now += abs(what) * HOUR
        done = life.look() if what > 0 else []
        assert [side for side in ("desk", "asker", "fallback") if told(done, side) > 1] == []
    return life


@settings(max_examples=300, deadline=None)
@given(desk=desks, story=stories)
@example(desk=OFFICE, story=[266.0, -500.0, "reply", 6.0, "follow_up", 24.0])
def test_whatever_happens_each_step_comes_once_and_in_order(desk: Desk, story: list[TicketAct | float]) -> None:
    life = lived(desk, story)

    order = ["remind", "escalate", "late"]
    for kinds in life.promises():
        chain = [kind for kind in kinds if kind in order]
        assert chain == sorted(set(chain), key=order.index)
    assert len(life.keys) == len(set(life.keys))


@settings(max_examples=300, deadline=None)
@given(desk=desks, story=stories)
def test_once_the_clock_runs_again_every_asker_knows_the_truth(desk: Desk, story: list[TicketAct | float]) -> None:
    life = lived(desk, story)
    life.look()

    *_, since = life.promises()
    events, due = life.standing.events, life.standing.due_at
    is_told = "late" in since or any(event.kind == "time_out" and due and event.at >= due for event in events)
    is_owed = life.standing.state in ("open", "claimed") and "ask" not in since
    assert is_told or not (is_owed and due and due <= life.now)
