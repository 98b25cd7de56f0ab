"""Files of posts through the real SDK: shared where they belong, fetched from nobody but Slack, never blindly twice."""

from dataclasses import replace

import pytest

from bot.channels.slack.channel import SlackChannel
from bot.core.errors import MaybeSent, Undeliverable
from bot.core.outgoing import Parcel
from bot.core.phrases import phrase
from bot.core.tickets.files import MAX_FILE_BYTES, File
from bot.core.tickets.post import Part, Post
from knowledge.errors import RateLimited, TransientError
from tests.fakes.slack_desk import CARD, PLAN, open_desk, sent, spot
from tests.wire.slack import ASKER, BOT_TOKEN, DESK, DIRECT, TEAM, Fault, SlackServer


async def test_files_are_shared_in_the_thread() -> None:
    async with open_desk() as (slack, channel):
        (ts,) = await sent(channel, CARD, spot(slack))

        names = await sent(channel, Post((Part("See this."),), files=(PLAN,)), spot(slack, key="k", reply_to=ts))

        assert names[1] is None
        assert [one.files for one in slack.posts(DESK, thread=ts)] == [{}, {}, {"plan.pdf": b"%PDF"}]


def of_file(channel: SlackChannel, slack: SlackServer, language: str = "en") -> Parcel:
    """Return the parcel of a file."""
    (parcel,) = channel.post(Post((), files=(PLAN,), language=language), spot(slack))
    return parcel


@pytest.mark.parametrize("language", ["en", "uk"])
async def test_a_file_that_is_gone_is_told_by_its_name_once(language: str) -> None:
    async def gone(file: File) -> bytes:
        raise Undeliverable("it is gone")

    async with open_desk(gone) as (slack, channel):
        parcel = of_file(channel, slack, language)
        ts = await channel.send(parcel)

        assert [one.text for one in slack.answers(DESK)] == [phrase("file_not_sent", language, file="plan.pdf")]
        assert await channel.find(replace(parcel, attempts=1)) == ts


REFUSED = {
    "no scope to ask": ("files.getUploadURLExternal", Fault.error("missing_scope", needed="files:write")),
    "no scope to share": ("files.completeUploadExternal", Fault.error("missing_scope", needed="files:write")),
    "uploads are off": ("files.getUploadURLExternal", Fault.error("file_uploads_disabled")),
}


@pytest.mark.parametrize(("method", "fault"), REFUSED.values(), ids=REFUSED)
async def test_a_file_that_slack_does_not_take_is_told_by_its_name(method: str, fault: Fault) -> None:
    async with open_desk() as (slack, channel):
        slack.inject(method, fault)
        await channel.send(of_file(channel, slack))

        assert [one.text for one in slack.answers(DESK)] == [phrase("file_not_sent", "en", file="plan.pdf")]


@pytest.mark.parametrize("data", [b"", b"x" * (MAX_FILE_BYTES + 1)], ids=["empty", "too large"])
async def test_a_file_of_no_use_is_told_by_its_name(data: bytes) -> None:
    async def given(file: File) -> bytes:
        return data

    async with open_desk(given) as (slack, channel):
        await channel.send(of_file(channel, slack))

        assert [one.files for one in slack.answers(DESK)] == [{}]


FAILING = {
    "asked in vain": ("files.getUploadURLExternal", Fault.html(503)),
    "asked too often": ("files.getUploadURLExternal", Fault.rate_limited()),
}


@pytest.mark.parametrize(("method", "fault"), FAILING.values(), ids=FAILING)
async def test_a_file_that_did_not_go_surely_is_sent_once_more(method: str, fault: Fault) -> None:
    async with open_desk() as (slack, channel):
        slack.inject(method, fault)
        with pytest.raises(TransientError):
            await channel.send(of_file(channel, slack))

        assert slack.answers(DESK) == []


async def test_a_file_whose_bytes_did_not_arrive_is_sent_once_more() -> None:
    async with open_desk() as (slack, channel):
        slack.upload_statuses = [503]
        with pytest.raises(TransientError):
            await channel.send(of_file(channel, slack))
        await channel.send(of_file(channel, slack))

        assert [one.files for one in slack.answers(DESK)] == [{"plan.pdf": b"%PDF"}]


async def test_a_file_that_nobody_confirmed_is_found_and_not_shared_twice() -> None:
    async with open_desk() as (slack, channel):
        slack.inject("files.completeUploadExternal", Fault.lost_confirmation())
        parcel = of_file(channel, slack)
        with pytest.raises(MaybeSent):
            await channel.send(parcel)

        (shared,) = slack.answers(DESK)
        assert (await channel.find(parcel), channel.can_find(parcel)) == (shared.ts, True)
        other = replace(parcel, payload={**parcel.payload, "file": {"name": "plan.pdf", "size": 5}})
        assert await channel.find(other) is None


def told(slack: SlackServer, content: bytes = b"%PDF") -> File:
    """Let somebody upload a file, and return it as its message tells of it."""
    slack.says(ASKER, DIRECT, "look", files={"plan.pdf": content})
    stored = [*slack.files.values()][-1]
    return File("slack", TEAM, stored.id, stored.name, len(content))


async def test_a_file_comes_with_the_bots_token_from_where_slack_says_it_is() -> None:
    async with open_desk(None) as (slack, channel):
        assert await channel.file(told(slack, b"x" * 3_000_000)) == b"x" * 3_000_000
        assert slack.downloads == [f"Bearer {BOT_TOKEN}"]


async def test_a_file_on_slack_is_sent_on_to_slack() -> None:
    async with open_desk(None) as (slack, channel):
        await sent(channel, Post((), files=(told(slack),)), spot(slack))

        assert slack.answers(DESK)[0].files == {"plan.pdf": b"%PDF"}


async def test_a_file_that_cannot_be_had_is_not_waited_for() -> None:
    async with open_desk(None) as (slack, channel):
        file = told(slack)
        stored = slack.files[file.id]
        stored.is_elsewhere = True
        with pytest.raises(Undeliverable, match=r"drive\.example\.com"):
            await channel.file(file)
        stored.is_elsewhere, stored.said_length = False, MAX_FILE_BYTES + 1
        with pytest.raises(Undeliverable, match="bytes"):
            await channel.file(file)
        stored.is_deleted = True
        with pytest.raises(Undeliverable, match="file_deleted"):
            await channel.file(file)
        with pytest.raises(Undeliverable, match="bytes"):
            await channel.file(replace(file, size=MAX_FILE_BYTES + 1))
        assert slack.downloads == []


async def test_a_file_that_is_longer_than_it_says_is_read_no_further() -> None:
    async with open_desk(None) as (slack, channel):
        file = told(slack, b"x" * (MAX_FILE_BYTES + 1_000_000))
        slack.files[file.id].said_length = 10

        with pytest.raises(Undeliverable, match="more than"):
            await channel.file(replace(file, size=10))


async def test_without_the_scope_for_files_nothing_is_taken_for_one() -> None:
    async with open_desk(None) as (slack, channel):
        file = told(slack)
        slack.inject("files.info", Fault.error("missing_scope", needed="files:read"))
        with pytest.raises(Undeliverable, match="files:read"):
            await channel.file(file)
        slack.answers_download(200, text="<html>Sign in</html>", content_type="text/html")
        with pytest.raises(Undeliverable, match="files:read"):
            await channel.file(file)


ANSWERS = {
    "elsewhere": ("https://evil.example.com/x", "evil.example.com"),
    "a host that looks like slack's": ("https://slack.com.evil.example/x", "slack.com.evil.example"),
    "a host behind a name": ("https://files.slack.com@evil.example/x", "none"),
    "a host behind a backslash": ("https://evil.example\\.slack.com/x", "none"),
    "slack without encryption": ("http://files.slack.com/x", "files.slack.com"),
    "another scheme": ("file:///etc/passwd", "none"),
    "round and round": ("", "not where"),
}


@pytest.mark.parametrize(("location", "problem"), ANSWERS.values(), ids=ANSWERS)
async def test_the_token_is_shown_to_nobody_but_slack(location: str, problem: str) -> None:
    async with open_desk(None) as (slack, channel):
        file = told(slack)
        for _ in range(3):
            slack.answers_download(302, location=location)

        with pytest.raises(Undeliverable, match=problem):
            await channel.file(file)


async def test_a_file_that_moved_within_slack_is_followed() -> None:
    async with open_desk(None) as (slack, channel):
        file = told(slack)
        slack.answers_download(302, location=f"/files-pri/{TEAM}-{file.id}/plan.pdf")

        assert await channel.file(file) == b"%PDF"


@pytest.mark.parametrize(("status", "error"), [(503, TransientError), (429, RateLimited), (403, Undeliverable)])
async def test_what_slack_answers_instead_of_a_file_is_sorted(status: int, error: type[Exception]) -> None:
    async with open_desk(None) as (slack, channel):
        slack.answers_download(status)

        with pytest.raises(error):
            await channel.file(told(slack))
