"""Workspaces: their people, channels and groups."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from tests.wire.slack.messages import Message

ChannelKind = Literal["public", "private", "im", "mpim"]
SUBSCRIPTION: Mapping[ChannelKind, str] = {
    "public": "message.channels",
    "private": "message.groups",
    "im": "message.im",
    "mpim": "message.mpim",
}
# What event payloads call the kinds, and the scopes that belong to them.
CHANNEL_TYPE: Mapping[ChannelKind, str] = {"public": "channel", "private": "group", "im": "im", "mpim": "mpim"}
SCOPE: Mapping[ChannelKind, str] = {"public": "channels", "private": "groups", "im": "im", "mpim": "mpim"}


@dataclass(slots=True)
class User:
    """Somebody in a workspace, or in a channel shared with it (`is_stranger`)."""

    id: str
    team_id: str
    name: str
    email: str | None = None
    is_bot: bool = False
    is_restricted: bool = False
    is_ultra_restricted: bool = False
    is_stranger: bool = False
    deleted: bool = False
    locale: str = "en-US"
    bot_id: str | None = None


@dataclass(slots=True)
class Channel:
    """A conversation with its messages by ts; in an `im`, `user` is the person."""

    id: str
    team_id: str
    name: str
    kind: ChannelKind = "public"
    members: list[str] = field(default_factory=list)
    user: str | None = None
    is_archived: bool = False
    is_ext_shared: bool = False
    is_posting_restricted: bool = False
    messages: dict[str, Message] = field(default_factory=dict)
    ephemerals: list[Message] = field(default_factory=list)

    def replies(self, root: str) -> list[Message]:
        """Return the messages of a thread behind its first, oldest first."""
        return [one for one in self.messages.values() if one.thread_ts == root and one.ts != root]


@dataclass(slots=True)
class Usergroup:
    """A group of people with a handle."""

    id: str
    handle: str
    users: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Workspace:
    """A workspace in which the app has a bot user."""

    id: str
    domain: str
    enterprise_id: str | None = None
    bot_user: str = ""
    bot_id: str = ""
    is_free: bool = False
    messages_tab: bool = True
    users: dict[str, User] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    usergroups: dict[str, Usergroup] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.bot_user = self.bot_user or f"U{self.id}BOT"
        self.bot_id = self.bot_id or f"B{self.id}BOT"
        self.users[self.bot_user] = User(self.bot_user, self.id, "answerdesk", is_bot=True, bot_id=self.bot_id)

    def add_user(self, user_id: str, *, email: str | None = None, team_id: str | None = None) -> User:
        """Add a person; one of another `team_id` is a stranger. What else they are is set on the result."""
        home = team_id or self.id
        user = User(user_id, home, user_id.casefold(), email or f"{user_id.casefold()}@example.com")
        user.is_stranger = home != self.id
        self.users[user_id] = user
        return user

    def add_bot(self, user_id: str, bot_id: str) -> User:
        """Add the bot of another app."""
        bot = User(user_id, self.id, user_id.casefold(), is_bot=True, bot_id=bot_id)
        self.users[user_id] = bot
        return bot

    def add_channel(
        self, channel_id: str, members: Iterable[str] = (), *, kind: ChannelKind = "public", has_bot: bool = True
    ) -> Channel:
        """Add a channel; the bot is in it unless told otherwise."""
        channel = Channel(channel_id, self.id, channel_id.casefold(), kind, [*members])
        if has_bot:
            channel.members.append(self.bot_user)
        self.channels[channel_id] = channel
        return channel

    def add_usergroup(self, group_id: str, users: Iterable[str]) -> Usergroup:
        """Add a group of people."""
        self.usergroups[group_id] = Usergroup(group_id, group_id.casefold(), [*users])
        return self.usergroups[group_id]

    def dm(self, user_id: str) -> Channel:
        """Return the bot's conversation with a person, opening it where there is none."""
        for channel in self.channels.values():
            if channel.kind == "im" and channel.user == user_id:
                return channel
        channel = self.add_channel(f"D{user_id.removeprefix('U')}", [user_id], kind="im")
        channel.user = user_id
        return channel
