"""`answerdesk people`: who is linked to which e-mail address, who waits for that, and the operator's word on it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.channels.terminal import shown
from bot.cli import DONE, PROBLEM, print_json
from bot.compose import open_base
from bot.core.errors import QuestionProblem
from bot.core.linking import code_hash, mail_address, person, typed_code
from bot.settings import Settings
from bot.store.linked_people import LinkedPeople, LinkedPerson, WaitingPerson


async def people(settings: Settings, *, as_json: bool) -> int:
    """List who is linked, and who waits."""
    async with open_base(settings) as base:
        store = LinkedPeople(base.pool)
        linked, waiting = await store.linked(), await store.waiting()
    known = settings.linking.people
    if as_json:
        print_json(
            {
                "configured": dict(known),
                "linked": [asdict(each) for each in linked],
                "waiting": [asdict(each) for each in waiting],
            }
        )
        return DONE
    console = Console()
    if known or linked:
        console.print(_linked_table(known, linked))
    else:
        console.print("nobody is linked")
    if waiting:
        console.print(_waiting_table(waiting))
    return DONE


async def confirm(settings: Settings, code: str, *, is_sure: bool) -> int:
    """Link whoever was given a code, once the operator has seen who that is."""
    typed = typed_code(code)
    async with open_base(settings) as base:
        store = LinkedPeople(base.pool)
        claim = await store.find(code_hash(typed)) if typed else None
        if claim is None:
            raise QuestionProblem(
                f"the code {code!r} waits for nobody: it is mistyped, used, older than 15 minutes, or was mailed;"
                " `answerdesk people` lists what waits, and /link gives a new one"
            )
        console = Console(highlight=False, markup=False)
        console.print(f"{shown(_name(claim))} says to be {shown(claim.email)}", soft_wrap=True)
        if not claim.email.isascii():
            console.print("mind the letters of the address: some look like others", soft_wrap=True)
        if not is_sure and not await _is_wanted():
            console.print("nothing was changed")
            return PROBLEM
        assert typed, "a claim was found by it"
        if not await store.confirm(code_hash(typed), claim.email):
            raise QuestionProblem(f"the code {code!r} has just expired or was used; /link gives a new one")
        console.print("linked")
    return DONE


async def unlink(settings: Settings, who: str) -> int:
    """Forget whose an address is."""
    console = Console(highlight=False, markup=False)
    who = mail_address(who) or who
    configured = [name for name, email in settings.linking.people.items() if who in (name, email)]
    async with open_base(settings) as base:
        count = await LinkedPeople(base.pool).unlink(who)
    for name in configured:
        console.print(f"{shown(name)} stays: take it out of [linking] people in {settings.config}", soft_wrap=True)
    console.print(f"{count} unlinked")
    return DONE if count and not configured else PROBLEM


async def _is_wanted() -> bool:
    try:
        answer = await asyncio.to_thread(input, "Is that so? [y/N] ")
    except EOFError:
        return False
    return answer.strip().lower() in ("y", "yes")


def _name(claim: LinkedPerson | WaitingPerson) -> str:
    return person(claim.platform, claim.author)


def _linked_table(known: Mapping[str, str], linked: Sequence[LinkedPerson]) -> Table:
    table = _table("address", "who", "since (UTC)", "by")
    for name, email in known.items():
        table.add_row(Text(shown(email)), Text(shown(name)), "–", "configuration")
    for each in linked:
        since = f"{each.linked_at:%Y-%m-%d %H:%M}" if each.linked_at else "–"
        table.add_row(Text(shown(each.email)), Text(shown(_name(each))), since, "code")
    return table


def _waiting_table(waiting: Sequence[WaitingPerson]) -> Table:
    table = _table("claimed address", "who", "until (UTC)", "confirmed by")
    for each in waiting:
        by = "a mailed code" if each.is_mailed else "answerdesk people confirm CODE"
        table.add_row(Text(shown(each.email)), Text(shown(_name(each))), f"{each.expires_at:%Y-%m-%d %H:%M}", by)
    return table


def _table(*titles: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in titles:
        table.add_column(title, overflow="fold")
    return table
