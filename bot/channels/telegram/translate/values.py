"""What an update of Telegram's turns out to be: frozen values of this package."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.channels.translated import Edited, Ignored
from bot.core.feedback import Verdict
from bot.core.incoming import Incoming, Place
from bot.core.tickets.acts import Act

PLATFORM = "telegram"
# The conversation that a chat without topics is.
WHOLE_CHAT = "chat"


@dataclass(frozen=True, slots=True)
class Here:
    """What the meaning of an update depends on: who the bot is, what is switched on, and the time.

    `moved`: the earlier numbers of chats by the ones that they have now. `questions`: what a deep link asks. `desks`:
    the chats where people take over.
    """

    bot_id: str
    username: str
    now: datetime
    questions: Mapping[str, str] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    with_business: bool = False
    with_guests: bool = False
    desks: frozenset[str] = frozenset()

    def place(self, chat: int | str) -> Place:
        """Return a chat of the bot's."""
        return Place(PLATFORM, self.bot_id, str(chat))

    def is_desk(self, chat: int | str) -> bool:
        """Tell whether people take over in a chat, also by the number that it had before it moved."""
        return not self.desks.isdisjoint((str(chat), self.moved.get(str(chat), "")))


@dataclass(frozen=True, slots=True)
class Moved:
    """A group became a supergroup: its chat has another number."""

    place: Place
    chat: str


@dataclass(frozen=True, slots=True)
class Left:
    """We are no longer in a chat, or its person has blocked us; or (`is_back`) we are there again."""

    place: Place
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class Click:
    """A button was pressed: Telegram waits for a word about it, and shows a clock until then.

    `message` is the one that the button stands in, None where that is too old to be changed.
    """

    id: str
    place: Place
    actor: str
    message: int | None
    language: str


@dataclass(frozen=True, slots=True)
class Judged:
    """Somebody said whether an answer helped."""

    click: Click
    answer: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Explained:
    """Somebody said what was wrong with an answer; no reason where they would not say."""

    click: Click
    answer: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class Pressed:
    """Somebody wants something by a button that becomes a message of its own."""

    click: Click
    incoming: Incoming


@dataclass(frozen=True, slots=True)
class Acted:
    """Somebody did something to a ticket or an entry."""

    click: Click
    act: Act


@dataclass(frozen=True, slots=True)
class AskedInPrivate:
    """Somebody wants the answer to a stored question in the direct messages with us."""

    click: Click
    question: int


@dataclass(frozen=True, slots=True)
class Stale:
    """A button that means nothing any more."""

    click: Click


@dataclass(frozen=True, slots=True)
class Reacted:
    """Somebody put a thumb under a message of ours (None: took it away)."""

    place: Place
    message: str
    actor: str
    verdict: Verdict | None
    at: datetime


Clicked = Judged | Explained | Pressed | Acted | AskedInPrivate | Stale
Translated = Incoming | Edited | Moved | Left | Clicked | Reacted | Ignored
