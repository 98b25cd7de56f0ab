"""Which methods there are, and what each of them needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from tests.wire.slack.methods import (
    assistant,
    auth,
    channels,
    chat,
    dialogs,
    files,
    people,
    reactions,
    streams,
    threads,
)
from tests.wire.slack.records import Call
from tests.wire.slack.state import SlackState

Run = Callable[[SlackState, Call], Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Method:
    """A method; one of its `scopes` is needed, and every `required` argument. `is_open`: without a token."""

    run: Run
    tier: int | None = None
    scopes: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    token_kind: Literal["bot", "app"] = "bot"
    is_open: bool = False


def _method(run: Run, tier: int | None, scopes: str = "", required: str = "") -> Method:
    return Method(run, tier, tuple(scopes.split()), tuple(required.split()))


METHODS: Mapping[str, Method] = {
    "api.test": Method(auth.api_test, is_open=True),
    "auth.test": _method(auth.test, None),
    "auth.revoke": _method(auth.revoke, 3),
    "apps.uninstall": _method(auth.uninstall, 1, required="client_id client_secret"),
    "apps.connections.open": Method(auth.open_connection, 1, ("connections:write",), token_kind="app"),
    "oauth.v2.access": Method(auth.oauth_access, 4, required=("client_id", "client_secret"), is_open=True),
    "team.info": _method(auth.team_info, 3, "team:read"),
    "bots.info": _method(people.bot_info, 3, "users:read"),
    "chat.postMessage": _method(chat.post, None, "chat:write", "channel"),
    "chat.postEphemeral": _method(chat.post_ephemeral, 4, "chat:write", "channel user"),
    "chat.update": _method(chat.update, 3, "chat:write", "channel ts"),
    "chat.delete": _method(chat.delete, 3, "chat:write", "channel ts"),
    "chat.getPermalink": _method(chat.permalink, None, "", "channel message_ts"),
    "chat.startStream": _method(streams.start, 2, "chat:write", "channel"),
    "chat.appendStream": _method(streams.append, 4, "chat:write", "channel ts"),
    "chat.stopStream": _method(streams.stop, 2, "chat:write", "channel ts"),
    "assistant.threads.setStatus": _method(
        assistant.set_status, None, "chat:write assistant:write", "channel_id thread_ts"
    ),
    "assistant.threads.setSuggestedPrompts": _method(assistant.set_prompts, 4, "assistant:write", "channel_id prompts"),
    "assistant.threads.setTitle": _method(assistant.set_title, None, "assistant:write", "channel_id thread_ts title"),
    "agents.sessions.setStatus": _method(assistant.set_session, 3, "chat:write", "channel_id status"),
    "agents.sessions.rename": _method(assistant.rename_session, 3, "chat:write", "channel_id title"),
    "conversations.info": _method(channels.info, 3, "", "channel"),
    "conversations.list": _method(channels.listed, 2),
    "conversations.members": _method(channels.members, 4, "", "channel"),
    "conversations.open": _method(channels.opened, 3, "im:write mpim:write"),
    "conversations.history": _method(threads.history, 3, "", "channel"),
    "conversations.replies": _method(threads.replies, 3, "", "channel ts"),
    "files.info": _method(files.info, 4, "files:read", "file"),
    "files.getUploadURLExternal": _method(files.upload_url, 4, "files:write", "filename length"),
    "files.completeUploadExternal": _method(files.complete, 4, "files:write", "files"),
    "users.info": _method(people.info, 4, "users:read", "user"),
    "users.list": _method(people.listed, 2, "users:read"),
    "users.lookupByEmail": _method(people.by_email, 3, "users:read.email", "email"),
    "usergroups.list": _method(people.usergroups, 2, "usergroups:read"),
    "usergroups.users.list": _method(people.usergroup_users, 2, "usergroups:read", "usergroup"),
    "reactions.add": _method(reactions.add, 3, "reactions:write", "channel timestamp name"),
    "reactions.remove": _method(reactions.remove, 2, "reactions:write", "channel timestamp name"),
    "reactions.get": _method(reactions.get, 3, "reactions:read", "channel timestamp"),
    "views.open": _method(dialogs.open_view, 4, "", "view"),
    "views.update": _method(dialogs.update_view, 4, "", "view"),
    "views.publish": _method(dialogs.publish, 4, "", "user_id view"),
}
