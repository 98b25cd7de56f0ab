"""Posts messages where everybody in a place sees them; what Slack refuses in its blocks goes as plain text."""

import logging

from bot.channels.slack.errors import code_of
from bot.channels.slack.render.blocks import Block
from bot.channels.slack.render.metadata import metadata
from bot.channels.slack.send.calls import Calls
from bot.channels.slack.send.found import Finder, Found
from bot.channels.slack.send.parcels import POST, blocks_of, text_of
from bot.channels.slack.send.plain import plain_parts
from bot.core.errors import MaybeSent, Undeliverable
from bot.core.outgoing import Parcel
from knowledge.errors import TransientError

# Slack takes the words, but not in this form (docs.slack.dev/reference/methods/chat.postMessage).
_REFUSED_FORMS = frozenset(
    {
        "block_mismatch",
        "invalid_arguments",
        "invalid_blocks",
        "invalid_blocks_format",
        "invalid_metadata_format",
        "markdown_text_conflict",
        "metadata_too_large",
        "msg_blocks_too_long",
        "msg_too_long",
    }
)

log = logging.getLogger(__name__)


class Poster:
    """Posts parcels in their thread."""

    def __init__(self, calls: Calls, finder: Finder) -> None:
        self._calls = calls
        self._finder = finder

    async def post(self, parcel: Parcel) -> str:
        """Post a parcel and return the name of its message, or of the first one where plain text takes several."""
        try:
            return await self._post(parcel, text_of(parcel.payload), blocks_of(parcel.payload), about(parcel))
        except Undeliverable as exc:
            if not is_refused_form(exc):
                raise
            log.exception("a message is sent as plain text instead", extra={"place": str(parcel.place)})
            return await self._post_plain(parcel)

    async def _post_plain(self, parcel: Parcel) -> str:
        """Post a parcel as plain text, but those parts that an attempt before has sent."""
        found = await self._finder.parts(parcel) if parcel.was_begun else Found()
        messages = dict(found.messages)
        parts = plain_parts(parcel.payload)
        for number, text in enumerate(parts, 1):
            if number not in messages:
                about = metadata(parcel.marker, number=number, parts=len(parts))
                messages[number] = await self._next(parcel, text, about, is_first=not messages)
        return messages[1]

    async def _next(self, parcel: Parcel, text: str, about: dict[str, object], *, is_first: bool) -> str:
        try:
            return await self._post(parcel, text, [], about)
        except TransientError as exc:
            if is_first:
                raise
            raise MaybeSent(f"only a part of a message was sent: {exc}") from exc

    async def _post(self, parcel: Parcel, text: str, blocks: list[Block], about: dict[str, object]) -> str:
        answer = await self._calls.write(
            POST,
            parcel.place,
            lambda client: client.chat_postMessage(
                channel=parcel.place.channel,
                thread_ts=parcel.thread,
                text=text,
                blocks=blocks or None,
                metadata=about,
                unfurl_links=False,
                unfurl_media=False,
            ),
        )
        return str(answer["ts"])


def about(parcel: Parcel) -> dict[str, object]:
    """Return what goes along with a parcel's message."""
    return metadata(parcel.marker, fields=parcel.payload.get("fields"))


def is_refused_form(exc: Undeliverable) -> bool:
    """Tell whether Slack would take the same words in another form."""
    return code_of(exc) in _REFUSED_FORMS
