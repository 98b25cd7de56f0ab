"""What goes wrong on purpose: what the next call gets instead of the model's answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Self

from tests.wire.anthropic.errors import STATUS_OF
from tests.wire.anthropic.plan import Block, Citation, Plan

LONGEST_RETRY_AFTER_S = 2.0
Break = Literal["cut", "error", "malformed", "silence"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong.

    With `kind` the call gets the vendor's error of that kind (inside the stream where `breaks` is "error"); with `page`
    a web page; with `is_silent` nothing, for as long as the client waits. `change` alters what the model says. `breaks`
    happens after `after_events` events; an answer that is not streamed ends in its middle, or gets the error.
    """

    kind: str | None = None
    message: str = "Told to fail."
    headers: Mapping[str, str] = field(default_factory=dict)
    page: tuple[int, bytes] | None = None
    is_silent: bool = False
    change: Callable[[Plan], Plan] | None = None
    breaks: Break | None = None
    after_events: int = 0

    def __post_init__(self) -> None:
        if self.kind is not None and self.kind not in STATUS_OF:
            raise ValueError(f"kind {self.kind!r} is none of {sorted(STATUS_OF)}")
        if float(self.headers.get("retry-after", 0)) > LONGEST_RETRY_AFTER_S:
            raise ValueError(f"retry-after {self.headers['retry-after']} is over {LONGEST_RETRY_AFTER_S} s")

    @classmethod
    def error(cls, kind: str, message: str = "Told to fail.") -> Self:
        """Answer with any error of the vendor, by its name."""
        return cls(kind=kind, message=message)

    @classmethod
    def overloaded(cls) -> Self:
        """529."""
        return cls(kind="overloaded_error", message="Overloaded")

    @classmethod
    def rate_limited(cls, retry_after_s: float = 0.3) -> Self:
        """429 with a wait."""
        message = "This request would exceed your organization's rate limit."
        return cls(kind="rate_limit_error", message=message, headers={"retry-after": f"{retry_after_s:g}"})

    @classmethod
    def spend_cap(cls) -> Self:
        """429 of a used-up spending limit: no wait is named, and trying again does not help."""
        return cls(kind="rate_limit_error", message="You have reached your specified API usage limits.")

    @classmethod
    def server_error(cls) -> Self:
        """500."""
        return cls(kind="api_error", message="Internal server error")

    @classmethod
    def html(cls, status: int = 502) -> Self:
        """A gateway's web page."""
        return cls(page=(status, b"<!DOCTYPE html><html><body><h1>Bad gateway</h1></body></html>"))

    @classmethod
    def silent(cls) -> Self:
        """The connection is accepted, the request read, and nothing comes."""
        return cls(is_silent=True)

    @classmethod
    def cut(cls, after_events: int) -> Self:
        """The connection ends after that many events."""
        return cls(breaks="cut", after_events=after_events)

    @classmethod
    def stalled(cls, after_events: int) -> Self:
        """Nothing more comes after that many events, and the connection stays."""
        return cls(breaks="silence", after_events=after_events)

    @classmethod
    def error_event(cls, after_events: int, kind: str = "overloaded_error") -> Self:
        """An error inside a stream that began with 200."""
        return cls(kind=kind, breaks="error", after_events=after_events)

    @classmethod
    def malformed(cls, after_events: int) -> Self:
        """An event whose JSON ends in its middle."""
        return cls(breaks="malformed", after_events=after_events)

    @classmethod
    def refusal(cls, category: str = "cyber") -> Self:
        """The model refuses: no content, and a stop reason that says so."""
        details = {"type": "refusal", "category": category, "explanation": None}
        return cls(change=lambda plan: replace(plan, blocks=(), stop_reason="refusal", stop_details=details))

    @classmethod
    def max_tokens(cls) -> Self:
        """The tokens end in the middle of the first sentence that can be cut."""
        return cls(change=_used_up)

    @classmethod
    def empty_text_block(cls) -> Self:
        """An answer of one text block without text."""
        return cls(change=lambda plan: replace(plan, blocks=(Block(""),)))

    @classmethod
    def no_citations(cls) -> Self:
        """The same words, citing nothing."""
        return cls(change=lambda plan: replace(plan, blocks=tuple(replace(b, citations=()) for b in plan.blocks)))

    @classmethod
    def unknown_source(cls) -> Self:
        """Citations of a source that was never sent."""
        return cls(change=_from_nowhere)


@dataclass(slots=True)
class Injection:
    """A fault that waits for calls to a path; `times` None: for all."""

    fault: Fault
    path: str
    times: int | None

    def takes(self, path: str) -> bool:
        """Tell whether a call gets the fault, and count it."""
        if self.times == 0 or not path.startswith(self.path):
            return False
        if self.times is not None:
            self.times -= 1
        return True


def _used_up(plan: Plan) -> Plan:
    for at, block in enumerate(plan.blocks):
        if len(block.text.strip()) > 3:
            half = replace(block, text=block.text[: len(block.text) // 2], finishes=None)
            return replace(plan, blocks=(*plan.blocks[:at], half), stop_reason="max_tokens")
    return replace(plan, blocks=(), stop_reason="max_tokens")


def _from_nowhere(plan: Plan) -> Plan:
    nowhere = Citation(99, 0, 1, "A sentence that nobody sent.", "https://nowhere.example/page", "Nowhere")
    blocks = (replace(block, citations=(nowhere,)) if block.citations else block for block in plan.blocks)
    return replace(plan, blocks=tuple(blocks))
