"""The command line of `answerdesk entries`."""

from pathlib import Path
from typing import Annotated

import typer

from bot.cli import run

entries = typer.Typer(help="List, check and decide what people taught.", invoke_without_command=True)

Config = Annotated[
    Path | None,
    typer.Option("--config", help="Configuration file (default: answerdesk.toml here, else the demo)."),
]
Json = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on standard output.")]
Entry = Annotated[int, typer.Argument(help="The number of an entry.", min=1)]
Answer = Annotated[str | None, typer.Option("--answer", help="The answer, in Markdown.")]


@entries.callback()
def listed(
    context: typer.Context,
    config: Config = None,
    json: Json = False,
    state: Annotated[list[str] | None, typer.Option(help="Only in this state; may be given several times.")] = None,
    due: Annotated[bool, typer.Option("--due", help="Only what somebody should look at again.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many entries to show.")] = 20,
) -> None:
    """List entries, the last changed first."""
    if context.invoked_subcommand:
        return
    from bot.commands import entries as command

    states = [one for one in command.ALL if one in (state or [])]
    if unknown := set(state or ()) - set(command.ALL):
        raise typer.BadParameter(f"{', '.join(sorted(unknown))}: choose among {', '.join(command.ALL)}")
    run(
        config,
        lambda settings: command.entries(settings, states=states, is_due=due, limit=limit, as_json=json),
        as_json=json,
    )


@entries.command()
def show(entry: Entry, config: Config = None, json: Json = False) -> None:
    """Show an entry, what speaks against it, and its versions."""
    from bot.commands import entries as command

    run(config, lambda settings: command.show(settings, entry, as_json=json), as_json=json)


@entries.command()
def propose(
    ticket: Annotated[int, typer.Argument(help="The number of a ticket.", min=1)],
    config: Config = None,
    answer: Answer = None,
    json: Json = False,
) -> None:
    """Make a draft of a ticket's question and what was answered last, or of the answer that is given here."""
    from bot.commands import entries as command

    run(config, lambda settings: command.propose(settings, ticket, answer, as_json=json), as_json=json)


@entries.command()
def edit(
    entry: Entry,
    config: Config = None,
    question: Annotated[str | None, typer.Option("--question", help="The question, in general words.")] = None,
    answer: Answer = None,
    audience: Annotated[list[str] | None, typer.Option(help="Who may read it, as a tag; repeatable.")] = None,
    json: Json = False,
) -> None:
    """Word an entry anew: as given, else in $EDITOR."""
    from bot.commands import entries as command

    wording = command.Wording(question, answer, tuple(audience) if audience else None)
    run(config, lambda settings: command.edit(settings, entry, wording, as_json=json), as_json=json)


@entries.command()
def approve(entry: Entry, config: Config = None) -> None:
    """Make an entry knowledge: it is searched from now on."""
    from bot.commands import entries as command

    run(config, lambda settings: command.approve(settings, entry))


@entries.command()
def reject(entry: Entry, config: Config = None) -> None:
    """Give up a draft."""
    from bot.commands import entries as command

    run(config, lambda settings: command.reject(settings, entry))


@entries.command()
def unlearn(entry: Entry, config: Config = None) -> None:
    """Take an entry back: it leaves the index at once."""
    from bot.commands import entries as command

    run(config, lambda settings: command.unlearn(settings, entry))


@entries.command()
def time(
    entry: Entry,
    config: Config = None,
    review: Annotated[str | None, typer.Option(help='When to look at it again: a date, or "never".')] = None,
    expires: Annotated[str | None, typer.Option(help='When it leaves the index: a date, or "never".')] = None,
) -> None:
    """Set when an entry is to be looked at again, and when it ends."""
    from bot.commands import entries as command

    run(config, lambda settings: command.time(settings, entry, review=review, expires=expires))
