"""Files that people sent on Slack: fetched with the bot's token, from Slack and from nobody else."""

import re
from collections.abc import Mapping
from urllib.parse import urljoin

import aiohttp

from bot.channels.slack.clients import Clients
from bot.channels.slack.errors import SDK_ERRORS, code_of
from bot.channels.slack.send.calls import Calls
from bot.channels.slack.translate.read import part, word
from bot.channels.slack.translate.values import PLATFORM
from bot.core.errors import Undeliverable
from bot.core.incoming import Place
from bot.core.tickets.files import MAX_FILE_BYTES, File
from knowledge.errors import RateLimited, SettingsProblem, TransientError

FILE_TIMEOUT_S = 60.0
CHUNK_BYTES = 64 * 1024
MOST_REDIRECTS = 3
# Of Slack and of Slack for governments: the token is shown to no other.
HOSTS = (".slack.com", ".slack-gov.com")
DEFAULT_WAIT_S = 30.0
# Nothing in it that two readers of addresses could take for two hosts.
_ADDRESS = re.compile(r"(?P<origin>(?P<scheme>https?)://(?P<host>[A-Za-z0-9.-]+)(?::\d{1,5})?)(?:[/?#][^\s\\@]*)?")
_MOVED = frozenset({301, 302, 303, 307, 308})


class Files:
    """Files of all workspaces."""

    def __init__(self, calls: Calls, clients: Clients) -> None:
        self._calls = calls
        self._clients = clients

    async def read(self, file: File) -> bytes:
        """Return a file; Undeliverable where it is gone, too large or not ours to read, TransientError else."""
        if file.size > MAX_FILE_BYTES:
            raise Undeliverable(f"the file has {file.size} bytes")
        told = await self._told(file)
        size = told.get("size")
        if isinstance(size, int) and size > MAX_FILE_BYTES:
            raise Undeliverable(f"the file has {size} bytes")
        url = word(told, "url_private_download") or word(told, "url_private")
        if not url:
            raise Undeliverable("the file is gone, or Slack does not show where it is")
        return await self._downloaded(file, url, is_page=word(told, "mimetype").startswith("text/html"))

    async def _told(self, file: File) -> Mapping[str, object]:
        """Return what Slack knows of a file: where it lies may be another place by now."""
        place = Place(PLATFORM, file.workspace, "")
        try:
            answer = await self._calls.read("files.info", place, lambda client: client.files_info(file=file.id))
        except TransientError as exc:
            if code_of(exc) != "missing_scope":
                raise
            raise Undeliverable(str(exc)) from exc
        return part(answer, "file")

    async def _downloaded(self, file: File, url: str, *, is_page: bool) -> bytes:
        try:
            token = (await self._clients.of(file.workspace)).token
        except SettingsProblem as exc:
            raise Undeliverable(str(exc)) from exc
        headers = {"Authorization": f"Bearer {token}"}
        for _ in range(MOST_REDIRECTS):
            self._check(url)
            try:
                found = await self._got(url, headers, is_page=is_page)
            except (*SDK_ERRORS, ValueError) as exc:
                raise TransientError(f"a file did not come from Slack: {type(exc).__name__}") from exc
            if isinstance(found, bytes):
                return found
            url = found
        raise Undeliverable("the file is not where Slack says")

    def _check(self, url: str) -> None:
        """Refuse what would show the token to anybody else."""
        address, ours = _ADDRESS.fullmatch(url), _ADDRESS.fullmatch(self._clients.api_url)
        if address is None:
            raise Undeliverable("the address of the file is none")
        is_slack = address["scheme"] == "https" and address["host"].lower().endswith(HOSTS)
        if not is_slack and (ours is None or address["origin"] != ours["origin"]):
            raise Undeliverable(f"the file is not with Slack, but at {address['host']}")

    async def _got(self, url: str, headers: Mapping[str, str], *, is_page: bool) -> bytes | str:
        """Return a file, or the address where it is instead."""
        timeout = aiohttp.ClientTimeout(total=FILE_TIMEOUT_S)
        async with self._clients.session.get(url, headers=headers, timeout=timeout, allow_redirects=False) as response:
            if response.status in _MOVED:
                return urljoin(url, response.headers.get("Location", ""))
            _check_status(response)
            # Who may not read a file is shown the page to log in.
            if response.content_type == "text/html" and not is_page:
                raise Undeliverable("Slack shows no file; the bot needs the scope files:read")
            return await _body_of(response)


def _check_status(response: aiohttp.ClientResponse) -> None:
    status = response.status
    if status == 429:
        given = response.headers.get("Retry-After", "")
        wait_s = float(given) if given.isascii() and given.isdigit() else DEFAULT_WAIT_S
        raise RateLimited("Slack limits the reading of files", retry_after_s=wait_s)
    if status >= 500:
        raise TransientError(f"Slack failed at a file: HTTP {status}; it may work later")
    if status != 200:
        raise Undeliverable(f"Slack does not give a file: HTTP {status}")


async def _body_of(response: aiohttp.ClientResponse) -> bytes:
    """Return a body; it is read no further than it may be long, whatever it was said to be."""
    data = bytearray()
    async for chunk in response.content.iter_chunked(CHUNK_BYTES):
        data += chunk
        if len(data) > MAX_FILE_BYTES:
            raise Undeliverable(f"the file has more than {MAX_FILE_BYTES} bytes")
    return bytes(data)
