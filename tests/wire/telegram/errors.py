"""Telegram's refusals: a code, a description with its prefix, and perhaps parameters."""

from collections.abc import Mapping

PREFIXES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    409: "Conflict",
    429: "Too Many Requests",
}


class Refused(Exception):
    """What a call is answered with instead of a result."""

    def __init__(self, code: int, description: str, parameters: Mapping[str, int] | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = dict(parameters or {})


def refused(code: int, reason: str = "", **parameters: int) -> Refused:
    """Return a refusal as the real server words it: after the prefix, a first letter that is small."""
    prefix = PREFIXES[code]
    return Refused(code, f"{prefix}: {_lowered(reason)}" if reason else prefix, parameters)


def bad_request(reason: str, **parameters: int) -> Refused:
    """Return a refusal with 400."""
    return refused(400, reason, **parameters)


def flood(seconds: int) -> Refused:
    """Return a refusal with 429."""
    return refused(429, f"retry after {seconds}", retry_after=seconds)


def _lowered(reason: str) -> str:
    """Lower the first letter, unless the second is a capital or "_": those are codes."""
    is_code = len(reason) > 1 and (reason[1] == "_" or "A" <= reason[1] <= "Z")
    return reason if is_code else reason[:1].lower() + reason[1:]
