"""A server in a thread with an event loop of its own, on one port; and waiting until it has seen something."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from threading import Event, Thread
from typing import TypeVar

from aiohttp import web

HOST = "127.0.0.1"
MOST_BYTES = 4 * 1024 * 1024
POLL_S = 0.01
STOP_WITHIN_S = 5.0


class Serving(ABC):
    """What runs a platform; it stands before the classes that know the platform's state."""

    port: int
    failures: list[Exception]

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.new_event_loop()
        self._stopping = asyncio.Event()

    def wait_until(self, is_so: Callable[[], object], within_s: float = 10.0) -> None:
        """Wait until something is so, from ordinary code; AssertionError where it takes too long."""
        deadline_s = time.monotonic() + within_s
        while not is_so():
            assert time.monotonic() < deadline_s, "it did not happen in time"
            time.sleep(POLL_S)

    async def until(self, is_so: Callable[[], object], within_s: float = 10.0) -> None:
        """Wait until something is so, in a test's event loop; AssertionError where it takes too long."""
        deadline_s = time.monotonic() + within_s
        while not is_so():
            assert time.monotonic() < deadline_s, "it did not happen in time"
            await asyncio.sleep(POLL_S)

    def run(self, started: Event) -> None:
        """Serve in this thread until told to stop."""
        try:
            self._loop.run_until_complete(self._serve(started))
        except Exception as error:  # noqa: BLE001  # raised where the server is stopped
            self.failures.append(error)
        finally:
            started.set()
            self._loop.close()

    def stop(self) -> None:
        """End serving, from another thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stopping.set)

    async def _serve(self, started: Event) -> None:
        app = web.Application(client_max_size=MOST_BYTES)
        self._add_routes(app.router)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, HOST, 0).start()
        self.port = runner.addresses[0][1]
        async with self._at_work():
            started.set()
            await self._stopping.wait()
        await runner.cleanup()

    @abstractmethod
    def _add_routes(self, router: web.UrlDispatcher) -> None:
        """Say who answers what."""

    @abstractmethod
    def _at_work(self) -> AbstractAsyncContextManager[None]:
        """Do in the server's event loop what goes on beside answering, and end it."""


ServingT = TypeVar("ServingT", bound=Serving)


@contextmanager
def served(server: ServingT, name: str) -> Iterator[ServingT]:
    """Run a server in a thread with a name until the block ends; raises what failed there."""
    started = Event()
    thread = Thread(target=server.run, args=(started,), name=name)
    thread.start()
    try:
        assert started.wait(STOP_WITHIN_S)
        if not server.failures:
            yield server
    finally:
        server.stop()
        thread.join(STOP_WITHIN_S)
    for failure in server.failures:
        raise failure
