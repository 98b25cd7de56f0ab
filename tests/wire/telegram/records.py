"""What the server saw and did: calls, polls, deliveries, refusals."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Arguments = dict[str, object]
Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Uploaded:
    """A file that a call brings along."""

    name: str
    content: bytes = field(repr=False)
    media_type: str = ""


@dataclass(slots=True)
class Call:
    """A call of a method, named as in Telegram's documentation.

    `at_s` and `answered_at_s` count the seconds of a steady clock; `answer` is what the server said, even where a fault
    kept it from the client (`fault` has its name then).
    """

    method: str
    args: Arguments
    at_s: float
    http_method: str = "POST"
    status: int = 0
    answer: Mapping[str, object] | None = None
    answered_at_s: float | None = None
    fault: str | None = None

    @property
    def chat(self) -> int | str | None:
        """The chat that the call is about, a number wherever it is one."""
        value = self.args.get("chat_id")
        text = str(value)
        return int(text) if text.lstrip("-").isdigit() else None if value is None else text

    @property
    def error(self) -> str | None:
        """The description of the refusal."""
        return str(self.answer["description"]) if self.answer and not self.answer.get("ok") else None

    @property
    def result(self) -> object:
        """What the call was answered with, None where it was refused."""
        return self.answer.get("result") if self.answer else None

    def text(self, name: str) -> str:
        """Return an argument as text, "" where it is missing."""
        value = self.args.get(name)
        return "" if value is None else str(value)

    def number(self, name: str, default: int = 0) -> int:
        """Return an argument as a number, the default where it is missing or none."""
        try:
            return int(self.text(name))
        except ValueError:
            return default

    def flag(self, name: str) -> bool:
        """Return a yes-or-no argument."""
        return self.text(name).casefold() in {"1", "true"}

    def mapping(self, name: str) -> Mapping[str, object]:
        """Return an argument that is an object, {} where it is missing or none."""
        value = self.args.get(name)
        return value if isinstance(value, Mapping) else {}

    def items(self, name: str) -> list[object]:
        """Return an argument that is a list, [] where it is missing or none."""
        value = self.args.get(name)
        return value if isinstance(value, list) else []


@dataclass(slots=True)
class Poll:
    """One getUpdates: from which update on, what it confirmed, what it brought, how it ended."""

    offset: int
    at_s: float
    confirmed: tuple[int, ...] = ()
    returned: tuple[int, ...] = ()
    ended_at_s: float | None = None
    outcome: Literal["held", "answered", "conflict"] = "held"


@dataclass(slots=True)
class Delivery:
    """One attempt to deliver an update to the webhook; `status` None: the connection failed."""

    update: Mapping[str, object]
    attempt: int
    at_s: float
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int | None = None
    ended_at_s: float | None = None

    @property
    def is_confirmed(self) -> bool:
        """Whether the bot took it."""
        return self.status is not None and 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class CallbackAnswer:
    """What a person who pressed a button was shown."""

    query_id: str
    text: str
    is_alert: bool
    at_s: float


@dataclass(frozen=True, slots=True)
class Draft:
    """What a draft showed from then on; "" is the sign that something is being written."""

    chat: int
    topic: int | None
    draft_id: int
    text: str
    at_s: float
    entities: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """A chat action, such as typing."""

    chat: int
    topic: int | None
    action: str
    at_s: float
