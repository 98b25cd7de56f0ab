"""What goes wrong on purpose: which call gets which answer, and how lists misbehave."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

LONGEST_DELAY_S = 2.0


@dataclass(frozen=True, slots=True)
class Fault:
    """What a call gets instead of its answer.

    Without `status` the real answer comes, after `delay_s`. Without `body` the vendor's error body for it comes.
    With `cut_after_bytes` the connection is closed after that many bytes of the body (0: before any byte is sent).
    """

    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    delay_s: float = 0.0
    cut_after_bytes: int | None = None

    def __post_init__(self) -> None:
        if self.delay_s > LONGEST_DELAY_S:
            raise ValueError(f"delay_s {self.delay_s} is longer than {LONGEST_DELAY_S}; tests must stay fast")

    @classmethod
    def rate_limited(cls, retry_after_s: int | None = 1) -> Self:
        """429; None leaves Retry-After out."""
        return cls(status=429, headers=_retry_after(retry_after_s))

    @classmethod
    def unavailable(cls, retry_after_s: int | None = None) -> Self:
        """503, with or without Retry-After."""
        return cls(status=503, headers=_retry_after(retry_after_s))

    @classmethod
    def server_error(cls) -> Self:
        """500 with the vendor's error body."""
        return cls(status=500)

    @classmethod
    def broken_json(cls) -> Self:
        """200 whose JSON ends in the middle."""
        return cls(status=200, headers={"Content-Type": "application/json"}, body=b'{"results": [{"id": "1000')

    @classmethod
    def html(cls, status: int = 200) -> Self:
        """A web page, as a login form or a gateway sends it."""
        page = b"<!DOCTYPE html><html><body><h1>Log in</h1></body></html>"
        return cls(status=status, headers={"Content-Type": "text/html;charset=UTF-8"}, body=page)

    @classmethod
    def cut(cls, after_bytes: int = 0) -> Self:
        """The connection closed in the middle of the real answer."""
        return cls(cut_after_bytes=after_bytes)

    @classmethod
    def slow(cls, delay_s: float) -> Self:
        """The real answer, later."""
        return cls(delay_s=delay_s)

    @classmethod
    def redirect(cls, location: str, status: int = 302) -> Self:
        """A redirect to anywhere."""
        return cls(status=status, headers={"Location": location}, body=b"")


@dataclass(slots=True)
class Injection:
    """A fault that waits for its calls: it passes over `skip` matching ones, then answers `times` (None: all)."""

    pattern: re.Pattern[str]
    fault: Fault
    skip: int
    times: int | None

    def takes(self, call: str) -> bool:
        """Tell whether this call ("GET /path?query", decoded) gets the fault, and count it."""
        if self.times == 0 or not self.pattern.search(call):
            return False
        if self.skip:
            self.skip -= 1
            return False
        if self.times is not None:
            self.times -= 1
        return True


@dataclass(slots=True)
class Behaviour:
    """How the lists and downloads of a server misbehave or are limited; tests change it while the server runs."""

    repeat_items: bool = False
    """The last item of a page of a list comes again as the first of the next."""
    listing_ends_after: int | None = None
    """A v2 listing leaves out `next` after this many pages although there is more (CONFCLOUD-84015)."""
    largest_page: int | None = None
    """No page of a list holds more items than this, whatever `limit` says."""
    embedded_subjects: int = 200
    """How many users and how many groups of a restriction come embedded in a list of contents."""
    download_location: str | None = None
    """Where Cloud sends a download; None is the server's own media host."""


def _retry_after(seconds: int | None) -> dict[str, str]:
    return {} if seconds is None else {"Retry-After": str(seconds)}
