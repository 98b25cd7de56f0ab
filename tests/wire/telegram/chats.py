"""People, chats and topics."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from tests.wire.telegram.messages import Message

ChatKind = Literal["private", "group", "supergroup", "channel"]
Membership = Literal["member", "administrator", "left", "kicked"]
GENERAL = 1


@dataclass(slots=True)
class User:
    """A person, or a bot."""

    id: int
    first_name: str
    username: str | None = None
    language_code: str | None = None
    is_bot: bool = False
    last_name: str | None = None


@dataclass(slots=True)
class Topic:
    """A topic of a forum, by the id of the message that opened it."""

    id: int
    name: str
    opened_by: int
    is_closed: bool = False


@dataclass(slots=True)
class Chat:
    """A chat with all its messages; `bot` is what the bot is in it, and `linked` the channel's discussion or back.

    `is_open` False: a person who never wrote to the bot. `migrated_to`: the supergroup that a group became.
    """

    id: int
    kind: ChatKind
    title: str = ""
    username: str | None = None
    members: list[int] = field(default_factory=list)
    bot: Membership = "member"
    is_forum: bool = False
    is_open: bool = True
    topics: dict[int, Topic] = field(default_factory=dict)
    linked: int | None = None
    migrated_to: int | None = None
    messages: dict[int, Message] = field(default_factory=dict)
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def is_group(self) -> bool:
        """Whether many people talk in it."""
        return self.kind in ("group", "supergroup")

    @property
    def has_bot(self) -> bool:
        """Whether the bot reads and writes there."""
        return self.bot in ("member", "administrator")

    def next_id(self) -> int:
        """Return the id of the next message."""
        return next(self._ids)

    def skip_to(self, message_id: int) -> None:
        """Let the next message have this id."""
        self._ids = itertools.count(message_id)

    def message(self, message_id: int) -> Message | None:
        """Return a message that is still there."""
        found = self.messages.get(message_id)
        return None if found is None or found.is_deleted else found
