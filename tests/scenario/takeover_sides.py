"""Who asks and who answers, on Slack and on Telegram, in a line each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from bot.core.phrases import phrase
from tests.wire.slack import TEAM, Post, SlackServer
from tests.wire.telegram import Media, TelegramServer

# On a loaded machine the first answer takes its time.
SEEN_WITHIN_S = 45.0
SLACK_DESK = "C0HELPERS"
# Who sits at both desks; the asker reads these names.
ANN, BOB = "Ann", "Bob"
TELEGRAM_PEOPLE = {ANN: 900_000_001, BOB: 900_000_002}


class Asker(Protocol):
    """Somebody who asks, alone with the bot."""

    def asks(self, text: str) -> None:
        """Begin a conversation."""

    def says(self, text: str) -> str:
        """Go on with it; return what the message is called."""

    def edits(self, message: str, text: str) -> None:
        """Write something else instead."""

    def sends(self, name: str, content: bytes) -> None:
        """Send a file."""

    def gives_back(self) -> None:
        """Press the button below the newest words of a person."""

    def read(self) -> list[str]:
        """Return all that the bot has said there, as it is now."""

    def files(self) -> list[str]:
        """Return the names of the files that came."""


class Desk(Protocol):
    """Where people take over one question, which nobody else asks."""

    question: str

    def card(self) -> str:
        """Return its card as it is now; "" before there is one."""

    def presses(self, who: str, kind: str) -> str:
        """Press the newest button of a kind; return what they are told."""

    def clicks(self, who: str, kind: str) -> Callable[[], str]:
        """Press it and wait for nothing; return what tells what they have been told since, "" for nothing."""

    def says(self, who: str, text: str) -> str:
        """Write in its thread; return what the message is called."""

    def edits(self, who: str, message: str, text: str) -> None:
        """Write something else instead."""

    def sends(self, who: str, name: str, content: bytes) -> None:
        """Send a file there."""

    def read(self) -> list[str]:
        """Return what the bot has said in that thread behind the card, as it is now."""

    def shown(self) -> list[str]:
        """Return all that the bot shows of it there, every card too, in whatever thread or topic."""

    def files(self) -> list[str]:
        """Return the names of the files that came."""


@dataclass
class SlackAsker:
    """Asks in direct messages."""

    slack: SlackServer
    user: str
    _said: list[str] = field(default_factory=list)

    @property
    def room(self) -> str:
        return self.slack.workspaces[TEAM].dm(self.user).id

    def asks(self, text: str) -> None:
        self._said = [self.slack.says(self.user, self.room, text)]

    def says(self, text: str) -> str:
        self._said.append(self.slack.says(self.user, self.room, text, thread=self._said[0]))
        return self._said[-1]

    def edits(self, message: str, text: str) -> None:
        self.slack.edits(self.room, message, text)

    def sends(self, name: str, content: bytes) -> None:
        self.slack.says(self.user, self.room, "", thread=self._said[0], files={name: content})

    def gives_back(self) -> None:
        shown = self.slack.answers(self.room, thread=self._said[0])
        newest = [one.ts for one in shown if "desk_return" in self.slack.buttons_of(self.room, one.ts)][-1]
        self.slack.clicks(self.user, self.room, newest, "desk_return")

    def read(self) -> list[str]:
        return [one.text for one in self.slack.answers(self.room, thread=self._said[0])]

    def files(self) -> list[str]:
        return [name for one in self.slack.answers(self.room, thread=self._said[0]) for name in one.files]


@dataclass
class TelegramAsker:
    """Asks in a private chat."""

    telegram: TelegramServer
    user: int

    def asks(self, text: str) -> None:
        self.says(text)

    def says(self, text: str) -> str:
        return str(self.telegram.says(self.user, self.user, text))

    def edits(self, message: str, text: str) -> None:
        self.telegram.edits(self.user, self.user, int(message), text)

    def sends(self, name: str, content: bytes) -> None:
        file = self.telegram.add_file("document", name, content, "application/pdf")
        self.telegram.sends_file(self.user, self.user, file)

    def gives_back(self) -> None:
        self.telegram.presses_newest(self.user, self.user, phrase("press_back", "en"))

    def read(self) -> list[str]:
        return [one.text for one in self.telegram.answers(self.user) if not one.media]

    def files(self) -> list[str]:
        return [str(name) for name, _ in self.telegram.files_sent(self.user)]


@dataclass
class SlackDesk:
    """A channel, where a ticket is a thread."""

    slack: SlackServer
    question: str
    # Each question has people of its own, so that what they are told is about it.
    people: Mapping[str, str]
    channel: str = SLACK_DESK

    def _cards(self) -> list[Post]:
        return [one for one in self.slack.answers(self.channel) if one.thread_ts is None and self.question in one.text]

    @property
    def _ts(self) -> str:
        return self._cards()[0].ts

    def _told(self, who: str) -> list[str]:
        return [one.text for one in self.slack.whispers(self.channel, self.people[who])]

    def card(self) -> str:
        return "\n".join(one.text for one in self._cards())

    def presses(self, who: str, kind: str) -> str:
        told = self.clicks(who, kind)
        self.slack.wait_until(lambda: bool(told()), SEEN_WITHIN_S)
        return told()

    def clicks(self, who: str, kind: str) -> Callable[[], str]:
        before = len(self._told(who))
        self.slack.clicks(self.people[who], self.channel, self.button(kind), f"desk_{kind}")
        return lambda: next(iter(self._told(who)[before:]), "")

    def button(self, kind: str) -> str:
        """Wait for a message with a button of a kind, and return the newest."""
        self.slack.wait_until(lambda: bool(self._with_button(kind)), SEEN_WITHIN_S)
        return self._with_button(kind)[-1]

    def _with_button(self, kind: str) -> list[str]:
        shown = [one.ts for one in self.slack.answers(self.channel, thread=self._ts)]
        return [one for one in shown if f"desk_{kind}" in self.slack.buttons_of(self.channel, one)]

    def says(self, who: str, text: str) -> str:
        return self.slack.says(self.people[who], self.channel, text, thread=self._ts)

    def edits(self, who: str, message: str, text: str) -> None:
        self.slack.edits(self.channel, message, text)

    def sends(self, who: str, name: str, content: bytes) -> None:
        self.slack.says(self.people[who], self.channel, "", thread=self._ts, files={name: content})

    def read(self) -> list[str]:
        return [one.text for one in self.slack.answers(self.channel, thread=self._ts)][1:]

    def shown(self) -> list[str]:
        return [one.text for card in self._cards() for one in self.slack.answers(self.channel, thread=card.ts)]

    def files(self) -> list[str]:
        return [name for one in self.slack.answers(self.channel, thread=self._ts) for name in one.files]


@dataclass
class TelegramDesk:
    """A forum, where a ticket is a topic."""

    telegram: TelegramServer
    chat: int
    question: str

    @property
    def _topic(self) -> int:
        """The topic that is used: of one whose opening nobody confirmed, there is another one."""
        return next((topic for topic in self.topics() if self.in_topic(topic)), 0)

    def card(self) -> str:
        shown = self.telegram.answers(self.chat, topic=self._topic)
        return shown[0].text if shown else ""

    def presses(self, who: str, kind: str) -> str:
        query = self._presses(who, kind)
        self.telegram.wait_until(lambda: self.telegram.told(query), SEEN_WITHIN_S)
        return self._told(query)

    def clicks(self, who: str, kind: str) -> Callable[[], str]:
        query = self._presses(who, kind)
        return lambda: self._told(query)

    def button(self, kind: str) -> tuple[int, str]:
        """Wait for a message with a button of a kind; return the newest, and what it says when it is pressed."""
        self.telegram.wait_until(lambda: self._with_button(kind), SEEN_WITHIN_S)
        return self._with_button(kind)[-1]

    def _with_button(self, kind: str) -> list[tuple[int, str]]:
        label = phrase(f"press_{kind}", "en")
        shown = self.telegram.answers(self.chat, topic=self._topic)
        buttons = [(one.id, button) for one in shown for button in one.buttons if button["text"] == label]
        return [(message, str(button["callback_data"])) for message, button in buttons]

    def _presses(self, who: str, kind: str) -> str:
        message, data = self.button(kind)
        return self.telegram.presses(TELEGRAM_PEOPLE[who], self.chat, message, data)

    def _told(self, query: str) -> str:
        told = self.telegram.told(query)
        return (told.text or "") if told else ""

    def says(self, who: str, text: str) -> str:
        return str(self.telegram.says(TELEGRAM_PEOPLE[who], self.chat, text, topic=self._topic))

    def edits(self, who: str, message: str, text: str) -> None:
        self.telegram.edits(TELEGRAM_PEOPLE[who], self.chat, int(message), text)

    def sends(self, who: str, name: str, content: bytes) -> None:
        file: Media = self.telegram.add_file("document", name, content, "application/pdf")
        self.telegram.sends_file(TELEGRAM_PEOPLE[who], self.chat, file, topic=self._topic)

    def read(self) -> list[str]:
        shown = self.telegram.answers(self.chat, topic=self._topic)
        return [one.text for one in shown if not one.media][1:]

    def shown(self) -> list[str]:
        topics = {*self.topics()}
        answers = self.telegram.answers(self.chat)
        return [one.text for one in answers if one.topic in topics or self.question in one.text]

    def topics(self) -> list[int]:
        """Return the topics that were opened for it."""
        return [topic for topic, name in self.telegram.topics(self.chat).items() if self.question in name]

    def in_topic(self, topic: int) -> list[str]:
        """Return what the bot has said in a topic."""
        return [one.text for one in self.telegram.answers(self.chat, topic=topic)]

    def files(self) -> list[str]:
        return [str(name) for name, _ in self.telegram.files_sent(self.chat, topic=self._topic)]
