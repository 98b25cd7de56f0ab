"""What a desk or an asker is shown, free of any platform: parts of text, links, buttons, files."""

from dataclasses import dataclass
from typing import Literal

from bot.core.incoming import Place
from bot.core.tickets.acts import ActKind
from bot.core.tickets.files import File

# title: one line, prominent. text: a paragraph as written. quote: what somebody said, word for word. item: one of a
# list. small: what is looked at last.
Style = Literal["title", "text", "quote", "item", "small"]
# Where words are asked for after the button is pressed: a form, or a message to reply to.
WORDED: frozenset[ActKind] = frozenset({"reply", "ask", "note", "reword"})


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph; `label` stands before it, and `url` behind it or below its words."""

    text: str
    style: Style = "text"
    label: str = ""
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Press:
    """A button: what is done to the ticket or entry `number` when it is pressed.

    Kinds in `WORDED` ask for words first; `fields` are those that stand there already, by "text" or "question" and
    "answer", where a form can show them.
    """

    kind: ActKind
    number: int
    label: str
    fields: tuple[tuple[str, str], ...] = ()
    # The one that most people press.
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class Post:
    """A message to people; `plain` is what the transcript keeps of it."""

    parts: tuple[Part, ...]
    presses: tuple[tuple[Press, ...], ...] = ()
    files: tuple[File, ...] = ()
    language: str = "en"
    plain: str = ""
    # Words are asked for: the message is one to reply to, by this person ("platform:author").
    prompts: str | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a post goes: a place, a thread or topic in it, a message that it replies to.

    `replaces`: the platform's name of the message whose place it takes. `key` names what it is for: it becomes the
    parcel's marker. `after`: what is looked for again stands behind this moment's messages (seconds since 1970).
    `alone`: the person there who alone may see it.
    """

    place: Place
    key: str
    after: float
    thread: str | None = None
    reply_to: str | None = None
    replaces: str | None = None
    alone: str | None = None
