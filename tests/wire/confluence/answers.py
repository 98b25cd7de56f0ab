"""Requests, answers and refusals.

Error bodies: v1 as documented ({"statusCode", "data", "message"}); v2, for which the vendor documents no form, as seen
in the wild ({"errors": [{"status", "code", "title", "detail"}]}); 401 of Cloud as plain text, as seen in the wild. The
exact texts are not verified: nothing may depend on them.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Self
from urllib.parse import unquote_plus

JSON = {"Content-Type": "application/json"}
API_EXCEPTIONS = "com.atlassian.confluence.api.service.exceptions"


@dataclass(frozen=True, slots=True)
class Request:
    """A call as it arrived.

    Path and query are decoded, a parameter that came several times has its values joined by commas, header names are in
    lower case, `at_s` counts the seconds of a steady clock.
    """

    method: str
    path: str
    query: Mapping[str, str]
    raw_query: str
    headers: Mapping[str, str]
    body: bytes
    at_s: float

    @property
    def call(self) -> str:
        """The call in one line, "GET /path?a=b", decoded: what patterns are searched in."""
        return f"{self.method} {self.path}" + (f"?{unquote_plus(self.raw_query)}" if self.raw_query else "")

    @property
    def expand(self) -> frozenset[str]:
        """What a v1 call asks to expand."""
        return frozenset(filter(None, self.query.get("expand", "").replace(" ", "").split(",")))


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent back; with `cut_after_bytes` the connection ends there."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    cut_after_bytes: int | None = None

    @classmethod
    def of(cls, value: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Self:
        """Answer with JSON."""
        return cls(status, {**JSON, **(headers or {})}, json.dumps(value).encode())


class Refused(Exception):
    """The call gets an error instead of data."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(f"status {answer.status}")
        self.answer = answer

    @classmethod
    def v1(cls, status: int, message: str, headers: Mapping[str, str] | None = None) -> Self:
        """Refuse in the form of v1 and Data Center."""
        data = {"authorized": status not in {401, 403}, "valid": status != 400, "errors": [], "successful": False}
        body = {"statusCode": status, "data": data, "message": message}
        return cls(Answer.of(body, status=status, headers=headers))

    @classmethod
    def v2(cls, status: int, title: str, detail: str | None = None, headers: Mapping[str, str] | None = None) -> Self:
        """Refuse in the form of v2."""
        code = {400: "INVALID_REQUEST_PARAMETER"}.get(status, HTTPStatus(status).name)
        error = {"status": status, "code": code, "title": title, "detail": detail}
        return cls(Answer.of({"errors": [error]}, status=status, headers=headers))

    @classmethod
    def missing(cls, kind: str, key: str) -> Self:
        """404 of v1: it does not exist, or the caller may not see it."""
        return cls.v1(404, f"{API_EXCEPTIONS}.NotFoundException: No {kind} found with id or key: {key}")

    @classmethod
    def bad(cls, message: str) -> Self:
        """400 of v1."""
        return cls.v1(400, f"{API_EXCEPTIONS}.BadRequestException: {message}")
