"""Bots that are killed while a person takes over, on both platforms."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Literal

from tests.faults.killed_bots import DIES_WITHIN_S, Case, Lane, Servers, knowing
from tests.faults.seen_takeovers import Dialog, has_heard, problems
from tests.scenario.takeover_office import ANN, Takeover, taking_over
from tests.scenario.whole_bot import EXPIRES

# The last: somebody replies below a card of which the bot does not know yet that it was sent.
ActName = Literal["ask", "claim", "reply", "follow_up", "close", "return", "early_reply"]
# What is sent because of each act, beside what its asker is told at once.
SENT: Mapping[ActName, Sequence[str]] = {
    "ask": ("topic", "card"),
    "claim": ("refresh",),
    "reply": ("reply", "refresh"),
    "follow_up": ("follow_up", "refresh"),
    "close": ("told", "suggest"),
    "return": ("told",),
    "early_reply": (),
}
# The order in which a dialog goes; each ends in one of two ways.
WALK: Sequence[ActName] = ("ask", "claim", "reply", "follow_up")
# What goes before a kill is not what is measured.
SETTLED_WITHIN_S = 60.0
# A group on Telegram is written to twenty times a minute: each dialog goes to the next one.
ANIMALS = ("dog", "hamster", "parrot", "turtle")
MANY = {"ANSWERDESK_MESSAGES__PER_PERSON_A_MINUTE": "1000", "ANSWERDESK_MESSAGES__PER_PLACE_A_MINUTE": "1000"}
numbers = count(1)


@dataclass(frozen=True, slots=True)
class Kill(Case):
    """An act of a dialog during which the bot is killed at a step."""

    act: ActName = "ask"
    asked_on: str = "slack"
    desk_on: str = "telegram"

    def __str__(self) -> str:
        return f"{self.asked_on} to {self.desk_on}: {self.act} at {self.step}"


class TakeoverLane(Lane[Dialog]):
    """One bot that talks on both platforms; a dialog goes on with the next kill where that is possible."""

    def __init__(self, office: Takeover) -> None:
        super().__init__(office.bot)
        self._office = office
        self._dialogs: dict[tuple[str, str], Dialog] = {}

    def start(self) -> None:
        self._office.start()

    def ask(self, case: Case) -> tuple[Dialog, int]:
        assert isinstance(case, Kill)
        dialog = self._dialog_before(case)
        step, _, of = case.step.partition(" ")
        # What else the act sends is under way at the same time.
        dialog.unconfirmed |= {kind for kind in ("message", *SENT[case.act]) if kind != of}
        if step == "sent":
            dialog.unconfirmed.add(of)
        self._bot.dies_at(case.step)
        # Only what ends well is gone on with.
        del self._dialogs[case.asked_on, case.desk_on]
        if case.act == "early_reply":
            self._act(dialog, "ask")
            assert self._bot.died(DIES_WITHIN_S), f"never came to {case.step}"
            self._act(dialog, "reply")
        else:
            self._act(dialog, case.act)
        return dialog, 0

    def wait_until_settled(self, asked: Dialog, replies: int, within_s: float) -> None:
        self._settle(asked, within_s)

    def problems(self, asked: Dialog, replies: int) -> list[str]:
        found = problems(self._office, asked)
        if not found:
            self._dialogs[asked.asked_on, asked.desk_on] = asked
        return found

    def _dialog_before(self, kill: Kill) -> Dialog:
        """Return a dialog in which an act comes next; all acts before it went well."""
        pair = (kill.asked_on, kill.desk_on)
        dialog = self._dialogs.get(pair)
        before = WALK[: WALK.index(kill.act)] if kill.act in WALK else [] if kill.act == "early_reply" else WALK
        if dialog is None or dialog.acts != [*before[: len(dialog.acts)]]:
            dialog = self._dialogs[pair] = _dialog(self._office, *pair)
        for act in before[len(dialog.acts) :]:
            self._act(dialog, act)
            self._settle(dialog, SETTLED_WITHIN_S)
            found = problems(self._office, dialog)
            assert not found, f"wrong before {kill.act}: {found}"
        return dialog

    def _act(self, dialog: Dialog, act: ActName) -> None:
        dialog.acts.append(act)
        asker, desk = dialog.asker, dialog.desk
        acts: Mapping[ActName, Callable[[], object]] = {
            "ask": lambda: asker.asks(dialog.question),
            "claim": lambda: desk.clicks(ANN, "claim"),
            "reply": lambda: desk.says(ANN, dialog.reply),
            "follow_up": lambda: asker.says(dialog.follow_up),
            "close": lambda: desk.clicks(ANN, "close"),
            "return": lambda: desk.clicks(ANN, "return"),
        }
        acts[act]()

    def _settle(self, dialog: Dialog, within_s: float) -> None:
        office = self._office
        deadline_s = time.monotonic() + within_s
        while not (has_heard(office) and office.is_settled() and not problems(office, dialog)):
            if time.monotonic() > deadline_s:
                return
            time.sleep(0.05)


def _dialog(office: Takeover, asked_on: str, desk_on: str) -> Dialog:
    number = next(numbers)
    animal = ANIMALS[number % len(ANIMALS)]
    question = f"Who feeds the office {animal if desk_on == 'telegram' else 'cat'} number {number} on Sundays?"
    asker, desk = office.asker(asked_on, number), office.desk(desk_on, animal, question)
    # The bot could answer what is asked next, and has to be silent.
    return Dialog(
        asked_on, desk_on, asker, desk, question, f"Somebody does, says note {number}.", f"{EXPIRES} #{number}"
    )


@contextmanager
def open_takeover_lane(folder: Path, servers: Servers) -> Iterator[TakeoverLane]:
    """Start a bot on a database of its own."""
    with servers.database() as url, taking_over(folder, servers.home, url, secrets=MANY) as office:
        office.start()
        yield TakeoverLane(office)


@contextmanager
def knowing_both(folder: Path, home: Path, database_server: str, template: str) -> Iterator[Servers]:
    """Make a database in which the handbook is known."""

    def sync(url: str) -> None:
        with taking_over(folder, home, url) as office:
            office.bot.sync()

    with knowing(home, database_server, template, sync) as servers:
        yield servers
