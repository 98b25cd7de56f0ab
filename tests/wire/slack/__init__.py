"""Slack on loopback, for the real Bolt and SDK.

with slack_at_work() as slack:      # the workspace of `office`; or slack_server(), and add_workspace
    app = AsyncApp(token=BOT_TOKEN, client=AsyncWebClient(token=BOT_TOKEN, base_url=slack.api_url))
    ts = slack.says(ASKER, PUBLIC, f"{MENTION} how do I renew my access?")
    await slack.until(lambda: slack.answers(PUBLIC, thread=ts))
    slack.inject("chat.postMessage", Fault.lost_confirmation())
"""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.wire.slack.checker import Asked, Signs, check
from tests.wire.slack.faults import Fault
from tests.wire.slack.office import (
    ARCHIVED,
    ASKER,
    BOT_TOKEN,
    BOT_USER,
    COLLEAGUE,
    DESK,
    DIRECT,
    ELSEWHERE,
    GROUP,
    GUEST,
    MENTION,
    OPERATOR,
    OTHER_BOT,
    PRIVATE,
    PUBLIC,
    SHARED,
    STRANGER,
    TEAM,
    furnish,
)
from tests.wire.slack.seen import Post
from tests.wire.slack.server import SlackServer, slack_server


@contextmanager
def slack_at_work() -> Iterator[SlackServer]:
    """Serve a Slack with one workspace, that of `office`."""
    with slack_server() as slack:
        furnish(slack)
        yield slack


__all__ = [
    "ARCHIVED",
    "ASKER",
    "BOT_TOKEN",
    "BOT_USER",
    "COLLEAGUE",
    "DESK",
    "DIRECT",
    "ELSEWHERE",
    "GROUP",
    "GUEST",
    "MENTION",
    "OPERATOR",
    "OTHER_BOT",
    "PRIVATE",
    "PUBLIC",
    "SHARED",
    "STRANGER",
    "TEAM",
    "Asked",
    "Fault",
    "Post",
    "Signs",
    "SlackServer",
    "check",
    "slack_at_work",
    "slack_server",
]
