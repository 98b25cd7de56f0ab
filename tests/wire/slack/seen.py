"""What a person sees in Slack now, and saw before."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from tests.wire.slack.files import shown_files
from tests.wire.slack.messages import Blocks, Message, Moment
from tests.wire.slack.records import Call, Delivery
from tests.wire.slack.state import SlackState, Status
from tests.wire.slack.workspace import Channel


@dataclass(frozen=True, slots=True)
class Post:
    """A message as it is seen: `text` is what is read of its blocks or text, what was streamed included.

    `moments` are all that was to be seen of it, in order. `seen_by` None: everybody in the channel. `files` are what
    is in them, by their titles.
    """

    channel: str
    ts: str
    user: str
    text: str
    is_ours: bool
    thread_ts: str | None
    blocks: Blocks
    metadata: Mapping[str, object] | None
    is_streaming: bool
    seen_by: str | None
    reactions: Mapping[str, tuple[str, ...]]
    moments: tuple[Moment, ...]
    files: Mapping[str, bytes]


class Seen(SlackState):
    """Looks at the workspaces as their people do."""

    def posts(self, channel: str, *, thread: str | None = None) -> list[Post]:
        """Return what everybody sees in a channel (or one of its threads, its first message too), oldest first."""
        with self.lock:
            place = self.channel(channel)
            found = [self._post(place, one) for one in place.messages.values() if not one.is_deleted]
            return [one for one in found if thread is None or thread in (one.ts, one.thread_ts)]

    def answers(self, channel: str, *, thread: str | None = None) -> list[Post]:
        """Return what everybody sees that the app posted."""
        return [one for one in self.posts(channel, thread=thread) if one.is_ours]

    def whispers(self, channel: str, user: str | None = None) -> list[Post]:
        """Return what only one person sees: ephemeral messages, of all people or of one."""
        with self.lock:
            place = self.channel(channel)
            return [
                self._post(place, one)
                for one in place.ephemerals
                if not one.is_deleted and user in (None, one.ephemeral_to)
            ]

    def past(self, channel: str) -> list[tuple[str, Moment]]:
        """Return all that was ever to be seen of the app's messages in a channel, by ts, in order of time."""
        with self.lock:
            place = self.channel(channel)
            messages = [one for one in (*place.messages.values(), *place.ephemerals) if one.is_ours]
            found = [(one.ts, moment) for one in messages for moment in one.moments]
            return sorted(found, key=lambda entry: entry[1].at_s)

    def open_streams(self) -> list[Post]:
        """Return the messages that still grow."""
        return [one for channel in self.channels() for one in self.posts(channel) if one.is_streaming]

    def standing_statuses(self) -> Mapping[tuple[str, str], Status]:
        """Return what is shown of work under way, by channel and thread."""
        with self.lock:
            oldest_s = time.monotonic() - self.manners.status_lifetime_s
            return {key: status for key, status in self.statuses.items() if status.at_s >= oldest_s}

    def channels(self) -> list[str]:
        """Return the ids of all channels of all workspaces."""
        with self.lock:
            return [channel for home in self.workspaces.values() for channel in home.channels]

    def calls_of(self, method: str) -> list[Call]:
        """Return the calls of a method, oldest first."""
        return [call for call in list(self.calls) if call.method == method]

    def deliveries_of(self, event_type: str) -> list[Delivery]:
        """Return the deliveries of a kind of event."""
        return [one for one in list(self.deliveries) if one.event.get("type") == event_type]

    def _post(self, place: Channel, message: Message) -> Post:
        return Post(
            channel=place.id,
            ts=message.ts,
            user=message.user,
            text=message.reading,
            is_ours=message.is_ours,
            thread_ts=message.thread_ts,
            blocks=message.blocks,
            metadata=message.metadata,
            is_streaming=message.is_streaming,
            seen_by=message.ephemeral_to,
            reactions={name: tuple(users) for name, users in message.reactions.items() if users},
            moments=tuple(message.moments),
            files=shown_files(message.files, self),
        )
