"""`answerdesk forget`: the operator's way to erase what is stored of a person."""

import asyncio
import re
from collections.abc import Sequence
from uuid import uuid4

from rich.console import Console

from bot.channels.terminal import shown
from bot.cli import DONE, PROBLEM
from bot.compose import Base, open_base
from bot.core.desk.book import Book
from bot.core.errors import QuestionProblem
from bot.core.tickets.acts import Act, Actor
from bot.core.tickets.state import TicketAct
from bot.settings import Settings
from bot.store.forgetting import PostgresForgetting
from bot.store.listening import PostgresListening
from bot.taking_over import book_of

# The asker and the desk are told that a ticket ends, if a bot runs; erasing waits so long for that.
TOLD_WITHIN_S = 10.0
LOOK_EVERY_S = 0.5
OPERATOR = Actor("terminal:operator", "operator")
_PERSON = re.compile(r"([a-z]+):(\S+)")


async def forget(settings: Settings, user: str, *, is_sure: bool) -> int:
    """Close a person's tickets, give back those that they have, and erase all that is stored of them."""
    found = _PERSON.fullmatch(user)
    if found is None:
        raise QuestionProblem(f"--user {user!r} is nobody; write platform and id, for instance slack:U024BE7LH")
    platform, author = found[1], found[2]
    console = Console(highlight=False, markup=False)
    async with open_base(settings) as base:
        store = PostgresForgetting(base.pool)
        asked, owned = await store.tickets_of(platform, author)
        _warn(console, user, asked, owned)
        if not is_sure and not await _is_wanted():
            console.print("nothing was changed")
            return PROBLEM
        await _end(book_of(base), asked, owned)
        await _until_told(base, store, [*asked, *owned])
        forgotten = await store.forget_person(platform, author)
    console.print(f"erased: the words of {forgotten.messages} messages, and of {len(asked)} tickets under way")
    if forgotten.kept:
        console.print(f"{forgotten.kept} messages or tickets came in meanwhile; run the command once more")
        return PROBLEM
    return DONE


def _warn(console: Console, user: str, asked: Sequence[int], owned: Sequence[int]) -> None:
    console.print(f"{shown(user)}: what they wrote, were told and are called is erased, and cannot be had back")
    if asked:
        console.print(f"their tickets under way are closed: {', '.join(map(str, asked))}", soft_wrap=True)
    if owned:
        console.print(f"tickets that they have are given back: {', '.join(map(str, owned))}", soft_wrap=True)
    console.print("what stands in the chats themselves stays there, and so does a line of theirs in the configuration")


async def _is_wanted() -> bool:
    try:
        answer = await asyncio.to_thread(input, "Is that wanted? [y/N] ")
    except EOFError:
        return False
    return answer.strip().lower() in ("y", "yes")


async def _end(book: Book, asked: Sequence[int], owned: Sequence[int]) -> None:
    for number in asked:
        await _act(book, number, "close")
    for number in owned:
        # What they have answered already cannot wait for somebody else: its conversation is the bot's again.
        case = await book.case(number)
        await _act(book, number, "release" if case and case.state == "claimed" else "return")


async def _act(book: Book, number: int, kind: TicketAct) -> None:
    await book.act(Act(kind, number, OPERATOR, f"forget:{uuid4()}"))


async def _until_told(base: Base, store: PostgresForgetting, tickets: Sequence[int]) -> None:
    """Wait until those concerned were told that their tickets end; not for a bot that does not run."""
    if not tickets or not await PostgresListening(base.pool).now():
        return
    try:
        async with asyncio.timeout(TOLD_WITHIN_S):
            while not await store.is_told(tickets):  # noqa: ASYNC110 - the database tells nobody
                await asyncio.sleep(LOOK_EVERY_S)
    except TimeoutError:
        return
