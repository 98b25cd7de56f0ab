"""Channels and who is in them."""

from collections.abc import Mapping

from tests.wire.slack.errors import Refused
from tests.wire.slack.methods.paging import page
from tests.wire.slack.methods.places import readable, workspace_of
from tests.wire.slack.payloads import channel_json
from tests.wire.slack.records import Call
from tests.wire.slack.state import SlackState
from tests.wire.slack.workspace import SCOPE, Channel, ChannelKind, Workspace

Answer = Mapping[str, object]
KINDS: Mapping[str, ChannelKind] = {
    "public_channel": "public",
    "private_channel": "private",
    "im": "im",
    "mpim": "mpim",
}


def info(state: SlackState, call: Call) -> Answer:
    """Return one channel."""
    home, channel = readable(state, call, "read")
    return {"channel": channel_json(channel, home)}


def members(state: SlackState, call: Call) -> Answer:
    """Return who is in a channel."""
    _, channel = readable(state, call, "read")
    return page(call, channel.members, "members", state.manners.largest_page)


def listed(state: SlackState, call: Call) -> Answer:
    """Return the channels that the bot sees."""
    home = workspace_of(state, call)
    wanted = {KINDS[kind] for kind in (call.text("types") or "public_channel").split(",") if kind in KINDS}
    assert call.granted is not None
    missing = [f"{SCOPE[kind]}:read" for kind in wanted if f"{SCOPE[kind]}:read" not in call.granted.scopes]
    if missing:
        raise Refused("missing_scope", needed=missing[0], provided=",".join(call.granted.scopes))
    shown = [
        channel_json(one, home)
        for one in home.channels.values()
        if one.kind in wanted
        and (one.kind == "public" or home.bot_user in one.members)
        and not (call.flag("exclude_archived") and one.is_archived)
    ]
    return page(call, shown, "channels", state.manners.largest_page)


def opened(state: SlackState, call: Call) -> Answer:
    """Open a conversation with one person, or several."""
    home = workspace_of(state, call)
    users = [one for one in call.text("users").split(",") if one]
    if not users:
        raise Refused("users_list_not_supplied")
    if any(one not in home.users for one in users):
        raise Refused("user_not_found")
    if home.bot_user in users:
        raise Refused("cant_dm_bot")
    channel = home.dm(users[0]) if len(users) == 1 else _group(home, users)
    return {"channel": {"id": channel.id}}


def _group(home: Workspace, users: list[str]) -> Channel:
    for channel in home.channels.values():
        if channel.kind == "mpim" and {*channel.members} == {*users, home.bot_user}:
            return channel
    return home.add_channel(f"G{'X'.join(users)}", users, kind="mpim")
