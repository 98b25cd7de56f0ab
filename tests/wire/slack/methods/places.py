"""Which channel and which message a call means, and whether it may."""

from tests.wire.slack.errors import Refused
from tests.wire.slack.messages import Message
from tests.wire.slack.records import Call
from tests.wire.slack.state import SlackState
from tests.wire.slack.workspace import SCOPE, Channel, Workspace


def workspaces_of(state: SlackState, call: Call) -> list[Workspace]:
    """Return the workspaces that a token works in: one, or all of its organisation."""
    assert call.granted is not None
    if call.granted.team_id is not None:
        return [state.workspaces[call.granted.team_id]]
    return [one for one in state.workspaces.values() if one.enterprise_id == call.granted.enterprise_id]


def workspace_of(state: SlackState, call: Call) -> Workspace:
    """Return the workspace that a call without a channel is about."""
    found = workspaces_of(state, call)
    wanted = call.text("team_id") or call.text("team")
    if not wanted and call.granted and call.granted.team_id is None and len(found) != 1:
        raise Refused("missing_argument", response_metadata={"messages": ["[ERROR] missing required field: team_id"]})
    for one in found:
        if wanted in ("", one.id):
            return one
    raise Refused("team_not_found")


def place_of(state: SlackState, call: Call, name: str = "channel") -> tuple[Workspace, Channel]:
    """Return the channel that the bot can see; a person's id means the conversation with them."""
    wanted = call.text(name)
    for home in workspaces_of(state, call):
        channel = home.dm(wanted) if wanted in home.users else home.channels.get(wanted)
        if channel is not None and (channel.kind == "public" or home.bot_user in channel.members):
            return home, channel
    raise Refused("channel_not_found")


def writable(state: SlackState, call: Call, name: str = "channel") -> tuple[Workspace, Channel]:
    """Return a channel that the bot may post in."""
    home, channel = place_of(state, call, name)
    assert call.granted is not None
    if channel.is_archived:
        raise Refused("is_archived")
    if home.bot_user not in channel.members and "chat:write.public" not in call.granted.scopes:
        raise Refused("not_in_channel")
    if channel.is_posting_restricted:
        raise Refused("restricted_action")
    if channel.kind == "im" and not home.messages_tab:
        raise Refused("messages_tab_disabled")
    return home, channel


def readable(state: SlackState, call: Call, what: str) -> tuple[Workspace, Channel]:
    """Return a channel that the bot may read `what` of ("read" or "history")."""
    home, channel = place_of(state, call)
    assert call.granted is not None
    needed = f"{SCOPE[channel.kind]}:{what}"
    if needed not in call.granted.scopes:
        raise Refused("missing_scope", needed=needed, provided=",".join(call.granted.scopes))
    if what == "history" and home.bot_user not in channel.members:
        raise Refused("not_in_channel")
    return home, channel


def message_of(channel: Channel, ts: str) -> Message:
    """Return a message that is there."""
    message = channel.messages.get(ts)
    if message is None or message.is_deleted:
        raise Refused("message_not_found")
    return message


def thread_of(state: SlackState, channel: Channel, thread_ts: str) -> str | None:
    """Return the thread that is posted into; a reply's ts means its thread, and is alarming."""
    if not thread_ts:
        return None
    root = channel.messages.get(thread_ts)
    if root is None or (root.is_deleted and not channel.replies(thread_ts)):
        raise Refused("thread_not_found")
    if root.thread_ts and root.thread_ts != root.ts:
        state.alarm(f"thread_ts {thread_ts} is a reply's, not that of its thread")
        return root.thread_ts
    return thread_ts
