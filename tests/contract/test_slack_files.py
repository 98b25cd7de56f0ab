"""Files on the loopback Slack: what people upload is told and given, what the app uploads is shown."""

from typing import Any

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError, SlackRequestError

from tests.wire.slack import ASKER, BOT_TOKEN, DIRECT, ELSEWHERE, PUBLIC, SlackServer, slack_at_work
from tests.wire.slack.apps import client_of, error_of_call


async def got(url: str, token: str = BOT_TOKEN) -> tuple[int, str, bytes]:
    """Return the status, type and body that an address gives to a token."""
    headers = {"Authorization": f"Bearer {token}"}
    async with aiohttp.ClientSession() as session, session.get(url, headers=headers) as response:
        return response.status, response.content_type, await response.read()


def uploaded(slack: SlackServer) -> dict[str, Any]:
    """Let somebody upload a file, and return what its message says of it."""
    ts = slack.says(ASKER, DIRECT, "look", files={"plan.pdf": b"%PDF"})
    return dict(slack.message(DIRECT, ts).files[0])


async def test_what_somebody_uploads_is_told_in_the_event_and_given_to_the_bot() -> None:
    with slack_at_work() as slack:
        told = uploaded(slack)
        info = await client_of(slack).files_info(file=told["id"])

        assert (told["name"], told["size"], info["file"]["name"]) == ("plan.pdf", 4, "plan.pdf")
        assert await got(told["url_private_download"]) == (200, "application/octet-stream", b"%PDF")


async def test_without_the_scope_there_is_a_page_and_what_is_deleted_is_not_found() -> None:
    with slack_at_work() as slack:
        told = uploaded(slack)
        slack.files[told["id"]].is_deleted = True

        assert (await got(told["url_private"], "xoxb-other"))[:2] == (200, "text/html")
        assert (await got(told["url_private"]))[0] == 404
        assert await error_of_call(client_of(slack), "files.info", file=told["id"]) == "file_deleted"
        assert await error_of_call(client_of(slack), "files.info", file="F0NONE") == "file_not_found"


async def test_the_sdks_own_upload_is_taken() -> None:
    with slack_at_work() as slack:
        root = slack.says(ASKER, PUBLIC, "hello")
        await client_of(slack).files_upload_v2(
            filename="plan.pdf", title="The plan", content=b"x" * 900_000, channel=PUBLIC, thread_ts=root
        )

        (shared,) = slack.answers(PUBLIC, thread=root)
        assert (shared.thread_ts, {name: len(data) for name, data in shared.files.items()}) == (
            root,
            {"The plan": 900_000},
        )


@pytest.mark.parametrize(("channel", "error"), [(ELSEWHERE, "not_in_channel"), ("C0NOWHERE", "channel_not_found")])
async def test_a_file_is_shared_only_where_the_bot_is(channel: str, error: str) -> None:
    with slack_at_work() as slack:
        with pytest.raises(SlackApiError) as raised:
            await client_of(slack).files_upload_v2(filename="a.txt", content=b"x", channel=channel)

        assert raised.value.response["error"] == error


async def test_a_file_that_is_not_there_whole_is_not_shared() -> None:
    with slack_at_work() as slack:
        slack.upload_statuses = [500]
        with pytest.raises(SlackRequestError):
            await client_of(slack).files_upload_v2(filename="a.txt", content=b"x", channel=PUBLIC)
        (file,) = slack.files

        shared = await error_of_call(
            client_of(slack), "files.completeUploadExternal", files=[{"id": file}], channel_id=PUBLIC
        )
        assert (shared, slack.answers(PUBLIC)) == ("file_not_found", [])
