"""Somebody who asks where others may read along, on both platforms, and somebody else there."""

from dataclasses import dataclass
from itertools import count
from typing import Protocol

from bot.core.phrases import phrase
from tests.scenario.takeover_office import Takeover
from tests.wire.slack import MENTION, TEAM, SlackServer
from tests.wire.slack.clicks import buttons
from tests.wire.telegram import MENTION as ON_TELEGRAM_MENTION
from tests.wire.telegram import TelegramServer

CHANNEL = "C0ROOM"
PLACES = ("a direct message", "a thread", "a private chat", "a group")
_NUMBERS = count(1)


class Place(Protocol):
    """One place with an asker, who has asked nothing yet."""

    @property
    def room(self) -> str:
        """What the place is called."""

    def asks(self, question: str) -> None:
        """Ask."""

    def says(self, text: str) -> None:
        """Go on there."""

    def presses(self, button: str, *, is_other: bool = False, message: int = 0) -> None:
        """Press a button of one of the bot's messages; `button` is the end of its phrase."""

    def can_judge(self) -> bool:
        """Tell whether there is an answer that can be judged."""

    def dislikes(self, *, is_other: bool = False) -> None:
        """Say below the newest answer that it did not help."""

    def reacts(self, *, is_taken_back: bool = False) -> None:
        """Put a thumb down below the first answer, or take it away."""

    def read(self) -> list[str]:
        """Return what the bot has said there."""


@dataclass
class OnSlack:
    """A channel or direct messages; what belongs to a question stands in its thread."""

    slack: SlackServer
    channel: str
    asker: str
    other: str
    thread: str = ""

    @property
    def room(self) -> str:
        return self.channel

    def asks(self, question: str) -> None:
        text = question if self.channel != CHANNEL else f"{MENTION} {question}"
        self.thread = self.slack.says(self.asker, self.channel, text)

    def says(self, text: str) -> None:
        self.slack.says(self.asker, self.channel, text, thread=self.thread)

    def presses(self, button: str, *, is_other: bool = False, message: int = 0) -> None:
        shown = self.slack.answers(self.channel, thread=self.thread)[message]
        action = {"consent": "consent_question", "human": "ask_human"}[button]
        self.slack.clicks(self.other if is_other else self.asker, self.channel, shown.ts, action)

    def can_judge(self) -> bool:
        return bool(self._verdicts())

    def dislikes(self, *, is_other: bool = False) -> None:
        user, (answer, value) = self.other if is_other else self.asker, self._verdicts()[-1]
        self.slack.clicks(user, self.channel, answer, "answer_feedback", value=value)

    def _verdicts(self) -> list[tuple[str, str]]:
        """Return the buttons that say that an answer did not help."""
        shown = [one.ts for one in self.slack.answers(self.channel, thread=self.thread)]
        pressed = [(ts, str(one.get("value"))) for ts in shown for one in buttons(self.slack.message(self.channel, ts))]
        return [(ts, value) for ts, value in pressed if value.startswith("bad:")]

    def reacts(self, *, is_taken_back: bool = False) -> None:
        react = self.slack.unreacts if is_taken_back else self.slack.reacts
        react(self.asker, self.channel, self.slack.answers(self.channel, thread=self.thread)[0].ts, "-1")

    def read(self) -> list[str]:
        return [one.text for one in self.slack.answers(self.channel, thread=self.thread)]


@dataclass
class OnTelegram:
    """A private chat or a group."""

    telegram: TelegramServer
    chat: int
    asker: int
    other: int

    @property
    def room(self) -> str:
        return str(self.chat)

    def asks(self, question: str) -> None:
        text = question if self.chat > 0 else f"{ON_TELEGRAM_MENTION} {question}"
        self.telegram.says(self.asker, self.chat, text)

    def says(self, text: str) -> None:
        self.asks(text)

    def presses(self, button: str, *, is_other: bool = False, message: int = 0) -> None:
        shown, user = self.telegram.answers(self.chat)[message], self.other if is_other else self.asker
        self.telegram.presses(user, self.chat, shown.id, phrase(f"button_{button}", "en"))

    def can_judge(self) -> bool:
        shown = self.telegram.answers(self.chat)
        return any("👎" in button.values() for one in shown for button in one.buttons)

    def dislikes(self, *, is_other: bool = False) -> None:
        self.telegram.presses_newest(self.other if is_other else self.asker, self.chat, "👎")

    def reacts(self, *, is_taken_back: bool = False) -> None:
        answer = self.telegram.answers(self.chat)[0].id
        self.telegram.reacts(self.asker, self.chat, answer, None if is_taken_back else "👎")

    def read(self) -> list[str]:
        return [one.text for one in self.telegram.answers(self.chat)]


def place_in(office: Takeover, name: str) -> Place:
    """Return one of the `PLACES`, with an asker of its own."""
    number = next(_NUMBERS)
    on_slack = name in ("a direct message", "a thread")
    return _on_slack(office.slack, name, number) if on_slack else _on_telegram(office.telegram, name, number)


def _on_slack(slack: SlackServer, name: str, number: int) -> OnSlack:
    home = slack.workspaces[TEAM]
    asker, other = (f"U0IN{number:02d}{which}" for which in "AB")
    if CHANNEL not in home.channels:
        home.add_channel(CHANNEL)
    for user in (asker, other):
        home.add_user(user).locale = "en-US"
        slack.channel(CHANNEL).members.append(user)
    return OnSlack(slack, CHANNEL if name == "a thread" else home.dm(asker).id, asker, other)


def _on_telegram(telegram: TelegramServer, name: str, number: int) -> OnTelegram:
    asker, other, group = 930_000_000 + number, 931_000_000 + number, -4_930_000 - number
    for user in (asker, other):
        telegram.add_user(user, f"Person {user}", language="en")
    if name == "a group":
        telegram.add_group(group, [asker, other])
    return OnTelegram(telegram, group if name == "a group" else asker, asker, other)
