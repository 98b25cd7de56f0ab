"""What Slack or the way to it refuses, in our own errors: sorted by what the caller does next, never with a token.

A refusal has a code in `error`, nearly always with HTTP 200; only 429 and 5xx are told by the status
(docs.slack.dev/apis/web-api/using-the-slack-web-api).
"""

import re
from collections.abc import Awaitable, Mapping
from typing import TypeVar

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError, SlackTokenRotationError

from bot.core.errors import MaybeSent, Undeliverable
from knowledge.errors import RateLimited, SettingsProblem, TransientError

# What is waited for where Slack says "too many" without a time.
DEFAULT_RETRY_AFTER_S = 30.0
REMEDIES = {
    "invalid_auth": "copy the Bot User OAuth Token (xoxb-) anew: api.slack.com/apps, OAuth & Permissions",
    "not_authed": "set the Bot User OAuth Token (xoxb-): api.slack.com/apps, OAuth & Permissions",
    "account_inactive": "the app was removed from the workspace; install it again: api.slack.com/apps, Install App",
    "token_revoked": "the token was revoked; install the app again: api.slack.com/apps, Install App",
    "token_expired": "install the app again: api.slack.com/apps, Install App",
    "invalid_refresh_token": "install the app again, for its tokens can no longer be renewed",
    "bad_client_secret": "copy SLACK_CLIENT_SECRET anew: api.slack.com/apps, Basic Information",
    "invalid_client_id": "copy SLACK_CLIENT_ID anew: api.slack.com/apps, Basic Information",
    "not_allowed_token_type": "this is another kind of token: xoxb- is the bot's, xapp- the app's for Socket Mode",
    "missing_scope": "add the scope, then install the app again: api.slack.com/apps, OAuth & Permissions",
    "no_permission": "a workspace administrator has to allow the app to do this",
    "org_login_required": "the workspace is being moved to an organisation; install the app again afterwards",
    "team_access_not_granted": "an organisation administrator has to add the app to the workspace",
    "access_denied": "a workspace administrator has to allow the app to do this",
    "ekm_access_denied": "the organisation's administrators have suspended this by their encryption keys",
    "socket_mode_not_enabled": "switch it on: api.slack.com/apps, your app, Socket Mode",
    "invalid_app_id": "create the app from the printed manifest: answerdesk slack manifest",
}
# Slack may have done it nevertheless (docs.slack.dev/reference/methods/chat.postMessage, "fatal_error").
UNCERTAIN = frozenset({"fatal_error", "internal_error", "request_timeout", "service_unavailable", "team_added_to_org"})
LIMITED = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded"})
_TOKENS = re.compile(r"xox[a-z.]*-[\w.%-]+|xapp-[\w.%-]+|(?<=ticket=)[\w.%-]+", re.IGNORECASE)

Problem = RateLimited | TransientError | SettingsProblem | Undeliverable | MaybeSent
Result = TypeVar("Result")
# What a call to the SDK can raise; a timeout of aiohttp is a TimeoutError.
SDK_ERRORS = (SlackClientError, aiohttp.ClientError, TimeoutError, OSError)


async def asked(call: Awaitable[Result], method: str) -> Result:
    """Return what Slack answers to a call of the SDK; its exceptions come as ours."""
    try:
        return await call
    except SDK_ERRORS as exc:
        raise slack_error(exc, method) from exc


def slack_error(exc: Exception, method: str = "the Web API", *, writes: bool = False) -> Problem:
    """Return the error of ours for one of the SDK's; with `writes`, MaybeSent where nobody knows what Slack did."""
    if isinstance(exc, SlackTokenRotationError):
        return slack_error(exc.api_error, "oauth.v2.access")
    if not isinstance(exc, SlackApiError):
        return _lost(exc, method, writes=writes)
    code, status = code_of(exc), _status(exc)
    if status == 429 or code in LIMITED:
        wait_s = retry_after_s(getattr(exc.response, "headers", None) or {})
        return RateLimited(f"Slack limits {method} for {wait_s:g} s", retry_after_s=wait_s)
    if status >= 500 or code in UNCERTAIN or not code:
        said = f"Slack failed at {method}: {code or f'HTTP {status}, without a reason'}"
        return MaybeSent(said) if writes else TransientError(f"{said}; it may work later")
    if code in REMEDIES:
        return SettingsProblem(f"Slack refuses {method}: {code}{_scope(exc)}; {REMEDIES[code]}")
    return Undeliverable(f"Slack refuses {method}: {code}")


def code_of(exc: BaseException | None) -> str:
    """Return Slack's code for a refusal, also of the error that `slack_error` made of it; "" where there is none."""
    if exc is not None and not isinstance(exc, SlackApiError):
        return code_of(exc.__cause__)
    data = _data(exc) if exc else {}
    return str(data.get("error") or "")


def retry_after_s(headers: Mapping[str, object]) -> float:
    """Return for how long Slack wants to hear nothing, by the headers of its answer."""
    given = next((str(value) for name, value in headers.items() if name.lower() == "retry-after"), "")
    return float(given) if given.isascii() and given.isdigit() else DEFAULT_RETRY_AFTER_S


def masked(text: str) -> str:
    """Return a text without anything that looks like a token of Slack's."""
    return _TOKENS.sub("(secret)", text)


def _lost(exc: Exception, method: str, *, writes: bool) -> Problem:
    """Return what a broken connection means: only one that was never made has surely not sent anything."""
    said = f"Slack did not answer {method}: {type(exc).__name__}"
    if writes and not isinstance(exc, aiohttp.ClientConnectorError):
        return MaybeSent(said)
    return TransientError(f"{said}; see whether slack.com can be reached")


def _data(exc: SlackApiError) -> dict[str, object]:
    # Where Slack's answer is no JSON at all, the SDK hands over the bare answer of its HTTP library instead.
    data = getattr(exc.response, "data", None)
    return data if isinstance(data, dict) else exc.response if isinstance(exc.response, dict) else {}


def _status(exc: SlackApiError) -> int:
    status = getattr(exc.response, "status_code", None) or getattr(exc.response, "status", None)
    return status if isinstance(status, int) else 200


def _scope(exc: SlackApiError) -> str:
    needed = _data(exc).get("needed")
    return f" ({needed})" if needed else ""
