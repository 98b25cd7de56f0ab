"""The wire of a message that grows: begun, appended to, finished, put right, taken away."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.channels.slack.errors import code_of
from bot.channels.slack.render.blocks import Block
from bot.channels.slack.send.calls import Calls
from bot.channels.slack.send.parcels import DELETE, UPDATE
from bot.core.errors import MaybeSent, Undeliverable
from bot.core.incoming import Place
from knowledge.errors import TransientError

START = "chat.startStream"
APPEND = "chat.appendStream"
STOP = "chat.stopStream"

# What grows cannot be changed or deleted before it is stopped.
_STILL_GROWS = "streaming_state_conflict"
_GONE = frozenset({"message_not_found", "channel_not_found", "thread_not_found"})

Chunk = dict[str, object]


@dataclass(frozen=True, slots=True)
class Recipient:
    """Whom an answer is for, which Slack wants to know outside of direct messages."""

    user: str
    team: str


class StreamCalls:
    """The calls for one kind of message: what grows."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def has_room(self, method: str, place: Place) -> bool:
        """Tell whether a method may be called at once."""
        return self._calls.pacing.has_room(method, place.workspace, place.channel)

    async def start(self, place: Place, thread: str, recipient: Recipient | None, chunks: Sequence[Chunk]) -> str:
        """Begin a message in a thread, and return its name."""
        answer = await self._calls.write(
            START,
            place,
            lambda client: client.chat_startStream(
                channel=place.channel,
                thread_ts=thread,
                recipient_team_id=recipient.team if recipient else None,
                recipient_user_id=recipient.user if recipient else None,
                task_display_mode="timeline",
                chunks=chunks,
            ),
        )
        return str(answer["ts"])

    async def append(self, place: Place, ts: str, chunks: Sequence[Chunk]) -> None:
        """Let a message grow."""
        await self._calls.write(
            APPEND, place, lambda client: client.chat_appendStream(channel=place.channel, ts=ts, chunks=chunks)
        )

    async def stop(
        self,
        place: Place,
        ts: str,
        *,
        chunks: Sequence[Chunk] = (),
        blocks: Sequence[Block] = (),
        about: dict[str, object] | None = None,
    ) -> None:
        """Finish a message: with the last of its text, and what stands below it."""
        await self._calls.write(
            STOP,
            place,
            lambda client: client.chat_stopStream(
                channel=place.channel, ts=ts, chunks=chunks or None, blocks=blocks or None, metadata=about
            ),
        )

    async def update(self, place: Place, ts: str, text: str, blocks: Sequence[Block], about: dict[str, object]) -> None:
        """Let a message show this and nothing else, whether it still grows or not; once more changes nothing."""
        try:
            await self._update(place, ts, text, blocks, about)
        except Undeliverable as exc:
            if code_of(exc) != _STILL_GROWS:
                raise
            await self._halt(place, ts)
            await self._update(place, ts, text, blocks, about)

    async def remove(self, place: Place, ts: str) -> None:
        """Delete a message, whether it still grows or not; one that is gone is no problem."""
        try:
            await self._delete(place, ts)
        except Undeliverable as exc:
            if code_of(exc) == _STILL_GROWS:
                await self._halt(place, ts)
                await self._delete(place, ts)
            elif code_of(exc) not in _GONE:
                raise

    async def _halt(self, place: Place, ts: str) -> None:
        try:
            await self.stop(place, ts)
        except (Undeliverable, MaybeSent):
            # It has stopped by itself, or the next call finds that it has not.
            return

    async def _update(
        self, place: Place, ts: str, text: str, blocks: Sequence[Block], about: dict[str, object]
    ) -> None:
        await self._calls.write(
            UPDATE,
            place,
            lambda client: client.chat_update(
                channel=place.channel, ts=ts, text=text, blocks=list(blocks), metadata=about
            ),
        )

    async def _delete(self, place: Place, ts: str) -> None:
        try:
            await self._calls.write(DELETE, place, lambda client: client.chat_delete(channel=place.channel, ts=ts))
        except MaybeSent as exc:
            raise TransientError(str(exc)) from exc
