"""The HTTP client of sources: guarded, patient, bounded, and silent about credentials.

It uses httpx's requests, responses and connections, but not its client: that logs addresses (a download's address may
hold a token), keeps cookies, and reads .netrc and proxies from the environment.
"""

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from urllib.parse import urljoin

import httpx

from knowledge.errors import SourceProblem
from knowledge.sources.guarded import CONNECT_TIMEOUT_S, GuardedTransport
from knowledge.sources.patience import Again, Host, Patience, persist, retry_after_s

CALLS_AT_ONCE = 4
MAX_REDIRECTS = 5
# One exchange may last this many times the longest silence that is allowed in it.
EXCHANGE_TIMEOUTS = 10
MAX_JSON_BYTES = 64 * 1024 * 1024
MAX_QUOTED_CHARACTERS = 200
_SHOWN_OF_ERRORS_BYTES = 16 * 1024
_BUSY = frozenset({429})
_MAY_PASS = frozenset({408, 500, 502, 503, 504})
_MASK = "***"


class Refused(SourceProblem):
    """The server answered with a status that no repetition changes."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class TooLarge(SourceProblem):
    """An answer is longer than it may be; the rest was not read."""


class Redirected(SourceProblem):
    """A call was sent elsewhere where that is not expected, or where it may not go."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What opens a host: the Authorization header; `secrets` are masked in every message."""

    authorization: str | None = field(default=None, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def mask(self, text: str) -> str:
        """Return text without the secrets."""
        for secret in filter(None, (*self.secrets, self.authorization)):
            text = text.replace(secret, _MASK)
        return text


@dataclass(frozen=True, slots=True)
class WebOptions:
    """How a site is called; `timeout_s` is the longest silence within one exchange.

    `allow_private` lets the site itself be on a private network, not what it redirects to.
    """

    allow_private: bool = False
    timeout_s: float = 30.0
    calls_at_once: int = CALLS_AT_ONCE
    patience: Patience = field(default_factory=Patience)


class Web:
    """Calls one site; credentials go to its own origin only, and nothing goes to a scheme less safe than its own."""

    def __init__(self, base_url: str, credentials: Credentials, options: WebOptions) -> None:
        self.base_url = base_url.rstrip("/")
        self._base = httpx.URL(self.base_url)
        self._credentials = credentials
        self._options = options
        self._schemes = {"https", self._base.scheme} & {"https", "http"}
        self._hosts: dict[tuple[str, int | None], Host] = {}
        self._transport = GuardedTransport(
            site_host=self._base.host,
            allow_private=options.allow_private,
            connections_per_host=options.calls_at_once,
        )
        timeout = httpx.Timeout(options.timeout_s, connect=min(options.timeout_s, CONNECT_TIMEOUT_S))
        self._extensions = {"timeout": timeout.as_dict()}

    async def aclose(self) -> None:
        """End all connections."""
        await self._transport.aclose()

    async def json(
        self,
        path: str,
        params: Mapping[str, str] | None = None,
        *,
        body: object = None,
        limit: int = MAX_JSON_BYTES,
        server_errors: int | None = None,
    ) -> object:
        """Return the JSON at a path below the base (a body makes it a POST); redirects are refused.

        With `server_errors` it is given up after so many errors of the server itself.
        """
        url = httpx.URL(self.base_url + path)
        if params:
            url = url.copy_merge_params(params)
        patience = replace(self._options.patience, server_errors=server_errors)
        content = None if body is None else json.dumps(body).encode()
        return await persist(partial(self._json, url, content, limit), patience, self._host(url))

    async def download(self, path: str, *, limit: int) -> bytes:
        """Return the bytes at a path below the base, following redirects; raise TooLarge beyond `limit` bytes."""
        try:
            url = httpx.URL(f"{self.base_url}/{path.lstrip('/')}")
        except httpx.InvalidURL as exc:
            raise Redirected("its address cannot be read; attach the file anew or leave it out") from exc
        return await persist(partial(self._download, url, limit), self._options.patience, self._host(url))

    async def _json(self, url: httpx.URL, content: bytes | None, limit: int) -> object:
        response, answer = await self._exchange(url, content, limit)
        if response.is_redirect:
            raise Redirected(
                f"{_named(url)} redirects to {self._target(url, response).host!r}, which was not followed;"
                " is `url` the wiki's own address?"
            )
        if "html" in response.headers.get("content-type", ""):
            raise SourceProblem(
                f"{_named(url)} answered with a web page instead of data, as a login page or a proxy does;"
                " check `url` and the token, and log in once in a browser in case a captcha waits for that account"
            )
        try:
            return json.loads(answer)
        except (ValueError, RecursionError) as exc:
            raise Again(f"{_named(url)} sent JSON that cannot be read") from exc

    async def _download(self, url: httpx.URL, limit: int) -> bytes:
        for _ in range(MAX_REDIRECTS + 1):
            response, answer = await self._exchange(url, None, limit)
            if not response.is_redirect:
                return answer
            url = self._target(url, response)
        raise Redirected(f"more than {MAX_REDIRECTS} redirects, the last to {url.host!r}; it was not downloaded")

    def _target(self, url: httpx.URL, response: httpx.Response) -> httpx.URL:
        try:
            target = httpx.URL(urljoin(str(url), response.headers.get("location", "")))
        except (httpx.InvalidURL, ValueError) as exc:
            raise Redirected(f"{_named(url)} redirects to an address that cannot be read") from exc
        if target.scheme not in self._schemes or not target.host:
            raise Redirected(f"{_named(url)} redirects to {target.scheme!r} addresses; only https is followed")
        return target.copy_with(userinfo=b"")

    async def _exchange(self, url: httpx.URL, content: bytes | None, limit: int) -> tuple[httpx.Response, bytes]:
        """Send one request and read its answer; raise Again for what may pass and Refused for what will not."""
        request = httpx.Request(
            "GET" if content is None else "POST",
            url,
            headers=self._headers(url, content),
            content=content,
            extensions=self._extensions,
        )
        try:
            async with self._host(url).turn(), asyncio.timeout(self._options.timeout_s * EXCHANGE_TIMEOUTS):
                response = await self._transport.handle_async_request(request)
                try:
                    answer = await self._read(url, response, limit)
                finally:
                    await response.aclose()
        except (httpx.TransportError, TimeoutError, zlib.error) as exc:
            reason = self._credentials.mask(str(exc)) or "no answer in time"
            raise Again(f"{_named(url)}: {type(exc).__name__}, {reason}") from exc
        return response, answer

    def _headers(self, url: httpx.URL, content: bytes | None) -> dict[str, str]:
        headers = {"Accept": "application/json, */*", "Accept-Encoding": "gzip", "User-Agent": "answerdesk"}
        if content is not None:
            headers["Content-Type"] = "application/json"
        if self._credentials.authorization and _origin(url) == _origin(self._base):
            headers["Authorization"] = self._credentials.authorization
        return headers

    async def _read(self, url: httpx.URL, response: httpx.Response, limit: int) -> bytes:
        if response.is_success:
            return b"".join([part async for part in _decoded(url, response, limit)])
        if response.is_redirect:
            return b""
        reason = f"{_named(url)} answered {response.status_code}"
        wait_s = retry_after_s(response.headers.get("retry-after"))
        if response.status_code in _BUSY or (response.status_code in _MAY_PASS and wait_s is not None):
            raise Again(reason, is_busy=True, wait_s=wait_s)
        if response.status_code in _MAY_PASS:
            raise Again(reason, status=response.status_code)
        raise Refused(reason + await self._quoted(url, response), status=response.status_code)

    async def _quoted(self, url: httpx.URL, response: httpx.Response) -> str:
        """Return what the server says about a refusal, if it is JSON with a message."""
        try:
            body = json.loads(b"".join([part async for part in _decoded(url, response, _SHOWN_OF_ERRORS_BYTES)]))
        except (ValueError, RecursionError, TooLarge):
            return ""
        message = body.get("message") if isinstance(body, dict) else None
        return f" ({self._credentials.mask(message)[:MAX_QUOTED_CHARACTERS]})" if isinstance(message, str) else ""

    def _host(self, url: httpx.URL) -> Host:
        at = (url.host, url.port)
        if at not in self._hosts:
            calls, longest_wait_s = self._options.calls_at_once, self._options.patience.total_s
            self._hosts[at] = Host(url.host, calls_at_once=calls, longest_wait_s=longest_wait_s)
        return self._hosts[at]


def _named(url: httpx.URL) -> str:
    """Name a call without its query, which may hold tokens."""
    return f"{url.host}{url.path}"


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


async def _decoded(url: httpx.URL, response: httpx.Response, limit: int) -> AsyncIterator[bytes]:
    """Yield the body, unpacked; raise TooLarge as soon as it is longer than the limit, however small it came."""
    encoding = response.headers.get("content-encoding", "identity").lower()
    if encoding not in {"identity", "gzip"}:
        raise SourceProblem(f"{_named(url)} is encoded as {encoding!r}, which was not asked for")
    declared = response.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > limit:
        raise TooLarge(_too_large(url, limit))
    unpack = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16) if encoding == "gzip" else None
    left = limit
    async for raw in response.aiter_raw():
        part = unpack.decompress(raw, left + 1) if unpack else raw
        if len(part) > left:
            raise TooLarge(_too_large(url, limit))
        left -= len(part)
        yield part
    if unpack and not unpack.eof:
        raise zlib.error("the packed answer ends early")


def _too_large(url: httpx.URL, limit: int) -> str:
    size = f"{limit / 1024 / 1024:g} MB" if limit >= 1024 * 1024 else f"{limit / 1024:g} kB"
    return f"what {url.host} sends is over the limit of {size}"
