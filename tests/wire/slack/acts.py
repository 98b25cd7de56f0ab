"""What people do in a workspace, each with the events that Slack sends of it."""

import secrets
from collections.abc import Mapping, Sequence

from tests.wire.slack.courier import Parcel
from tests.wire.slack.events import emit, membership, message_changed, message_deleted, message_posted, reaction
from tests.wire.slack.files import file_json, new_file
from tests.wire.slack.messages import Message
from tests.wire.slack.payloads import message_json, rich_text
from tests.wire.slack.records import Kind
from tests.wire.slack.state import SlackState


class Acts(SlackState):
    """The people of the workspaces, moved by a test."""

    def says(
        self,
        user: str,
        channel: str,
        text: str,
        *,
        thread: str | None = None,
        files: Sequence[str] | Mapping[str, bytes] = (),
        subtype: str | None = None,
    ) -> str:
        """Let somebody post, and return the message's ts; `channel` may be one with a person.

        `files` are names, perhaps with what is in them.
        """
        with self.lock:
            place = self.channel(channel)
            author = self.home_of(channel).users[user]
            message = Message(
                self.clock.ts(),
                user,
                author.team_id,
                text,
                rich_text(text),
                thread,
                bot_id=author.bot_id,
                subtype="file_share" if files else subtype,
                files=[self._file(channel, name, user, files) for name in files],
                client_msg_id=secrets.token_hex(16),
            )
            place.messages[message.ts] = message
            message.note()
            message_posted(self, place, message)
            return message.ts

    def _file(
        self, channel: str, name: str, user: str, files: Sequence[str] | Mapping[str, bytes]
    ) -> dict[str, object]:
        content = files[name] if isinstance(files, Mapping) else b"x" * 1024
        return file_json(new_file(self, self.home_of(channel).id, user, name, content), self.url)

    def edits(self, channel: str, ts: str, text: str) -> None:
        """Let the author write something else."""
        with self.lock:
            message = self.message(channel, ts)
            before = message_json(message)
            message.text, message.blocks = text, rich_text(text)
            message.edited = {"user": message.user, "ts": self.clock.ts()}
            message.note()
            message_changed(self, self.channel(channel), before, message)

    def unfurls(self, channel: str, ts: str) -> None:
        """Let Slack add a preview: the message is changed, and nobody edited it."""
        with self.lock:
            message = self.message(channel, ts)
            message_changed(self, self.channel(channel), message_json(message), message)

    def deletes(self, channel: str, ts: str) -> None:
        """Let a message be deleted."""
        with self.lock:
            message = self.message(channel, ts)
            message.is_deleted = True
            message.note()
            if not self.channel(channel).replies(ts):
                # With the thread goes what stood below it.
                self.statuses.pop((channel, ts), None)
            message_deleted(self, self.channel(channel), message_json(message))

    def reacts(self, user: str, channel: str, ts: str, name: str) -> None:
        """Let somebody react."""
        with self.lock:
            message = self.message(channel, ts)
            message.reactions.setdefault(name, []).append(user)
            reaction(self, self.channel(channel), message, user, name, added=True)

    def unreacts(self, user: str, channel: str, ts: str, name: str) -> None:
        """Let somebody take a reaction back."""
        with self.lock:
            message = self.message(channel, ts)
            message.reactions[name].remove(user)
            reaction(self, self.channel(channel), message, user, name, added=False)

    def joins(self, user: str, channel: str) -> None:
        """Let somebody join a channel."""
        with self.lock:
            self.channel(channel).members.append(user)
            membership(self, self.channel(channel), user, joined=True)

    def leaves(self, user: str, channel: str) -> None:
        """Let somebody leave a channel, or be removed; the bot too."""
        with self.lock:
            self.channel(channel).members.remove(user)
            membership(self, self.channel(channel), user, joined=False)

    def opens_home(self, user: str, team_id: str, *, tab: str = "messages") -> str:
        """Let somebody open the app's messages (or its home tab), and return the channel."""
        with self.lock:
            home = self.workspaces[team_id]
            channel = home.dm(user)
            event = {"type": "app_home_opened", "user": user, "channel": channel.id, "tab": tab}
            emit(self, home, {**event, "event_ts": self.clock.ts()}, "app_home_opened")
            return channel.id

    def looks_at(self, user: str, team_id: str, channel: str | None) -> None:
        """Let somebody look at another channel beside the app's messages."""
        with self.lock:
            home = self.workspaces[team_id]
            entity = {"type": "slack#/types/channel_id", "value": channel, "team_id": team_id}
            context = {"entities": [entity]} if channel else {}
            event = {"type": "app_context_changed", "user": user, "channel": home.dm(user).id, "context": context}
            emit(self, home, {**event, "event_ts": self.clock.ts()}, "app_context_changed")

    def stops_stream(self, channel: str, ts: str) -> None:
        """Let the reader stop an answer that grows."""
        self._end_stream(channel, ts, by_user=True)

    def closes_stream(self, channel: str, ts: str) -> None:
        """Let Slack close a stream that took too long."""
        self._end_stream(channel, ts, by_user=False)

    def _end_stream(self, channel: str, ts: str, *, by_user: bool) -> None:
        with self.lock:
            message = self.message(channel, ts)
            assert message.stream is not None
            assert message.stream.state == "open"
            message.stream.state = "stopped_by_user" if by_user else "closed"
            message.note()

    def uninstalls(self, team_id: str) -> None:
        """Let an administrator remove the app: its tokens are dead, and two events come in no certain order."""
        with self.lock:
            home = self.workspaces[team_id]
            for token in self.token_book.of_team(team_id):
                token.state = "inactive"
            emit(self, home, {"type": "app_uninstalled"}, "app_uninstalled")
            self._tell_of_revocation(team_id)

    def revokes_tokens(self, team_id: str) -> None:
        """Let the bot's tokens in a workspace be revoked."""
        with self.lock:
            for token in self.token_book.of_team(team_id):
                token.state = "revoked"
            self._tell_of_revocation(team_id)

    def _tell_of_revocation(self, team_id: str) -> None:
        home = self.workspaces[team_id]
        event = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [home.bot_user]}}
        emit(self, home, {**event, "event_ts": self.clock.ts()}, "tokens_revoked")

    def delivers(self, kind: Kind, payload: Mapping[str, object]) -> None:
        """Deliver a payload as it stands, such as a recorded one."""
        team_id = payload.get("team_id")
        self.courier.take(Parcel(kind, payload, team_id=str(team_id) if team_id else None))
