"""What can go wrong between us and the server, as one kind of failure with its remedy; never with the key in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import anthropic
import httpx2

from bot.llm.claude.patience import CallFailed

MAX_DETAIL_CHARACTERS = 200
_SPEND_CAP = (
    "the spending limit of the account is reached (429 without a time to wait); "
    "raise it in the provider's console, or wait for the next period: until then answers are extractive"
)
_REMEDIES = {
    401: "the key is refused (401); put a valid one in ANTHROPIC_API_KEY",
    402: "the account cannot pay (402); add credit in the provider's console",
    403: "the key may not use this model (403); choose another `model` in [answer], or have it permitted",
    404: "there is no such model or address (404); correct `model` or `base_url` in [answer]",
}
# An error inside of a stream has no status of its own, only its type.
_STATUS_OF = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_WITH_OK = 200
_MAY_PASS = frozenset({408, 409})
_OF_THE_REQUEST = frozenset({400, 413, 422})
_RATE_LIMITED = 429
_SERVER_ERRORS_FROM = 500


@contextmanager
def failures_as_ours(key: str) -> Iterator[None]:
    """Turn every exception of the SDK, of its HTTP client, or of malformed data into CallFailed."""
    try:
        yield
    except anthropic.APIStatusError as exc:
        # Not chained: the exception holds the server's words, which might repeat the key.
        raise of_status(exc, key) from None
    except (anthropic.APITimeoutError, httpx2.TimeoutException, TimeoutError) as exc:
        raise CallFailed("the server does not answer in time", may_pass=True) from exc
    except anthropic.APIConnectionError as exc:
        raise CallFailed("the server cannot be reached; is `base_url` right?", may_pass=True) from exc
    except (httpx2.HTTPError, httpx2.StreamError, OSError) as exc:
        raise CallFailed(f"the connection broke ({type(exc).__name__})", may_pass=True) from exc
    except (anthropic.AnthropicError, httpx2.InvalidURL, ValueError, TypeError) as exc:
        raise CallFailed(f"the server sent no proper answer ({type(exc).__name__})") from exc


def of_status(exc: anthropic.APIStatusError, key: str) -> CallFailed:
    """Return the failure that a status, or an error inside of a stream, stands for."""
    status = exc.status_code if exc.status_code != _WITH_OK else _STATUS_OF.get(str(exc.type), _SERVER_ERRORS_FROM)
    wait_s = retry_after_s(exc.response.headers.get("retry-after"), datetime.now(UTC))
    if status == _RATE_LIMITED:
        reason = _SPEND_CAP if wait_s is None else f"too many requests (429); asked to wait {wait_s:.1f} s"
        return CallFailed(reason, status=status, may_pass=wait_s is not None, wait_s=wait_s)
    may_pass = status in _MAY_PASS or status >= _SERVER_ERRORS_FROM
    if status in _REMEDIES:
        return CallFailed(_REMEDIES[status], status=status)
    said = _detail(exc.api_message, key)
    is_request = status in _OF_THE_REQUEST
    return CallFailed(f"{status}{said}", status=status, may_pass=may_pass, wait_s=wait_s, is_request=is_request)


def retry_after_s(value: str | None, now: datetime) -> float | None:
    """Read a Retry-After header, seconds or a date; None where there is none that can be read."""
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _detail(said: object, key: str) -> str:
    if not isinstance(said, str) or not said:
        return ""
    return f": {' '.join(said.replace(key, '***').split())[:MAX_DETAIL_CHARACTERS]}"
