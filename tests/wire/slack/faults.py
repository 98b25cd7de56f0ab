"""Faults that a test orders for the next calls of a method."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

LONGEST_WAIT_S = 2.0


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to a call instead of, or after, the work that it asks for."""

    name: str
    does_work: bool = False
    status: int = 200
    body: Mapping[str, object] | None = None
    page: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    hangs_up: bool = False

    def __post_init__(self) -> None:
        assert self.wait_s <= LONGEST_WAIT_S

    @classmethod
    def error(cls, code: str, **more: object) -> Self:
        """200 with an error code."""
        return cls(code, body={"ok": False, "error": code, **more})

    @classmethod
    def rate_limited(cls, retry_after_s: int = 1) -> Self:
        """429 with a wait."""
        headers = {"Retry-After": str(retry_after_s)}
        return cls("ratelimited", status=429, body={"ok": False, "error": "ratelimited"}, headers=headers)

    @classmethod
    def html(cls, status: int = 503) -> Self:
        """A gateway's web page."""
        return cls(f"html {status}", status=status, page="<!DOCTYPE html><html><body>Server Error</body></html>")

    @classmethod
    def server_error(cls, status: int = 500) -> Self:
        """5xx in JSON."""
        return cls("internal_error", status=status, body={"ok": False, "error": "internal_error"})

    @classmethod
    def hang_up(cls) -> Self:
        """The connection ends, and nothing is done."""
        return cls("hang_up", hangs_up=True)

    @classmethod
    def lost_confirmation(cls) -> Self:
        """All is done, and the connection ends before the answer."""
        return cls("lost_confirmation", does_work=True, hangs_up=True)

    @classmethod
    def failed_confirmation(cls, status: int = 503) -> Self:
        """All is done, and a gateway's page comes instead of the answer."""
        return cls("failed_confirmation", does_work=True, status=status, page="<html>Server Error</html>")

    @classmethod
    def silent(cls, seconds: float = LONGEST_WAIT_S, *, does_work: bool = False) -> Self:
        """Nothing comes for a while, then the connection ends."""
        return cls("silent", does_work=does_work, wait_s=seconds, hangs_up=True)

    @classmethod
    def delayed(cls, seconds: float) -> Self:
        """The work is done at once, and the answer comes late."""
        return cls("delayed", does_work=True, wait_s=seconds)
