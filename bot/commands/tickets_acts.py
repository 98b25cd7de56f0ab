"""`answerdesk tickets claim` and the like: what a person at the terminal does to a ticket."""

import asyncio
import getpass
import sys
from dataclasses import dataclass
from uuid import uuid4

import click
from rich.console import Console

from bot.channels.terminal import shown
from bot.cli import DONE, PROBLEM, error_console, print_json
from bot.commands.tickets import LIST_THEM, failed
from bot.commands.tickets_card import next_steps
from bot.compose import Base, open_base
from bot.core.desk.book import Case
from bot.core.errors import QuestionProblem
from bot.core.phrases import phrase
from bot.core.tickets.acts import Act, Actor, Outcome
from bot.core.tickets.post import WORDED
from bot.core.tickets.state import TicketAct
from bot.settings import Settings
from bot.store.listening import PostgresListening
from bot.taking_over import book_of
from knowledge.prepare import storable

STANDARD_INPUT = "-"
# What stands below it in the editor is not sent.
CUT = "# ---- everything from this line on is left out ----"
# What the asker is told because of these.
_TOLD: frozenset[TicketAct] = frozenset({"reply", "ask", "draft", "close", "return", "reopen"})
_DONE: dict[TicketAct, str] = {
    "claim": "you have it: the bot is silent in that conversation",
    "release": "it is open again",
    "reply": "your answer is stored",
    "ask": "your question is stored",
    "draft": "the draft is stored as your answer",
    "note": "noted; the asker does not see it",
    "close": "closed",
    "return": "the bot answers in that conversation again",
    "reopen": "it is open again",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody wants done; `text` None where it is still to be asked for, "-" where it comes by standard input."""

    kind: TicketAct
    number: int
    text: str | None = None
    name: str | None = None


async def act(settings: Settings, wanted: Wanted, *, as_json: bool = False) -> int:
    """Do something to a ticket, and say what came of it and what happens next."""
    async with open_base(settings) as base:
        book = book_of(base)
        case = await book.case(wanted.number)
        if case is None:
            return failed(f"there is no ticket {wanted.number}; {LIST_THEM}", as_json=as_json)
        if case.is_forgotten:
            return failed(f"the people of ticket {wanted.number} have been forgotten: it only counts", as_json=as_json)
        text = await _words(wanted, case) if wanted.kind in WORDED else ""
        done = await book.act(Act(wanted.kind, wanted.number, _actor(wanted.name), _key(), text=text))
        after = await book.case(wanted.number) or case
        delivery = await _delivery(base, wanted.kind, after)
    if as_json:
        told = {"came": done.came, "told": _why_not(done, after) or _DONE[wanted.kind]}
        print_json({**told, "ticket": wanted.number, "state": after.state, "owner": after.owner})
    return _say(wanted, done, after, delivery, is_quiet=as_json)


def _say(wanted: Wanted, done: Outcome, after: Case, delivery: str, *, is_quiet: bool) -> int:
    if why := _why_not(done, after):
        error_console().print(f"[bold red]error:[/] {shown(why)}", soft_wrap=True, highlight=False)
        return PROBLEM
    if not is_quiet:
        console = Console(highlight=False, markup=False)
        console.print(f"ticket {wanted.number}: {_DONE[wanted.kind]}", soft_wrap=True)
        if delivery:
            console.print(delivery, soft_wrap=True)
        console.print(next_steps(after, has_draft=bool(after.draft)), style="dim", soft_wrap=True)
    return DONE


def _why_not(done: Outcome, case: Case) -> str:
    """Return why nothing has happened, and the remedy; "" where it has."""
    show = f"`answerdesk tickets show {case.number}`"
    owner = case.owner_name or case.owner or "somebody else"
    step = next_steps(case, has_draft=bool(case.draft))
    match done.came:
        case "taken":
            return (
                f"{owner} has ticket {case.number} already; {show} tells since when. To take it over, first"
                f" `answerdesk tickets release {case.number}`"
            )
        case "late" if done.told == phrase("desk_found_gone", done.language):
            return f"the documents do not say that any more, so it was not sent; {show} has what they say near it"
        case "late":
            return f"ticket {case.number} is {case.state}: that makes no sense any more. {step.capitalize()}"
        case "refused":
            return f"you may not do that to ticket {case.number}; it is recorded, see {show}"
        case "unknown":
            return f"there is no ticket {case.number}; {LIST_THEM}"
    return ""


async def _delivery(base: Base, kind: TicketAct, case: Case) -> str:
    """Return how what follows reaches the asker."""
    if kind not in _TOLD:
        return ""
    if case.place is None:
        return "it was asked at a terminal: nobody is told, so tell whoever asked"
    platform = case.place.platform
    reached = [one for one in await PostgresListening(base.pool).now() if one.platform == platform and one.healthy]
    if reached:
        return f"a running bot brings it to {platform} now"
    return f"no bot runs that is connected to {platform}: it is brought there as soon as one does (`answerdesk run`)"


async def _words(wanted: Wanted, case: Case) -> str:
    if wanted.text not in (None, STANDARD_INPUT):
        text = wanted.text or ""
    elif wanted.text == STANDARD_INPUT or not sys.stdin.isatty():
        text = await asyncio.to_thread(sys.stdin.read)
    else:
        text = await asyncio.to_thread(_edited, case)
    if not text.strip():
        raise QuestionProblem(
            f"nothing to say: write `answerdesk tickets {wanted.kind} {wanted.number} TEXT`, or - and the text on"
            " standard input"
        )
    return storable(text.strip())


def _edited(case: Case) -> str:
    """Return what somebody has written in their editor ($VISUAL or $EDITOR), without what stands below the cut."""
    question = "\n".join(f"# {line}" for line in shown(case.question).splitlines())
    written = click.edit(f"\n{CUT}\n# ticket {case.number}:\n{question}\n", extension=".md")
    return (written or "").partition(CUT)[0]


def _actor(name: str | None) -> Actor:
    login = getpass.getuser()
    return Actor(f"terminal:{login}", storable(name or _full_name(login)))


def _full_name(login: str) -> str:
    """Return the name that the system has for somebody; their login where it has none."""
    try:
        import pwd
    except ImportError:
        # Windows has no such list.
        return login
    try:
        return pwd.getpwnam(login).pw_gecos.partition(",")[0].strip() or login
    except KeyError:
        return login


def _key() -> str:
    """Return what tells this act from all others: whoever says something twice at the terminal means it."""
    return f"terminal:{uuid4()}"
