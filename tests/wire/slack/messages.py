"""Messages, and all that a person could see of them over time."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tests.wire.slack.visible import reading_of

Blocks = list[dict[str, object]]
StreamState = Literal["open", "stopped", "closed", "stopped_by_user"]


@dataclass(frozen=True, slots=True)
class Moment:
    """What a message showed from then on; None: it was gone."""

    at_s: float
    text: str | None
    is_streaming: bool = False


@dataclass(slots=True)
class Stream:
    """The streaming of a message: it takes either text or chunks, whichever came first."""

    state: StreamState = "open"
    mode: Literal["text", "chunks"] | None = None
    recipient: str | None = None
    tasks: dict[str, dict[str, object]] = field(default_factory=dict)
    plan: str | None = None


@dataclass(slots=True)
class Message:
    """A message as it is now, with its past in `moments`; `streamed` is the text that came by streaming."""

    ts: str
    user: str
    team_id: str
    text: str = ""
    blocks: Blocks = field(default_factory=list)
    thread_ts: str | None = None
    bot_id: str | None = None
    is_ours: bool = False
    subtype: str | None = None
    metadata: Mapping[str, object] | None = None
    files: list[dict[str, object]] = field(default_factory=list)
    client_msg_id: str | None = None
    edited: dict[str, str] | None = None
    reactions: dict[str, list[str]] = field(default_factory=dict)
    streamed: str = ""
    stream: Stream | None = None
    ephemeral_to: str | None = None
    is_deleted: bool = False
    is_broadcast: bool = False
    moments: list[Moment] = field(default_factory=list)

    @property
    def is_streaming(self) -> bool:
        """Whether text may still be appended."""
        return self.stream is not None and self.stream.state == "open"

    @property
    def reading(self) -> str:
        """What a person reads now."""
        return reading_of({"text": self.text, "blocks": self.blocks}, self.streamed)

    def note(self) -> None:
        """Note what is to be seen from now on."""
        text = None if self.is_deleted else self.reading
        self.moments.append(Moment(time.monotonic(), text, self.is_streaming))


class Clock:
    """Gives every message a ts of its own, in their order."""

    def __init__(self) -> None:
        self._last_us = 0

    def ts(self) -> str:
        """Return the next ts."""
        self._last_us = max(time.time_ns() // 1000, self._last_us + 1)
        return f"{self._last_us // 1_000_000}.{self._last_us % 1_000_000:06d}"
