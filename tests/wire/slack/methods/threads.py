"""Reading messages back."""

from collections.abc import Mapping, Sequence

from tests.wire.slack.errors import Refused
from tests.wire.slack.messages import Message
from tests.wire.slack.methods.paging import page
from tests.wire.slack.methods.places import readable
from tests.wire.slack.payloads import message_json
from tests.wire.slack.records import Call
from tests.wire.slack.state import SlackState
from tests.wire.slack.workspace import Channel

Answer = Mapping[str, object]
NARROW_PAGE = 15


def history(state: SlackState, call: Call) -> Answer:
    """Return what stands in a channel outside of threads, newest first."""
    _, channel = readable(state, call, "history")
    shown = [
        one
        for one in channel.messages.values()
        if not one.is_deleted and (one.thread_ts in (None, one.ts) or one.is_broadcast)
    ]
    return _listed(state, call, channel, shown[::-1])


def replies(state: SlackState, call: Call) -> Answer:
    """Return a thread, its first message first."""
    _, channel = readable(state, call, "history")
    root = channel.messages.get(call.text("ts"))
    thread = channel.replies(call.text("ts"))
    if root is None or (root.is_deleted and not thread):
        raise Refused("thread_not_found")
    return _listed(state, call, channel, [root, *(one for one in thread if not one.is_deleted)])


def _listed(state: SlackState, call: Call, channel: Channel, messages: Sequence[Message]) -> Answer:
    oldest, latest = float(call.text("oldest") or 0), float(call.text("latest") or "inf")
    inclusive = call.flag("inclusive")
    shown = [
        _json(channel, one, with_metadata=call.flag("include_all_metadata"))
        for one in messages
        if oldest < float(one.ts) < latest or (inclusive and float(one.ts) in (oldest, latest))
    ]
    largest = NARROW_PAGE if state.manners.history_is_narrow else state.manners.largest_page
    return page(call, shown, "messages", largest)


def _json(channel: Channel, message: Message, *, with_metadata: bool) -> Mapping[str, object]:
    written = message_json(message)
    if not with_metadata:
        written.pop("metadata", None)
    thread = channel.replies(message.ts)
    if thread:
        written |= {"thread_ts": message.ts, "reply_count": len(thread), "latest_reply": thread[-1].ts}
    if message.is_deleted:
        written |= {"subtype": "tombstone", "text": "This message was deleted."}
    return written
