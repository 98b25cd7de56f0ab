"""`answerdesk chat`."""

import asyncio
import logging
import threading
from contextlib import suppress
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from bot.channels.terminal import growing, show_help, show_reply, show_why
from bot.cli import DONE
from bot.commands.reading import reader_of, reply_language
from bot.commands.tickets import open_tickets, ticket_table
from bot.compose import Desk, open_desk
from bot.core.errors import QuestionProblem
from bot.core.messages import Asked, Reply, Turn
from bot.core.phrases import phrase
from bot.settings import Settings
from knowledge.embed import complete_vectors
from knowledge.errors import KnowledgeError
from knowledge.store.overview import sources_overview

TICKETS_SHOWN = 20
# How many messages of the conversation a model is told.
HISTORY_TURNS = 6

log = logging.getLogger(__name__)


async def chat(settings: Settings, *, read_as: str | None, language: str | None) -> int:
    """Talk until the end of input; missing vectors are completed in the background meanwhile."""
    console = Console()
    spoken = reply_language(language)
    async with open_desk(settings) as desk:
        template = Asked("", await reader_of(desk.base, read_as), spoken, asker=read_as or "local")
        background = asyncio.create_task(_complete(desk, console))
        try:
            await _greet(desk, console)
            await _talk(desk, console, template)
        finally:
            background.cancel()
            with suppress(asyncio.CancelledError):
                await background
    return DONE


async def _greet(desk: Desk, console: Console) -> None:
    stored = await sources_overview(desk.base.pool)
    known = ", ".join(f"{source.name} ({source.documents} documents)" for source in stored)
    console.print(Text(f"I answer from: {known or 'nothing yet: run answerdesk sync'}. /help shows more.", style="dim"))


async def _complete(desk: Desk, console: Console) -> None:
    """Embed what is missing while people already ask: words alone find documents until then."""
    told = False

    def progress(done: int, total: int) -> None:
        nonlocal told
        if total and not told:
            told = True
            console.print(
                Text(
                    f"({total - done} passages are still being embedded; answers get better meanwhile)",
                    style="dim",
                )
            )

    try:
        await complete_vectors(desk.base.vectors, desk.embedder, progress=progress)
    except KnowledgeError as exc:
        log.warning("vectors could not be completed: %s", exc)


async def _talk(desk: Desk, console: Console, template: Asked) -> None:
    last: Reply | None = None
    history: list[Turn] = []
    while (line := await _next_line()) is not None:
        match line.strip():
            case "":
                continue
            case "/quit" | "/exit":
                return
            case "/help":
                show_help(console)
            case "/why":
                if last:
                    show_why(console, last)
                else:
                    console.print("ask something first")
            case "/tickets":
                console.print(ticket_table(await open_tickets(desk.base, limit=TICKETS_SHOWN)))
            case "/human":
                await _hand_over(desk, console, last)
            case question:
                reply = await _ask(desk, console, replace(template, question=question, history=tuple(history)))
                if reply:
                    last = reply
                    history += _turns(reply)
                    del history[:-HISTORY_TURNS]


async def _ask(desk: Desk, console: Console, asked: Asked) -> Reply | None:
    try:
        with growing(console) as watcher:
            reply = await desk.handler.handle(asked, watcher)
    except (QuestionProblem, KnowledgeError) as exc:
        console.print(Text(str(exc), style="red"))
        return None
    show_reply(console, reply)
    return reply


def _turns(reply: Reply) -> list[Turn]:
    """Return what of a reply the next question may refer to."""
    said = " ".join(sentence.text for sentence in reply.sentences)
    return [Turn("user", reply.question), Turn("assistant", said)] if said else []


async def _hand_over(desk: Desk, console: Console, last: Reply | None) -> None:
    if last is None:
        console.print("ask something first")
    elif last.ticket:
        console.print(f"it waits for a person already: ticket {last.ticket}")
    else:
        ticket = await desk.handler.hand_over(last)
        console.print(Text(phrase("asked_for_a_person", last.language, ticket=ticket)))


async def _next_line() -> str | None:
    """Wait for a line, or None at the end of input, on a thread that nobody waits for: a stop signal ends the chat."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str | None] = loop.create_future()

    def deliver(line: str | None) -> None:
        if not answer.done():
            answer.set_result(line)

    def read() -> None:
        line = _read_line()
        # The loop may have ended while the thread still waited for the keyboard.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(deliver, line)

    threading.Thread(target=read, daemon=True, name="keyboard").start()
    return await answer


def _read_line() -> str | None:
    with suppress(ImportError):
        import readline  # noqa: F401 - editing and history of the line, where the platform has it
    try:
        return input("\n› ")
    except EOFError:
        return None
