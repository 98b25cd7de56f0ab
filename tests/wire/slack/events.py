"""The events that what happens in a workspace makes, in the envelopes of the Events API."""

import secrets
import time
from collections.abc import Mapping

from tests.wire.slack.courier import Parcel
from tests.wire.slack.messages import Message
from tests.wire.slack.payloads import bot_profile, message_json
from tests.wire.slack.state import APP_ID, SlackState
from tests.wire.slack.workspace import CHANNEL_TYPE, SUBSCRIPTION, Channel, Workspace

Event = dict[str, object]


def emit(state: SlackState, home: Workspace, event: Event, subscription: str, channel: Channel | None = None) -> None:
    """Send an event to the app, if it subscribed and can see the channel."""
    is_member = channel is None or home.bot_user in channel.members
    if subscription in state.subscriptions and is_member:
        state.courier.take(Parcel("events_api", envelope(state, home, event, channel), team_id=home.id))


def envelope(state: SlackState, home: Workspace, event: Event, channel: Channel | None = None) -> dict[str, object]:
    """Return the outer part of an event, with an event id of its own."""
    token = state.bot_token_of(home.id)
    is_org_wide = token is not None and token.team_id is None
    authorization = {
        "enterprise_id": home.enterprise_id,
        "team_id": home.id,
        "user_id": home.bot_user,
        "is_bot": True,
        "is_enterprise_install": is_org_wide,
    }
    return {
        "token": "verification-token",
        "team_id": home.id,
        **({"enterprise_id": home.enterprise_id} if home.enterprise_id else {}),
        "context_team_id": home.id,
        "context_enterprise_id": home.enterprise_id,
        "api_app_id": APP_ID,
        "event": event,
        "type": "event_callback",
        "event_id": f"Ev{secrets.token_hex(5).upper()}",
        "event_time": int(time.time()),
        "authorizations": [authorization],
        "is_ext_shared_channel": bool(channel and channel.is_ext_shared),
        "event_context": f"4-{secrets.token_hex(12)}",
    }


def message_posted(state: SlackState, channel: Channel, message: Message) -> None:
    """Tell of a new message: as a mention where it is one, and as a message, each with an event id of its own."""
    home = state.workspaces[channel.team_id]
    written = {**message_json(message), "channel": channel.id, "event_ts": message.ts}
    if message.bot_id:
        written["bot_profile"] = bot_profile(message.bot_id, home.id)
    if message.team_id != home.id:
        written |= {"user_team": message.team_id, "source_team": message.team_id}
    if f"<@{home.bot_user}>" in message.text and channel.kind != "im" and not message.is_ours:
        emit(state, home, {**_without_subtype(written), "type": "app_mention"}, "app_mention", channel)
    event = {**written, "channel_type": CHANNEL_TYPE[channel.kind]}
    emit(state, home, event, SUBSCRIPTION[channel.kind], channel)


def _without_subtype(written: Mapping[str, object]) -> Event:
    return {name: value for name, value in written.items() if name != "subtype"}


def message_changed(state: SlackState, channel: Channel, before: Event, message: Message) -> None:
    """Tell that a message is another now."""
    event: Event = {"subtype": "message_changed", "message": message_json(message), "previous_message": before}
    _tell_of_change(state, channel, event)


def message_deleted(state: SlackState, channel: Channel, before: Event) -> None:
    """Tell that a message is gone; the first of a thread only becomes a tombstone."""
    if channel.replies(str(before["ts"])):
        tombstone = {**before, "subtype": "tombstone", "text": "This message was deleted.", "hidden": True}
        event: Event = {"subtype": "message_changed", "message": tombstone, "previous_message": before}
    else:
        event = {"subtype": "message_deleted", "previous_message": before, "deleted_ts": before["ts"]}
    _tell_of_change(state, channel, event)


def _tell_of_change(state: SlackState, channel: Channel, more: Event) -> None:
    ts = state.clock.ts()
    event = {
        "type": "message",
        **more,
        "channel": channel.id,
        "hidden": True,
        "ts": ts,
        "event_ts": ts,
        "channel_type": CHANNEL_TYPE[channel.kind],
    }
    emit(state, state.workspaces[channel.team_id], event, SUBSCRIPTION[channel.kind], channel)


def reaction(state: SlackState, channel: Channel, message: Message, user: str, name: str, *, added: bool) -> None:
    """Tell of a reaction that came or went."""
    kind = "reaction_added" if added else "reaction_removed"
    event: Event = {
        "type": kind,
        "user": user,
        "reaction": name,
        "item": {"type": "message", "channel": channel.id, "ts": message.ts},
        "item_user": message.user,
        "event_ts": state.clock.ts(),
    }
    emit(state, state.workspaces[channel.team_id], event, kind, channel)


def membership(state: SlackState, channel: Channel, user: str, *, joined: bool) -> None:
    """Tell that somebody came or left."""
    kind = "member_joined_channel" if joined else "member_left_channel"
    event: Event = {
        "type": kind,
        "user": user,
        "channel": channel.id,
        "channel_type": "C" if channel.kind == "public" else "G",
        "team": channel.team_id,
        "event_ts": state.clock.ts(),
    }
    emit(state, state.workspaces[channel.team_id], event, kind)
