"""What a channel delivers, free of any platform: where it stands, who wrote it, and what it is to us."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bot.core.messages import Turn

# Who reads along: the asker alone, a group of invited people, the members of a private or of a public channel, or also
# people of another organisation.
Company = Literal["direct", "group", "private", "public", "shared"]
# How it came: written in the conversation, or by a command, a shortcut on somebody's message, or a button of ours.
Origin = Literal["message", "command", "shortcut", "button"]


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

    `thread` is the message that its thread hangs from, None at the top level. `is_addressed`: it was written to us, by
    a mention, in a direct message, by command or button. `wire` is what only the channel itself understands.
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


@dataclass(frozen=True, slots=True)
class Question:
    """A stored message whose turn has come, with those that were joined to it.

    `number` is its row. `is_follow_up`: it stands in a thread that we are in. `has_reply`: a reply is planned already,
    by an attempt that ended before all of it was sent. `is_over_limit`: its author or place has asked too much for now.
    `attempts` counts this one. `version` grows with each edit.
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

    @property
    def root(self) -> str:
        """The message that the thread of the reply hangs from."""
        return self.incoming.thread or self.incoming.message
