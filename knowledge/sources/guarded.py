"""Connections that go only where they may: every name is looked up and checked, and the checked address is called."""

import httpx

from knowledge.errors import SourceProblem
from knowledge.sources.addresses import public_addresses

CONNECT_TIMEOUT_S = 10.0
_PORTS = {"http": 80, "https": 443}


class GuardedTransport(httpx.AsyncBaseTransport):
    """Sends requests to checked addresses; raises SourceProblem for one that is not on the public internet.

    With `allow_private` the host of the site itself may be private, but not what it redirects to. A name is not looked
    up a second time between the check and the connection, and a connection made for one name serves no other. Proxies
    of the environment are not used: what they connect to cannot be checked.
    """

    def __init__(self, *, site_host: str, allow_private: bool, connections_per_host: int) -> None:
        self._site_host = site_host
        self._allow_private = allow_private
        self._limits = httpx.Limits(max_connections=connections_per_host)
        self._open: dict[tuple[str, str], httpx.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        host = request.url.host
        port = request.url.port or _PORTS[request.url.scheme]
        *others, last = await self._addresses(host, port)
        transport = self._transport(request.url)
        for address in others:
            try:
                return await transport.handle_async_request(_to(address, request))
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return await transport.handle_async_request(_to(last, request))

    async def _addresses(self, host: str, port: int) -> list[str]:
        if host == self._site_host:
            return await public_addresses(host, port, allow_private=self._allow_private)
        try:
            return await public_addresses(host, port, allow_private=False)
        except SourceProblem as exc:
            raise SourceProblem(
                f"{self._site_host!r} redirects to {host!r}, which is not on the public internet; it was not called"
            ) from exc

    async def aclose(self) -> None:
        for transport in self._open.values():
            await transport.aclose()

    def _transport(self, url: httpx.URL) -> httpx.AsyncHTTPTransport:
        key = (url.scheme, url.host)
        if key not in self._open:
            # Also trusts what SSL_CERT_FILE names: many wikis have a certificate of their organisation's own authority.
            tls = httpx.create_ssl_context() if url.scheme == "https" else False
            self._open[key] = httpx.AsyncHTTPTransport(verify=tls, limits=self._limits)
        return self._open[key]


def _to(address: str, request: httpx.Request) -> httpx.Request:
    """Return the request sent to an address; its Host header and the certificate's name stay those of the name."""
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.host},
    )
