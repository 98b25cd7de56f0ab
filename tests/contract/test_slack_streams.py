"""Text that grows in a message, as the SDK's own helper sends it, and the states that it may be in."""

from collections.abc import Mapping

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.wire.slack import ASKER, BOT_TOKEN, COLLEAGUE, PUBLIC, TEAM, SlackServer, slack_at_work
from tests.wire.slack.apps import client_of, error_of_call

RECIPIENT = {"recipient_team_id": TEAM, "recipient_user_id": ASKER}


async def started(slack: SlackServer, **more: object) -> tuple[AsyncWebClient, dict[str, object]]:
    """Start a stream in answer to a question; return the client, and how the stream is named in calls."""
    client, root = client_of(slack), slack.says(ASKER, PUBLIC, "question")
    args = {"channel": PUBLIC, "thread_ts": root, **RECIPIENT, **more}
    answer = await client.api_call("chat.startStream", json=args)
    return client, {"channel": PUBLIC, "ts": answer["ts"]}


def chunk(text: str) -> Mapping[str, object]:
    return {"chunks": [{"type": "markdown_text", "text": text}]}


async def test_the_helper_of_the_sdk_streams_and_everybody_sees_it_grow() -> None:
    with slack_at_work() as slack:
        root = slack.says(ASKER, PUBLIC, "question")
        stream = await client_of(slack).chat_stream(channel=PUBLIC, thread_ts=root, buffer_size=4, **RECIPIENT)
        for part in ("one ", "two ", "three"):
            await stream.append(markdown_text=part)
        blocks = [{"type": "context", "elements": [{"type": "mrkdwn", "text": "[1] Page"}]}]
        await stream.stop(blocks=blocks)

        texts = [moment.text for _, moment in slack.past(PUBLIC)]
        assert texts == ["one ", "one two ", "one two three", "one two three\n[1] Page"]
        assert (slack.answers(PUBLIC)[0].thread_ts, slack.open_streams()) == (root, [])


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"thread_ts": ""}, "invalid_thread_ts"),
        ({"thread_ts": "1.1"}, "thread_not_found"),
        ({"recipient_team_id": ""}, "missing_recipient_team_id"),
        ({"recipient_user_id": ""}, "missing_recipient_user_id"),
        ({"markdown_text": "x" * 12_001}, "msg_too_long"),
        ({"chunks": [{"type": "poem"}]}, "invalid_chunks"),
    ],
)
async def test_a_stream_that_cannot_start_says_why(change: Mapping[str, object], error: str) -> None:
    with slack_at_work() as slack:
        root = slack.says(ASKER, PUBLIC, "question")
        args = {"channel": PUBLIC, "thread_ts": root, **RECIPIENT, **change}

        assert await error_of_call(client_of(slack), "chat.startStream", **args) == error


async def test_a_conversation_of_two_needs_no_recipient() -> None:
    with slack_at_work() as slack:
        dm = slack.workspaces[TEAM].dm(ASKER).id
        args = {"channel": dm, "thread_ts": slack.says(ASKER, dm, "question")}

        assert await error_of_call(client_of(slack), "chat.startStream", **args) == ""


async def test_a_stopped_stream_takes_nothing_more() -> None:
    with slack_at_work() as slack:
        client, stream = await started(slack)
        await client.api_call("chat.stopStream", json={**stream, **chunk("done")})

        for method in ("chat.appendStream", "chat.stopStream"):
            assert await error_of_call(client, method, **stream, **chunk("x")) == "message_not_in_streaming_state"


@pytest.mark.parametrize(
    ("by_user", "after_append", "after_stop"),
    [
        (False, "message_not_in_streaming_state", "message_not_in_streaming_state"),
        (True, "stopped_by_user", "message_not_in_streaming_state"),
    ],
)
async def test_a_stream_that_ends_in_the_middle_can_be_mended_by_an_edit(
    by_user: bool, after_append: str, after_stop: str
) -> None:
    with slack_at_work() as slack:
        client, stream = await started(slack, **chunk("half an"))
        end = slack.stops_stream if by_user else slack.closes_stream
        end(PUBLIC, str(stream["ts"]))

        assert await error_of_call(client, "chat.appendStream", **stream, **chunk("x")) == after_append
        assert await error_of_call(client, "chat.stopStream", **stream) == after_stop
        assert await error_of_call(client, "chat.update", **stream, text="the whole answer") == ""
        assert slack.answers(PUBLIC)[0].text == "the whole answer"


async def test_an_edit_while_it_grows_is_a_conflict() -> None:
    with slack_at_work() as slack:
        client, stream = await started(slack)

        assert await error_of_call(client, "chat.update", **stream, text="x") == "streaming_state_conflict"


async def test_text_and_chunks_do_not_mix_whichever_came_first() -> None:
    with slack_at_work() as slack:
        client, bare = await started(slack)
        await client.api_call("chat.appendStream", json={**bare, "markdown_text": "x"})
        _, chunked = await started(slack, **chunk("x"))

        assert await error_of_call(client, "chat.appendStream", **bare, **chunk("y")) == "streaming_mode_mismatch"
        assert await error_of_call(client, "chat.stopStream", **chunked, markdown_text="y") == "streaming_mode_mismatch"


async def test_only_the_apps_own_streams_can_be_appended_to() -> None:
    with slack_at_work() as slack:
        ts = slack.says(COLLEAGUE, PUBLIC, "x")
        args = {"channel": PUBLIC, "ts": ts}

        error = await error_of_call(client_of(slack), "chat.appendStream", **args, **chunk("x"))
        assert error == "message_not_owned_by_app"


async def test_tasks_are_shown_by_their_id() -> None:
    with slack_at_work() as slack:
        task = {"type": "task_update", "id": "1", "title": "Reading", "status": "in_progress"}
        client, stream = await started(slack, task_display_mode="plan", chunks=[task])
        done = {**task, "status": "complete"}
        await client.api_call("chat.appendStream", json={**stream, "chunks": [done]})

        shown = slack.message(PUBLIC, str(stream["ts"])).stream
        assert shown is not None
        assert {name: task["status"] for name, task in shown.tasks.items()} == {"1": "complete"}


async def test_edits_of_what_was_streamed_can_be_refused() -> None:
    with slack_at_work() as slack:
        slack.manners.refuses_edits_of_streamed = True
        client, stream = await started(slack, **chunk("x"))
        await client.api_call("chat.stopStream", json=stream)

        assert await error_of_call(client, "chat.update", **stream, text="y") == "block_mismatch"


async def test_a_mention_in_two_pieces_raises_the_alarm_when_it_is_whole() -> None:
    with slack_at_work() as slack:
        client, stream = await started(slack, **chunk("<!he"))
        await client.api_call("chat.stopStream", json={**stream, **chunk("re>")})

        assert slack.alarms == ["chat.stopStream: mention <!here> in what was streamed"]


async def test_a_status_stands_until_the_next_post_in_its_thread() -> None:
    with slack_at_work() as slack:
        client, root = client_of(slack), slack.says(ASKER, PUBLIC, "question")
        other = slack.says(ASKER, PUBLIC, "another")
        for thread in (root, other):
            await client.assistant_threads_setStatus(channel_id=PUBLIC, thread_ts=thread, status="reads…")
        await client.chat_postMessage(channel=PUBLIC, thread_ts=root, text="answer")
        left = {*slack.standing_statuses()}
        await client.assistant_threads_setStatus(channel_id=PUBLIC, thread_ts=other, status="")

        assert left == {(PUBLIC, other)}
        assert slack.standing_statuses() == {}


async def test_a_status_goes_by_itself() -> None:
    with slack_at_work() as slack:
        slack.manners.status_lifetime_s = 0.0
        root = slack.says(ASKER, PUBLIC, "question")
        await client_of(slack).assistant_threads_setStatus(channel_id=PUBLIC, thread_ts=root, status="reads…")

        assert slack.standing_statuses() == {}


@pytest.mark.parametrize(("agent_view", "kept"), [(True, 0), (False, 1)])
async def test_prompts_for_a_thread_are_dropped_where_the_app_has_an_agent_view(agent_view: bool, kept: int) -> None:
    with slack_at_work() as slack:
        slack.manners.agent_view = agent_view
        dm = slack.workspaces[TEAM].dm(ASKER).id
        root = slack.says(ASKER, dm, "hello")
        prompts = [{"title": "Leave", "message": "How much leave do I have?"}]
        await client_of(slack).assistant_threads_setSuggestedPrompts(channel_id=dm, thread_ts=root, prompts=prompts)

        assert len(slack.prompts) == kept


async def test_ten_loading_messages_are_the_most() -> None:
    with slack_at_work() as slack:
        root = slack.says(ASKER, PUBLIC, "question")
        args = {"channel_id": PUBLIC, "thread_ts": root, "status": "x", "loading_messages": ["y"] * 11}

        assert await error_of_call(client_of(slack), "assistant.threads.setStatus", **args) == "invalid_arguments"


async def test_streaming_takes_the_scope_of_writing() -> None:
    with slack_at_work() as slack:
        root = slack.says(ASKER, PUBLIC, "question")
        slack.token_book.tokens[BOT_TOKEN].scopes = ("assistant:write",)

        with pytest.raises(SlackApiError, match="missing_scope"):
            await client_of(slack).chat_startStream(channel=PUBLIC, thread_ts=root)
