"""Finds on Slack what we sent without knowing that it arrived: by the marker in its metadata, or the file itself."""

from collections.abc import AsyncIterator, Awaitable, Mapping
from dataclasses import dataclass, field

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.channels.slack.clients import Me
from bot.channels.slack.errors import code_of
from bot.channels.slack.send.calls import Calls
from bot.channels.slack.send.parcels import FILES, POST, file_of
from bot.channels.slack.translate.metadata import payload_of
from bot.channels.slack.translate.read import items, word
from bot.core.errors import Undeliverable
from bot.core.incoming import Place
from bot.core.outgoing import Parcel
from knowledge.errors import TransientError

PAGE_MESSAGES = 200
MOST_PAGES = 5

Message = Mapping[str, object]

_NOTHING_THERE = frozenset({"thread_not_found", "message_not_found"})


@dataclass(slots=True)
class Found:
    """The messages that a parcel was sent as, by their number among so many `parts`."""

    messages: dict[int, str] = field(default_factory=dict)
    parts: int = 1

    @property
    def is_whole(self) -> bool:
        """Whether all of the parcel was sent."""
        return len(self.messages) >= self.parts


class Finder:
    """Looks through threads and channels."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def find(self, parcel: Parcel) -> str | None:
        """Return the name of a parcel that was sent, None where it surely was not, or not all of it.

        What only its asker sees stands in no history: that is sent again, once more at most. To delete once more what
        is gone changes nothing.
        """
        is_there = self.can_find(parcel) and not parcel.is_gone
        found = await self.parts(parcel) if is_there else Found()
        return found.messages[min(found.messages)] if found.is_whole else None

    def can_find(self, parcel: Parcel) -> bool:
        """Tell whether a parcel stands in a history: what only its asker sees does not."""
        return parcel.payload.get("method") in (POST, FILES)

    async def parts(self, parcel: Parcel) -> Found:
        """Return what there is of a parcel."""
        found = Found()
        me = await self._calls.me(parcel.place) if parcel.payload.get("method") == FILES else None
        async for message in self._messages(parcel.place, parcel.thread, word(parcel.payload, "after")):
            payload = payload_of(message)
            if payload.get("marker") == parcel.marker or (me and is_ours(message, me) and _has_file(message, parcel)):
                found.messages[_number(payload.get("part"))] = word(message, "ts")
                found.parts = _number(payload.get("parts"))
        return found

    async def marked(self, place: Place, marker: str, after: str) -> str | None:
        """Return the message outside of threads that has a marker."""
        async for message in self._messages(place, None, after):
            if payload_of(message).get("marker") == marker:
                return word(message, "ts")
        return None

    async def unmarked(self, place: Place, thread: str, after: str) -> str | None:
        """Return the last message of ours in a thread without a marker: an answer that was left while it grew."""
        me = await self._calls.me(place)
        found: str | None = None
        async for message in self._messages(place, thread, after):
            if is_ours(message, me) and not payload_of(message):
                found = max(found or "", word(message, "ts"))
        return found

    async def _messages(self, place: Place, thread: str | None, after: str) -> AsyncIterator[Message]:
        """Yield what was written since; TransientError where there is too much of it to look through."""
        cursor = ""
        for _ in range(MOST_PAGES):
            page = await self._page(place, thread, after, cursor)
            for message in items(page, "messages"):
                # A thread is listed with the message that it hangs from.
                if word(message, "ts") > after and word(message, "ts") != thread:
                    yield message
            cursor = word(page, "response_metadata", "next_cursor")
            if not cursor:
                return
        raise TransientError(f"too much was written in {place} since to find a message of ours there")

    async def _page(self, place: Place, thread: str | None, after: str, cursor: str) -> Mapping[str, object]:
        method = "conversations.replies" if thread else "conversations.history"
        try:
            return await self._calls.read(method, place, lambda client: _asked(client, place, thread, after, cursor))
        except Undeliverable as exc:
            if code_of(exc) in _NOTHING_THERE:
                return {}
            raise


def _asked(
    client: AsyncWebClient, place: Place, thread: str | None, after: str, cursor: str
) -> Awaitable[AsyncSlackResponse]:
    oldest, page = after or None, cursor or None
    if thread is None:
        return client.conversations_history(
            channel=place.channel, oldest=oldest, cursor=page, limit=PAGE_MESSAGES, include_all_metadata=True
        )
    return client.conversations_replies(
        channel=place.channel, ts=thread, oldest=oldest, cursor=page, limit=PAGE_MESSAGES, include_all_metadata=True
    )


def is_ours(message: Message, me: Me) -> bool:
    """Tell whether the bot wrote a message."""
    return message.get("user") == me.user_id or bool(me.bot_id and message.get("bot_id") == me.bot_id)


def _has_file(message: Message, parcel: Parcel) -> bool:
    """Tell whether a message shares a parcel's file: Slack takes no marker along with one."""
    file = file_of(parcel.payload)
    return any(
        word(given, "name") == file.name and file.size in (0, given.get("size")) for given in items(message, "files")
    )


def _number(given: object) -> int:
    return given if isinstance(given, int) and given > 0 else 1
