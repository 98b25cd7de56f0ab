"""The server: a thread with an event loop of its own, one port for the Bot API and for files."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from aiohttp import web

from tests.wire.telegram.acts import Acts
from tests.wire.telegram.api import Api
from tests.wire.telegram.courier import Courier
from tests.wire.telegram.faults import Fault, Injection
from tests.wire.telegram.polling import Polling
from tests.wire.telegram.seen import Seen

HOST = "127.0.0.1"
MOST_BYTES = 4 * 1024 * 1024
POLL_S = 0.01
STOP_WITHIN_S = 5.0


class TelegramServer(Acts, Seen):
    """Telegram as a bot meets it. All is safe to call from any thread; nothing waits but `wait_until` and `until`."""

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.new_event_loop()
        self._stopping = asyncio.Event()
        self._polling = Polling(self)
        self._courier = Courier(self)
        self.updates.on_new.append(self._wake)

    @property
    def base_url(self) -> str:
        """The base URL for python-telegram-bot."""
        return f"{self.url}/bot"

    @property
    def base_file_url(self) -> str:
        """The base URL for its downloads."""
        return f"{self.url}/file/bot"

    @property
    def enforce_limits(self) -> bool:
        """Whether messages over Telegram's rate limits are refused."""
        return self.limits.enforced

    @enforce_limits.setter
    def enforce_limits(self, value: bool) -> None:
        self.limits.enforced = value

    def inject(
        self, method: str, fault: Fault, *, times: int | None = 1, chat: int | str | None = None, after: int = 0
    ) -> None:
        """Give the next calls of a method a fault, perhaps only those for one chat, and only when so many went well."""
        with self.lock:
            self.faults.append(Injection(fault, method, times, chat, after))

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
        runner = web.AppRunner(self._application(), access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, HOST, 0)
        await site.start()
        self.port = runner.addresses[0][1]
        started.set()
        await self._stopping.wait()
        self._polling.stop()
        await self._courier.stop()
        await runner.cleanup()

    def _application(self) -> web.Application:
        api = Api(self, self._polling)
        app = web.Application(client_max_size=MOST_BYTES)
        app.router.add_route("*", "/bot{token}/{method}", api.answer)
        app.router.add_get("/file/bot{token}/{path:.+}", api.download)
        return app

    def _wake(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._look_again)

    def _look_again(self) -> None:
        self._polling.wake()
        self._courier.wake()


@contextmanager
def telegram_server() -> Iterator[TelegramServer]:
    """Serve a Telegram with a bot and nobody else; `add_user` and the like fill it, and so does `office`."""
    server, started = TelegramServer(), Event()
    thread = Thread(target=server.run, args=(started,), name="telegram")
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
