"""What a platform that comes to us by HTTP is met with: one address, and no more read than it may send."""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from aiohttp import web

from knowledge.errors import SettingsProblem

MAX_BODY_BYTES = 1024 * 1024
READ_WITHIN_S = 10.0
STOP_WITHIN_S = 3.0


@asynccontextmanager
async def serving(application: web.Application, host: str, port: int, *, table: str) -> AsyncIterator[int]:
    """Serve as long as the block lasts, and yield the port that was taken; what is under way at its end is finished.

    `table` is named where there is no such place to listen.
    """
    # No access log: addresses may have secrets in them.
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=STOP_WITHIN_S)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as exc:
            where = f"{host}:{port}"
            raise SettingsProblem(
                f"[{table}] cannot listen on {where}: {exc.strerror}; choose another `host` or `port`"
            ) from exc
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


async def body_of(request: web.Request, content_types: Collection[str]) -> str | web.Response:
    """Return the body of a request, or what those are told whose body is none that can be meant for us."""
    if request.content_type not in content_types or "content-encoding" in request.headers:
        return web.Response(status=415)
    try:
        async with asyncio.timeout(READ_WITHIN_S):
            raw = await request.read()
    except web.HTTPRequestEntityTooLarge:
        return web.Response(status=413)
    except TimeoutError:
        return web.Response(status=408)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return web.Response(status=400)
