"""Slack's refusals become what the caller does next."""

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError, SlackTokenRotationError

from bot.channels.slack.errors import code_of, masked, slack_error
from bot.core.errors import MaybeSent, Undeliverable
from knowledge.errors import RateLimited, SettingsProblem, TransientError


class Answer:
    """What the SDK hands over with its error."""

    def __init__(self, data: object, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self.data = data
        self.status_code = status
        self.headers = headers or {}


def raised_with(answer: Answer) -> SlackApiError:
    return SlackApiError("no", answer)  # type: ignore[no-untyped-call] # the SDK gives no types here


def refusal(code: str, status: int = 200, **more: object) -> SlackApiError:
    return raised_with(Answer({"ok": False, "error": code, **more}, status))


UNREACHABLE = aiohttp.ClientConnectorError(connection_key=None, os_error=OSError(111, "refused"))  # type: ignore[arg-type] # no key is needed to be an error


@pytest.mark.parametrize(
    ("raised", "read", "written"),
    [
        (refusal("channel_not_found"), Undeliverable, Undeliverable),
        (refusal("is_archived"), Undeliverable, Undeliverable),
        (refusal("something_new"), Undeliverable, Undeliverable),
        (refusal("invalid_auth"), SettingsProblem, SettingsProblem),
        (refusal("token_revoked"), SettingsProblem, SettingsProblem),
        (refusal("missing_scope", needed="chat:write"), SettingsProblem, SettingsProblem),
        (SlackTokenRotationError(refusal("invalid_refresh_token")), SettingsProblem, SettingsProblem),
        (refusal("ratelimited", 429), RateLimited, RateLimited),
        (refusal("rate_limited"), RateLimited, RateLimited),
        (refusal("fatal_error"), TransientError, MaybeSent),
        (refusal("internal_error"), TransientError, MaybeSent),
        (raised_with(Answer({}, 503)), TransientError, MaybeSent),
        (raised_with(Answer(b"<html>", 502)), TransientError, MaybeSent),
        (UNREACHABLE, TransientError, TransientError),
        (aiohttp.ServerDisconnectedError(), TransientError, MaybeSent),
        (aiohttp.ClientPayloadError(), TransientError, MaybeSent),
        (TimeoutError(), TransientError, MaybeSent),
        (TimeoutError(), TransientError, MaybeSent),
        (ConnectionResetError(), TransientError, MaybeSent),
    ],
)
def test_each_refusal_says_what_to_do_next(raised: Exception, read: type, written: type) -> None:
    assert type(slack_error(raised, "chat.postMessage")) is read
    assert type(slack_error(raised, "chat.postMessage", writes=True)) is written


@pytest.mark.parametrize(("header", "wait_s"), [("7", 7.0), ("soon", 30.0), ("", 30.0)])
def test_slack_says_how_long_to_wait(header: str, wait_s: float) -> None:
    limited = raised_with(Answer({"ok": False, "error": "ratelimited"}, 429, {"retry-after": header}))

    problem = slack_error(limited)

    assert isinstance(problem, RateLimited)
    assert problem.retry_after_s == wait_s


def test_a_missing_scope_is_named_with_its_remedy() -> None:
    text = str(slack_error(refusal("missing_scope", needed="users:read"), "users.info"))

    assert "users.info: missing_scope (users:read); add the scope" in text


def test_the_code_is_known_of_the_sdks_error_and_of_ours() -> None:
    raised = refusal("invalid_blocks")
    ours = slack_error(raised)
    ours.__cause__ = raised

    assert (code_of(raised), code_of(ours), code_of(ValueError()), code_of(None)) == (
        "invalid_blocks",
        "invalid_blocks",
        "",
        "",
    )


@pytest.mark.parametrize(
    "secret",
    ["xoxb-12-34-AbC", "xoxe.xoxb-1-AbC", "xoxe-1-AbC", "xoxp-AbC", "xapp-1-A0-AbC", "wss://host/link/?ticket=AbC-1"],
)
def test_nothing_that_looks_like_a_token_is_left_in_a_text(secret: str) -> None:
    assert "AbC" not in masked(f"refused: {secret}, sorry")
