"""Text that grows in a message."""

from collections.abc import Mapping

from tests.wire.slack.alarms import mentions
from tests.wire.slack.errors import Refused
from tests.wire.slack.events import message_changed
from tests.wire.slack.messages import Message, Stream
from tests.wire.slack.methods.chat import appear, named, new_message, own_message
from tests.wire.slack.methods.places import thread_of, writable
from tests.wire.slack.payloads import message_json
from tests.wire.slack.records import Call
from tests.wire.slack.shapes import objects
from tests.wire.slack.state import SlackState

Answer = Mapping[str, object]


def start(state: SlackState, call: Call) -> Answer:
    """Begin a message; outside of conversations with one person it is for a recipient."""
    home, channel = writable(state, call)
    if not call.text("thread_ts"):
        raise Refused("invalid_thread_ts")
    thread = thread_of(state, channel, call.text("thread_ts"))
    if channel.kind != "im":
        for name in ("recipient_team_id", "recipient_user_id"):
            if not call.text(name):
                raise Refused(f"missing_{name}")
        if call.text("recipient_user_id") not in home.users:
            raise Refused("user_not_found")
    message = new_message(state, home, call, thread)
    message.text, message.stream = "", Stream(recipient=call.text("recipient_user_id") or channel.user)
    _take(message, call)
    appear(state, channel, message)
    return {"channel": channel.id, "ts": message.ts}


def append(state: SlackState, call: Call) -> Answer:
    """Add to a message that grows."""
    channel, message = own_message(state, call, "message_not_owned_by_app")
    _require_open(message, "stopped_by_user")
    _take(message, call)
    message.note()
    return {"channel": channel.id, "ts": message.ts}


def stop(state: SlackState, call: Call) -> Answer:
    """Finish a message that grew, with blocks below the text."""
    channel, message = own_message(state, call, "message_not_owned_by_app")
    _require_open(message, "message_not_in_streaming_state")
    before = message_json(message)
    _take(message, call)
    assert message.stream is not None
    message.stream.state = "stopped"
    message.blocks += named(call.args.get("blocks"))
    metadata = call.args.get("metadata")
    message.metadata = metadata if isinstance(metadata, Mapping) else message.metadata
    message.text = message.streamed
    found = [one for one in mentions(message.streamed) if one not in state.allowed_mentions]
    state.alarms.extend(f"chat.stopStream: mention {one} in what was streamed" for one in found)
    message.note()
    message_changed(state, channel, before, message)
    return {"channel": channel.id, "ts": message.ts, "message": message_json(message)}


def _require_open(message: Message, after_stop_by_user: str) -> None:
    if message.stream is None or message.stream.state in ("stopped", "closed"):
        raise Refused("message_not_in_streaming_state")
    if message.stream.state == "stopped_by_user":
        raise Refused(after_stop_by_user)


def _take(message: Message, call: Call) -> None:
    """Add what a call brings; text and chunks do not mix."""
    stream = message.stream
    assert stream is not None
    mode = "chunks" if call.args.get("chunks") else "text" if call.text("markdown_text") else stream.mode
    if stream.mode is not None and mode != stream.mode:
        raise Refused("streaming_mode_mismatch")
    stream.mode = mode
    message.streamed += call.text("markdown_text")
    for chunk in objects(call.args.get("chunks")):
        _take_chunk(message, stream, chunk)


def _take_chunk(message: Message, stream: Stream, chunk: Mapping[str, object]) -> None:
    match chunk.get("type"):
        case "markdown_text":
            message.streamed += str(chunk["text"])
        case "task_update":
            stream.tasks.setdefault(str(chunk["id"]), {}).update(chunk)
        case "plan_update":
            stream.plan = str(chunk["title"])
        case "blocks":
            message.blocks += named(chunk["blocks"])
