"""Sends files on: fetched where they lie, and uploaded into the thread; what cannot be sent is told by its name.

docs.slack.dev/messaging/working-with-files: an address is asked for, the bytes are posted there, then they are shared.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from io import BytesIO

import aiohttp

from bot.channels.slack.clients import Clients
from bot.channels.slack.errors import SDK_ERRORS, code_of
from bot.channels.slack.render.reply import notice
from bot.channels.slack.send.calls import Calls
from bot.channels.slack.send.parcels import POST, SHARE, file_of
from bot.channels.slack.send.post import Poster
from bot.channels.slack.translate.read import word
from bot.core.errors import Undeliverable
from bot.core.outgoing import Parcel
from bot.core.phrases import phrase
from bot.core.tickets.files import MAX_FILE_BYTES, File
from knowledge.errors import TransientError

UPLOAD_ADDRESS = "files.getUploadURLExternal"
FILE_TIMEOUT_S = 60.0
MAX_NAME_CHARACTERS = 200

Fetch = Callable[[File], Awaitable[bytes]]

log = logging.getLogger(__name__)


class Uploader:
    """Sends the files of posts; `fetch` brings them from whichever channel they lie in."""

    def __init__(self, calls: Calls, clients: Clients, poster: Poster, fetch: Fetch) -> None:
        self._calls = calls
        self._clients = clients
        self._poster = poster
        self._fetch = fetch

    async def send(self, parcel: Parcel) -> str | None:
        """Share a file in its place and thread; Slack does not tell the name of the message that this makes."""
        file = file_of(parcel.payload)
        try:
            await self._share(parcel, file, await self._uploaded(parcel, file))
        except Undeliverable as exc:
            return await self._tell(parcel, file, exc)
        except TransientError as exc:
            # Nobody may ever add it, and what follows in the thread must not wait for that.
            if code_of(exc) != "missing_scope":
                raise
            return await self._tell(parcel, file, exc)
        return None

    async def _uploaded(self, parcel: Parcel, file: File) -> str:
        """Return the id of a file that is with Slack, and nobody sees yet."""
        data = await self._fetch(file)
        if not 0 < len(data) <= MAX_FILE_BYTES:
            raise Undeliverable(f"a file of {len(data)} bytes")
        answer = await self._calls.read(
            UPLOAD_ADDRESS,
            parcel.place,
            lambda client: client.files_getUploadURLExternal(filename=_name(file), length=len(data)),
        )
        await self._put(word(answer, "upload_url"), data)
        return word(answer, "file_id")

    async def _put(self, url: str, data: bytes) -> None:
        timeout = aiohttp.ClientTimeout(total=FILE_TIMEOUT_S)
        session, body = self._clients.session, BytesIO(data)
        try:
            async with session.post(url, data=body, timeout=timeout, allow_redirects=False) as response:
                status = response.status
        except (*SDK_ERRORS, ValueError) as exc:
            raise TransientError(f"Slack did not take a file: {type(exc).__name__}") from exc
        if status == 429 or status >= 500:
            raise TransientError(f"Slack did not take a file: HTTP {status}; it may work later")
        if status != 200:
            raise Undeliverable(f"Slack refuses a file: HTTP {status}")

    async def _share(self, parcel: Parcel, file: File, file_id: str) -> None:
        await self._calls.write(
            SHARE,
            parcel.place,
            lambda client: client.files_completeUploadExternal(
                files=[{"id": file_id, "title": _name(file)}],
                channel_id=parcel.place.channel,
                thread_ts=parcel.thread,
            ),
        )

    async def _tell(self, parcel: Parcel, file: File, why: Exception) -> str:
        """Post a sentence in place of a file."""
        log.warning("a file is not sent on: %s", why, extra={"place": str(parcel.place)})
        said = notice(phrase("file_not_sent", word(parcel.payload, "language") or "en", file=_name(file)))
        return await self._poster.post(replace(parcel, payload=_as_post(parcel, said.text, said.blocks)))


def _name(file: File) -> str:
    return file.name.strip()[:MAX_NAME_CHARACTERS] or file.id


def _as_post(parcel: Parcel, text: str, blocks: object) -> Mapping[str, object]:
    return {"method": POST, "after": parcel.payload.get("after"), "text": text, "blocks": blocks}
