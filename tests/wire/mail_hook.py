"""A mail hook on loopback, as an operator would write one; it mails nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass
class MailHookServer:
    """Answers with `status` after `wait_s`, and keeps what it was told, and by whom."""

    url: str = ""
    status: int = 204
    wait_s: float = 0.0
    told: list[dict[str, Any]] = field(default_factory=list)
    authorized_by: list[str | None] = field(default_factory=list)

    async def take(self, request: web.Request) -> web.Response:
        """Take one order to mail something."""
        self.authorized_by.append(request.headers.get("Authorization"))
        self.told.append(await request.json())
        await asyncio.sleep(self.wait_s)
        headers = {"Location": self.url} if self.status in (301, 302, 307, 308) else None
        return web.Response(status=self.status, headers=headers)


@asynccontextmanager
async def mail_hook_server() -> AsyncIterator[MailHookServer]:
    """Run a hook on a free port."""
    server = MailHookServer()
    app = web.Application()
    app.router.add_post("/mail", server.take)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        server.url = f"http://127.0.0.1:{runner.addresses[0][1]}/mail"
        yield server
    finally:
        await runner.cleanup()
