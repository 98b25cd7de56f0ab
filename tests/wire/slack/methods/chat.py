"""Posting, changing and deleting."""

import secrets
from collections.abc import Mapping
from copy import deepcopy

from tests.wire.slack.errors import Refused
from tests.wire.slack.events import message_changed, message_deleted, message_posted
from tests.wire.slack.messages import Blocks, Message
from tests.wire.slack.methods.places import message_of, place_of, thread_of, writable
from tests.wire.slack.payloads import message_json
from tests.wire.slack.records import Call
from tests.wire.slack.shapes import objects
from tests.wire.slack.state import SlackState
from tests.wire.slack.validation import KEPT_TEXT
from tests.wire.slack.workspace import Channel, Workspace

Answer = Mapping[str, object]


def post(state: SlackState, call: Call) -> Answer:
    """Post as the bot, with the events that this makes."""
    home, channel = writable(state, call)
    thread = thread_of(state, channel, call.text("thread_ts"))
    message = new_message(state, home, call, thread)
    message.is_broadcast = call.flag("reply_broadcast")
    appear(state, channel, message)
    return {"channel": channel.id, "ts": message.ts, "message": message_json(message)}


def appear(state: SlackState, channel: Channel, message: Message) -> None:
    """Put a message of the bot's where people see it; the status of its thread goes."""
    channel.messages[message.ts] = message
    message.note()
    state.statuses.pop((channel.id, message.thread_ts or message.ts), None)
    message_posted(state, channel, message)


def new_message(state: SlackState, home: Workspace, call: Call, thread: str | None) -> Message:
    """Return a message of the bot's with what a call brings."""
    metadata = call.args.get("metadata")
    return Message(
        state.clock.ts(),
        home.bot_user,
        home.id,
        (call.text("markdown_text") or call.text("text"))[:KEPT_TEXT],
        named(call.args.get("blocks")),
        thread,
        bot_id=home.bot_id,
        is_ours=True,
        metadata=metadata if isinstance(metadata, Mapping) else None,
    )


def named(blocks: object) -> Blocks:
    """Return blocks, each with a block_id, as Slack keeps them."""
    kept = [deepcopy(dict(block)) for block in objects(blocks)]
    for block in kept:
        block.setdefault("block_id", secrets.token_hex(3))
    return kept


def post_ephemeral(state: SlackState, call: Call) -> Answer:
    """Show something to one person; it is in no list, and gone with their client."""
    home, channel = writable(state, call)
    if call.text("user") not in channel.members:
        raise Refused("user_not_in_channel")
    thread = thread_of(state, channel, call.text("thread_ts"))
    message = new_message(state, home, call, thread)
    message.ephemeral_to = call.text("user")
    channel.ephemerals.append(message)
    message.note()
    return {"message_ts": message.ts}


def own_message(state: SlackState, call: Call, denied: str) -> tuple[Channel, Message]:
    """Return a message that the bot posted itself."""
    home, channel = place_of(state, call)
    message = message_of(channel, call.text("ts"))
    if message.user != home.bot_user:
        raise Refused(denied)
    return channel, message


def update(state: SlackState, call: Call) -> Answer:
    """Replace what a message shows; what was streamed goes."""
    channel, message = own_message(state, call, "cant_update_message")
    if channel.is_archived:
        raise Refused("is_archived")
    if message.is_streaming:
        raise Refused("streaming_state_conflict")
    if message.stream is not None and state.manners.refuses_edits_of_streamed:
        raise Refused("block_mismatch")
    before = message_json(message)
    if "blocks" not in call.args and message.blocks:
        state.alarm("chat.update: whether the blocks stay that are not mentioned is not certain")
    message.text = call.text("markdown_text") or call.text("text")
    message.blocks, message.streamed = named(call.args.get("blocks")), ""
    metadata = call.args.get("metadata")
    message.metadata = metadata if isinstance(metadata, Mapping) else message.metadata
    message.note()
    message_changed(state, channel, before, message)
    return {"channel": channel.id, "ts": message.ts, "text": message.text, "message": message_json(message)}


def delete(state: SlackState, call: Call) -> Answer:
    """Delete a message of the bot's own."""
    channel, message = own_message(state, call, "cant_delete_message")
    message.is_deleted = True
    message.note()
    message_deleted(state, channel, message_json(message))
    return {"channel": channel.id, "ts": message.ts}


def permalink(state: SlackState, call: Call) -> Answer:
    """Return the address of a message."""
    home, channel = place_of(state, call)
    message = message_of(channel, call.text("message_ts"))
    number = message.ts.replace(".", "")
    query = f"?thread_ts={message.thread_ts}&cid={channel.id}" if message.thread_ts else ""
    address = f"https://{home.domain}.slack.com/archives/{channel.id}/p{number}{query}"
    return {"channel": channel.id, "permalink": address}
