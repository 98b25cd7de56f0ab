"""Refusals in the vendor's form."""

from collections.abc import Mapping

STATUS_OF = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "overloaded_error": 529,
}


class Refused(Exception):
    """The request gets an error of this kind instead of an answer."""

    def __init__(self, message: str, kind: str = "invalid_request_error") -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind

    @property
    def status(self) -> int:
        """The HTTP status of its kind."""
        return STATUS_OF[self.kind]


def error_body(kind: str, message: str, request_id: str) -> Mapping[str, object]:
    """Return the body of a refusal."""
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": request_id}
