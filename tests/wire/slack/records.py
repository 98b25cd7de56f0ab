"""What the server saw and did: calls, deliveries, acknowledgements."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tests.wire.slack.tokens import Token

Arguments = dict[str, object]
Kind = Literal["events_api", "interactive", "slash_commands"]


@dataclass(slots=True)
class Call:
    """A call of the Web API or of a response URL.

    `at_s` and `answered_at_s` count the seconds of a steady clock; `answer` is what the method said, even where a fault
    kept it from the client (`fault` has its name then).
    """

    method: str
    args: Arguments
    headers: Mapping[str, str]
    token: str | None
    at_s: float
    status: int = 0
    answer: Mapping[str, object] | None = None
    answered_at_s: float | None = None
    fault: str | None = None
    team_id: str | None = None
    granted: Token | None = None

    @property
    def error(self) -> str | None:
        """The error code of the answer."""
        return str(self.answer["error"]) if self.answer and not self.answer.get("ok") else None

    def text(self, name: str) -> str:
        """Return an argument as text, "" where it is missing."""
        value = self.args.get(name)
        return "" if value is None else str(value)

    def flag(self, name: str) -> bool:
        """Return a yes-or-no argument."""
        return self.text(name).casefold() in {"1", "true"}


@dataclass(slots=True)
class Delivery:
    """One attempt to hand something over to the app; what is tried again is a delivery of its own.

    `response` is what the app sent along with its acknowledgement; `status` is that of HTTP. `is_over`: acknowledged,
    or no longer waited for.
    """

    kind: Kind
    payload: Mapping[str, object]
    transport: Literal["socket", "http"]
    envelope_id: str
    attempt: int
    reason: str
    at_s: float
    team_id: str | None = None
    connection: int | None = None
    acked_at_s: float | None = None
    status: int | None = None
    response: object = None
    is_over: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def event_id(self) -> str | None:
        """The id of the event, the same in every attempt."""
        return str(self.payload["event_id"]) if "event_id" in self.payload else None

    @property
    def event(self) -> Mapping[str, object]:
        """The event inside, {} where it is none."""
        event = self.payload.get("event")
        return event if isinstance(event, Mapping) else {}

    @property
    def is_acked(self) -> bool:
        """Whether the app acknowledged it, in time or not."""
        return self.acked_at_s is not None

    @property
    def latency_s(self) -> float | None:
        """How long the acknowledgement took."""
        return None if self.acked_at_s is None else self.acked_at_s - self.at_s


@dataclass(frozen=True, slots=True)
class Ack:
    """An acknowledgement; one that nobody waited for any more `is_late`."""

    envelope_id: str
    at_s: float
    latency_s: float | None
    payload: object = None
    is_late: bool = False
