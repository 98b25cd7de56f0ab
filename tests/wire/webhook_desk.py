"""A ticket system on loopback, as its makers would write one: it signs and verifies by the specification alone."""

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from queue import Queue
from threading import Thread
from typing import Any

import httpx
from aiohttp import web

SECRET = "whsec_" + base64.b64encode(b"a secret of thirty-two bytes ...").decode()
TOLERANCE_S = 300
STARTED_WITHIN_S = 5.0
MOST_BYTES = 32 * 1024 * 1024


def signature(secret: str, name: str, timestamp: str, body: bytes) -> str:
    """Return what the specification has for a signature: https://www.standardwebhooks.com, "Signature scheme"."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{name}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def signed(name: str, body: bytes, *, secret: str = SECRET, at: float | None = None) -> dict[str, str]:
    """Return the headers of a body that is sent now, or was sent then."""
    timestamp = str(int(time.time() if at is None else at))
    return {
        "content-type": "application/json",
        "webhook-id": name,
        "webhook-timestamp": timestamp,
        "webhook-signature": signature(secret, name, timestamp, body),
    }


@dataclass
class TicketSystem:
    """Takes each message once, whose signature is right; `statuses` are what it answers next, then it is 204."""

    url: str = ""
    secret: str = SECRET
    statuses: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    # It takes a message, and does not say so.
    is_mute: bool = False
    messages: list[dict[str, Any]] = field(default_factory=list)
    refused: list[Mapping[str, str]] = field(default_factory=list)
    calls: int = 0
    _known: set[str] = field(default_factory=set)

    async def take(self, request: web.Request) -> web.Response:
        """Take one message."""
        self.calls += 1
        body = await request.read()
        if not self._is_signed(request.headers, body):
            self.refused.append(dict(request.headers))
            return web.Response(status=401)
        status = self.statuses.pop(0) if self.statuses else 204
        if status < 300 or self.is_mute:
            self._keep(request.headers["webhook-id"], body)
        if self.is_mute:
            await asyncio.sleep(60)
        return web.Response(status=status, headers=self.headers)

    def _keep(self, name: str, body: bytes) -> None:
        if name not in self._known:
            self._known.add(name)
            self.messages.append(json.loads(body))

    def _is_signed(self, headers: Mapping[str, str], body: bytes) -> bool:
        name, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "0")
        is_fresh = abs(time.time() - int(timestamp)) < TOLERANCE_S
        wanted = signature(self.secret, name, timestamp, body)
        return is_fresh and any(
            hmac.compare_digest(wanted, given) for given in headers.get("webhook-signature", "").split(" ")
        )

    async def tell(self, url: str, name: str, act: object, *, at: float | None = None) -> httpx.Response:
        """Tell the bot what somebody did here."""
        body = json.dumps(act, ensure_ascii=False).encode()
        async with httpx.AsyncClient(trust_env=False) as client:
            return await client.post(url, content=body, headers=signed(name, body, secret=self.secret, at=at))


@asynccontextmanager
async def ticket_system() -> AsyncIterator[TicketSystem]:
    """Run a ticket system on a free port."""
    system = TicketSystem()
    app = web.Application(client_max_size=MOST_BYTES)
    app.router.add_post("/hook", system.take)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        system.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
        yield system
    finally:
        await runner.cleanup()


@contextmanager
def ticket_system_at_work() -> Iterator[TicketSystem]:
    """Run a ticket system in a thread, for tests that wait by themselves."""
    ready: Queue[tuple[TicketSystem, asyncio.AbstractEventLoop, asyncio.Event]] = Queue()

    async def serve() -> None:
        stopping = asyncio.Event()
        async with ticket_system() as system:
            ready.put((system, asyncio.get_running_loop(), stopping))
            await stopping.wait()

    thread = Thread(target=lambda: asyncio.run(serve()), name="ticket system")
    thread.start()
    system, loop, stopping = ready.get(timeout=STARTED_WITHIN_S)
    try:
        yield system
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join(STARTED_WITHIN_S)
