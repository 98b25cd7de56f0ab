"""Slack on loopback, for the real Bolt and SDK.

with slack_at_work() as slack:      # the workspace of `office`; or slack_server(), and add_workspace
    app = AsyncApp(token=BOT_TOKEN, client=AsyncWebClient(token=BOT_TOKEN, base_url=slack.api_url))
    ts = slack.says(ASKER, PUBLIC, f"{MENTION} how do I renew my access?")
    await slack.until(lambda: slack.answers(PUBLIC, thread=ts))
    slack.inject("chat.postMessage", Fault.lost_confirmation())

What people do with the bot's things, each by its real payload:

    slack.clicks(OPERATOR, DESK, card, "desk_claim")                # any button; twice is two presses
    slack.clicks("U9", DESK, card, "desk_claim", team="T0AWAY")     # pressed in another workspace
    slack.redelivers(slack.deliveries[-1])                          # the same press once more
    slack.buttons_of(DESK, card)                                    # {"desk_claim": "Claim", ...}
    slack.clicks(OPERATOR, DESK, card, "desk_reply")                # opens a dialog, soon:
    await slack.until(lambda: slack.views)
    slack.fills(OPERATOR, text="Room 12.")                          # by input; dialog_of(OPERATOR) has it as it is

Files: `says(..., files={"plan.pdf": b"..."})`; what the app shares is in `Post.files`, by title. `slack.files` has all
of them: `is_deleted`, `is_elsewhere` and `said_length` spoil one. `download_answers` and `upload_statuses` are answered
in place of the next downloads and uploads; `downloads` are the Authorization headers that asked for files.
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
