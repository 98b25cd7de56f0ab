"""The command line of `answerdesk tickets`."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli import run

if TYPE_CHECKING:
    from bot.core.tickets.state import TicketAct

Config = Annotated[
    Path | None,
    typer.Option("--config", help="Configuration file (default: answerdesk.toml here, else the demo)."),
]
Json = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on standard output.")]
Number = Annotated[int, typer.Argument(min=1, max=2**63 - 1, help="The ticket's number.")]
Name = Annotated[str | None, typer.Option("--name", help="Your name, as the asker sees it (default: your system's).")]
Words = Annotated[
    str | None, typer.Argument(help="What to say; - reads standard input, and without any your editor opens.")
]

tickets = typer.Typer(help="List the questions that wait for a person, and answer them.")


@tickets.callback(invoke_without_command=True)
def list_tickets(
    context: typer.Context,
    config: Config = None,
    json: Json = False,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many tickets to show.")] = 20,
    state: Annotated[
        str, typer.Option(help="open, claimed, answered, returned, closed, expired, active or all.")
    ] = "active",
) -> None:
    """List the questions that wait for a person, and answer them."""
    from bot.commands import tickets as command

    if context.invoked_subcommand is None:
        run(config, lambda settings: command.tickets(settings, as_json=json, limit=limit, state=state), as_json=json)


@tickets.command()
def show(
    number: Number,
    config: Config = None,
    json: Json = False,
    read_as: Annotated[
        str | None, typer.Option("--as", help="Show the passages that this person may read, by e-mail address.")
    ] = None,
) -> None:
    """Show a ticket with all that is known of it."""
    from bot.commands import tickets as command

    run(config, lambda settings: command.show(settings, number, read_as=read_as, as_json=json), as_json=json)


@tickets.command()
def claim(number: Number, config: Config = None, json: Json = False, name: Name = None) -> None:
    """Take a ticket: its conversation is yours, and the bot is silent there."""
    _act("claim", _Said(number, None, name), config, json)


@tickets.command()
def reply(number: Number, text: Words = None, config: Config = None, json: Json = False, name: Name = None) -> None:
    """Answer the asker, where they asked."""
    _act("reply", _Said(number, text, name), config, json)


@tickets.command()
def ask(number: Number, text: Words = None, config: Config = None, json: Json = False, name: Name = None) -> None:
    """Ask the asker something."""
    _act("ask", _Said(number, text, name), config, json)


@tickets.command()
def note(number: Number, text: Words = None, config: Config = None, json: Json = False, name: Name = None) -> None:
    """Note something that the asker does not see."""
    _act("note", _Said(number, text, name), config, json)


@tickets.command(name="send-draft")
def send_draft(number: Number, config: Config = None, json: Json = False, name: Name = None) -> None:
    """Send the draft that failed its checks, as your answer."""
    _act("draft", _Said(number, None, name), config, json)


@tickets.command()
def close(number: Number, config: Config = None, json: Json = False, name: Name = None) -> None:
    """Be done with a ticket."""
    _act("close", _Said(number, None, name), config, json)


@tickets.command(name="return")
def give_back(number: Number, config: Config = None, json: Json = False, name: Name = None) -> None:
    """Give the conversation back to the bot."""
    _act("return", _Said(number, None, name), config, json)


@tickets.command()
def reopen(number: Number, config: Config = None, json: Json = False, name: Name = None) -> None:
    """Open a ticket again that was returned, closed or expired."""
    _act("reopen", _Said(number, None, name), config, json)


@tickets.command()
def release(number: Number, config: Config = None, json: Json = False, name: Name = None) -> None:
    """Leave a ticket to whoever takes it next."""
    _act("release", _Said(number, None, name), config, json)


@dataclass(frozen=True, slots=True)
class _Said:
    """What was typed."""

    number: int
    text: str | None
    name: str | None


def _act(kind: "TicketAct", said: _Said, config: Path | None, as_json: bool) -> None:
    from bot.commands import tickets_acts as command

    wanted = command.Wanted(kind, said.number, said.text, said.name)
    run(config, lambda settings: command.act(settings, wanted, as_json=as_json), as_json=as_json)
