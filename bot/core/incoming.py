"""What a channel delivers, free of any platform: where it stands, who wrote it, and what it is to us."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bot.core.messages import Turn

# Who reads along: the asker alone, a group of invited people, the members of a private or of a public channel, or also
# people of another organisation.
Company = Literal["direct", "group", "private", "public", "shared"]
# How it came: written in the conversation, or by a command, a shortcut on somebody's message, or a button of ours; a
# request is about the bot and what it has said ("help", "sources"), and is no question to the documents. An errand
# nobody wrote: something is to be said to a desk, or to an asker in the name of one (`bot.core.desk`).
Origin = Literal["message", "command", "shortcut", "button", "request", "errand"]


@dataclass(frozen=True, slots=True)
class Place:
    """A channel or chat of a platform; `workspace` is the team or the bot that it belongs to."""

    platform: str
    workspace: str
    channel: str

    def __str__(self) -> str:
        """Return what stands for the place in logs and locks."""
        return f"{self.platform}:{self.workspace}:{self.channel}"


@dataclass(frozen=True, slots=True)
class Incoming:
    """Something a person wrote or pressed; `place` and `message` together identify it, however often it comes.

    `thread` is the message that its thread hangs from, None at the top level. `conversation` is set where what belongs
    together is no thread, but a whole chat or topic: its messages are answered one after another. `is_addressed`: it
    was written to us, by a mention, in a direct message, by command or button.

    `wire` is what only the channel itself understands, and these: "human" (a person is wanted, for the answer with that
    number or, where it is empty, for the text), "again" (the stored message with that number is asked once more),
    "request" and "about" (see `requests`), "reply_to" (the message that it replies to), "was" (what its channel was
    called before it moved), "recording" (its words were said aloud), "name" (its author's, as the platform shows it),
    "named" (we are called by name in it), "files" (see `tickets.files`), "foreign" (its author is of another
    organisation), "consent" (the question of the message with that number may go to a person), "disliked" (the answer
    that a person is wanted for did not help), "below" (the message that was pressed or judged), "part" (which one
    of several deliveries that are one message).
    """

    place: Place
    message: str
    author: str
    text: str
    sent_at: datetime
    company: Company
    thread: str | None = None
    is_addressed: bool = False
    origin: Origin = "message"
    language: str | None = None
    has_files: bool = False
    wire: Mapping[str, str] = field(default_factory=dict)
    conversation: str | None = None

    @property
    def channels(self) -> tuple[str, ...]:
        """What its channel is called, and what it was called before it moved."""
        return (self.place.channel, *([was] if (was := self.wire.get("was")) else []))

    @property
    def kind(self) -> str:
        """What it is: of an errand its kind, else how it came."""
        return self.wire.get("errand", self.origin)

    @property
    def root(self) -> str:
        """What its conversation is known by in its place."""
        return self.conversation or self.thread or self.message


@dataclass(frozen=True, slots=True)
class Question:
    """A stored message whose turn has come, with those that were joined to it.

    `number` is its row. `is_follow_up`: it stands in a thread that we are in. `has_reply`: a reply is planned already,
    by an attempt that ended before all of it was sent. `is_over_limit`: its author or place has asked too much for now.
    `attempts` counts this one. `version` grows with each edit. `shown`: what the reply to its earlier text was sent as,
    in order, which the new reply takes the place of.
    """

    number: int
    incoming: Incoming
    text: str
    attempts: int
    version: int
    is_follow_up: bool = False
    has_reply: bool = False
    is_over_limit: bool = False
    history: tuple[Turn, ...] = ()
    shown: tuple[str, ...] = ()

    @property
    def root(self) -> str:
        """What its conversation is known by: on a platform with threads the message that the reply hangs from."""
        return self.incoming.root
