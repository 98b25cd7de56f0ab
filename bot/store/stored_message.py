"""A message as its row has it, there and back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from bot.core.incoming import Company, Incoming, Origin, Place
from knowledge.prepare import storable


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A row, and what its conversation says of it: whether it is ours, and which ticket's owner has it."""

    id: int
    platform: str
    workspace: str
    channel: str
    message: str
    thread: str | None
    author: str
    text: str
    company: Company
    is_addressed: bool
    origin: Origin
    language: str | None
    has_files: bool
    wire: Mapping[str, str]
    conversation: str | None
    state: str
    version: int
    reason: str | None
    sent_at: datetime
    is_ours: bool
    held_by: int | None

    @property
    def incoming(self) -> Incoming:
        """The message as its channel delivered it."""
        return Incoming(
            Place(self.platform, self.workspace, self.channel),
            self.message,
            self.author,
            self.text,
            self.sent_at,
            self.company,
            self.thread,
            self.is_addressed,
            self.origin,
            self.language,
            self.has_files,
            self.wire,
            self.conversation,
        )


def incoming_of(row: Mapping[str, Any]) -> Incoming:
    """Return a message by the columns of its row; `message_language` is the one of its author's app."""
    return Incoming(
        Place(row["platform"], row["workspace"], row["channel"]),
        row["message"],
        row["author"],
        row["text"],
        row["sent_at"],
        row["company"],
        row["thread"],
        row["is_addressed"],
        row["origin"],
        row["message_language"],
        row["has_files"],
        row["wire"],
        row["conversation"],
    )


def place_row(place: Place) -> dict[str, object]:
    """Return a place as parameters."""
    return {
        "platform": storable(place.platform),
        "workspace": storable(place.workspace),
        "channel": storable(place.channel),
    }


def message_row(incoming: Incoming) -> dict[str, object]:
    """Return a message as parameters, without what no database stores."""
    return {
        **place_row(incoming.place),
        "message": storable(incoming.message),
        "root": storable(incoming.root),
        "conversation": incoming.conversation and storable(incoming.conversation),
        "thread": incoming.thread and storable(incoming.thread),
        "author": storable(incoming.author),
        "text": storable(incoming.text),
        "company": incoming.company,
        "is_addressed": incoming.is_addressed,
        "origin": incoming.origin,
        "language": incoming.language and storable(incoming.language),
        "has_files": incoming.has_files,
        "wire": Jsonb({storable(key): storable(value) for key, value in incoming.wire.items()}),
        "sent_at": incoming.sent_at,
    }


def conversation_lock(place: Place, root: str) -> str:
    """Return what the jobs of one thread share, that of its first message too: they are done one after another."""
    return storable(f"{place}:{root}")
