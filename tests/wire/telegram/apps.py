"""The real python-telegram-bot, pointed at the server."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web
from telegram import Bot, Update
from telegram.error import TelegramError
from telegram.ext import Application, ApplicationBuilder, ContextTypes, TypeHandler

from tests.wire.telegram.office import TOKEN
from tests.wire.telegram.server import TelegramServer

Answer = Callable[[Update], Awaitable[object]]
STARTED_WITHIN_S = 5


@asynccontextmanager
async def talking(telegram: TelegramServer, token: str = TOKEN) -> AsyncIterator[Bot]:
    """Keep a bot that only calls; it asks who it is first."""
    async with Bot(token, base_url=telegram.base_url, base_file_url=telegram.base_file_url) as bot:
        yield bot


@asynccontextmanager
async def polling(
    telegram: TelegramServer, answer: Answer, *, allowed_updates: list[str] | None = None
) -> AsyncIterator[Bot]:
    """Keep an application that polls, and answers each update."""

    async def handle(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
        await answer(update)

    builder = ApplicationBuilder().token(TOKEN).base_url(telegram.base_url).base_file_url(telegram.base_file_url)
    application: Application = builder.build()  # type: ignore[type-arg]  # its six parameters say nothing here
    application.add_handler(TypeHandler(Update, handle))
    async with application:
        await application.start()
        assert application.updater is not None
        await application.updater.start_polling(timeout=STARTED_WITHIN_S, allowed_updates=allowed_updates)
        yield application.bot
        await application.updater.stop()
        await application.stop()


async def error_of(call: Awaitable[object]) -> tuple[str, str]:
    """Return the name and the text of the error that a call ends with; ("", "") where it goes well."""
    try:
        await call
    except TelegramError as error:
        return type(error).__name__, error.message
    return "", ""


@asynccontextmanager
async def hook(answers: Callable[[web.Request], Awaitable[web.Response]]) -> AsyncIterator[str]:
    """Serve an address that updates can be delivered to."""
    app = web.Application()
    app.router.add_post("/hook", answers)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    await runner.cleanup()
