"""The forms of messages, people, channels and interactions in Slack's JSON (compare tests/data/slack)."""

import secrets
from collections.abc import Mapping

from tests.wire.slack.messages import Message
from tests.wire.slack.state import APP_ID, SlackState
from tests.wire.slack.workspace import Channel, User, Workspace

Json = dict[str, object]


def message_json(message: Message) -> Json:
    """Return a message as events and lists show it."""
    written: Json = {
        "type": "message",
        "user": message.user,
        "text": message.text,
        "ts": message.ts,
        "team": message.team_id,
    }
    more: Mapping[str, object] = {
        "subtype": message.subtype,
        "client_msg_id": message.client_msg_id,
        "blocks": message.blocks or None,
        "thread_ts": message.thread_ts,
        "bot_id": message.bot_id,
        "app_id": APP_ID if message.is_ours else None,
        "edited": message.edited,
        "files": message.files or None,
        "metadata": message.metadata,
        "reactions": reactions_json(message) or None,
    }
    return {**written, **{name: value for name, value in more.items() if value is not None}}


def reactions_json(message: Message) -> list[Json]:
    """Return the reactions to a message."""
    return [
        {"name": name, "users": [*users], "count": len(users)} for name, users in message.reactions.items() if users
    ]


def rich_text(text: str) -> list[Json]:
    """Return the blocks that Slack makes of what a person types."""
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}
    return [{"type": "rich_text", "block_id": secrets.token_hex(2), "elements": [section]}]


def bot_profile(bot_id: str, team_id: str) -> Json:
    """Return what is told of a bot beside its messages."""
    return {"id": bot_id, "deleted": False, "name": "bot", "updated": 0, "app_id": APP_ID, "team_id": team_id}


def user_json(user: User, *, with_email: bool) -> Json:
    """Return a person; the e-mail address takes a scope of its own, and strangers have none."""
    profile: Json = {"real_name": user.name, "display_name": user.name, "team": user.team_id}
    if with_email and user.email and not user.is_bot and not user.is_stranger:
        profile["email"] = user.email
    if user.bot_id:
        profile["bot_id"] = user.bot_id
    written: Json = {
        "id": user.id,
        "team_id": user.team_id,
        "name": user.name,
        "real_name": user.name,
        "deleted": user.deleted,
        "tz": "Etc/UTC",
        "locale": user.locale,
        "is_bot": user.is_bot,
        "is_app_user": False,
        "profile": profile,
        "is_restricted": user.is_restricted or user.is_ultra_restricted,
        "is_ultra_restricted": user.is_ultra_restricted,
    }
    return {**written, "is_stranger": True} if user.is_stranger else written


def channel_json(channel: Channel, home: Workspace) -> Json:
    """Return a channel."""
    if channel.kind == "im":
        return {"id": channel.id, "is_im": True, "user": channel.user, "is_archived": False, "is_org_shared": False}
    return {
        "id": channel.id,
        "name": channel.name,
        "is_channel": channel.kind == "public",
        "is_group": channel.kind == "private",
        "is_im": False,
        "is_mpim": channel.kind == "mpim",
        "is_private": channel.kind != "public",
        "is_archived": channel.is_archived,
        "is_general": False,
        "is_shared": channel.is_ext_shared,
        "is_ext_shared": channel.is_ext_shared,
        "is_org_shared": False,
        "is_pending_ext_shared": False,
        "is_member": home.bot_user in channel.members,
        "context_team_id": home.id,
        "num_members": len(channel.members),
    }


def who(state: SlackState, home: Workspace, user_id: str) -> Json:
    """Return the parts that all interactions begin with: who, where, and the app."""
    user = home.users[user_id]
    team: Json = {"id": home.id, "domain": home.domain}
    enterprise: Json | None = None
    if home.enterprise_id:
        team |= {"enterprise_id": home.enterprise_id, "enterprise_name": "Organisation"}
        enterprise = {"id": home.enterprise_id, "name": "Organisation"}
    token = state.bot_token_of(home.id)
    return {
        "team": team,
        "enterprise": enterprise,
        "is_enterprise_install": token is not None and token.team_id is None,
        "user": {"id": user.id, "username": user.name, "name": user.name, "team_id": user.team_id},
        "api_app_id": APP_ID,
        "token": "verification-token",
    }


def stranger(team_id: str, user_id: str) -> Json:
    """Return the same of somebody in a workspace that this server does not have."""
    return {
        "team": {"id": team_id, "domain": team_id.casefold()},
        "enterprise": None,
        "is_enterprise_install": False,
        "user": {"id": user_id, "username": user_id, "name": user_id, "team_id": team_id},
        "api_app_id": APP_ID,
        "token": "verification-token",
    }


def place_json(channel: Channel) -> Json:
    """Return the channel as interactions name it."""
    name = {"im": "directmessage", "mpim": "mpdm", "private": "privategroup"}.get(channel.kind, channel.name)
    return {"id": channel.id, "name": name}


def container_json(channel: Channel, message: Message) -> Json:
    """Return where in a channel something was clicked."""
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": message.ephemeral_to is not None,
    }
    return {**container, "thread_ts": message.thread_ts} if message.thread_ts else container
