"""The server: one port for the Bot API and for files."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from aiohttp import web

from tests.wire.injections import Injection
from tests.wire.serving import Serving, served
from tests.wire.telegram.acts import Acts
from tests.wire.telegram.api import Api
from tests.wire.telegram.courier import Courier
from tests.wire.telegram.faults import Fault
from tests.wire.telegram.polling import Polling
from tests.wire.telegram.seen import Seen


class TelegramServer(Serving, Acts, Seen):
    """Telegram as a bot meets it. All is safe to call from any thread; nothing waits but `wait_until` and `until`."""

    def __init__(self) -> None:
        super().__init__()
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
            self.faults.append(Injection(fault, method.casefold(), times, chat, after))

    @asynccontextmanager
    async def _at_work(self) -> AsyncIterator[None]:
        yield
        self._polling.stop()
        await self._courier.stop()

    def _add_routes(self, router: web.UrlDispatcher) -> None:
        api = Api(self, self._polling)
        router.add_route("*", "/bot{token}/{method}", api.answer)
        router.add_get("/file/bot{token}/{path:.+}", api.download)

    def _wake(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._look_again)

    def _look_again(self) -> None:
        self._polling.wake()
        self._courier.wake()


@contextmanager
def telegram_server() -> Iterator[TelegramServer]:
    """Serve a Telegram with a bot and nobody else; `add_user` and the like fill it, and so does `office`."""
    with served(TelegramServer(), "telegram") as server:
        yield server
