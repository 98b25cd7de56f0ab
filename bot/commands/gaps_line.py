"""The command line of `answerdesk gaps`."""

from pathlib import Path
from typing import Annotated

import typer

from bot.cli import run

gaps = typer.Typer(help="Show what the documents lack: questions without a good answer, grouped by what they ask.")

Config = Annotated[
    Path | None,
    typer.Option("--config", help="Configuration file (default: answerdesk.toml here, else the demo)."),
]
Json = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on standard output.")]
Since = Annotated[int, typer.Option("--since", min=1, max=3650, help="How many days back.")]
Gap = Annotated[str, typer.Argument(help="The # of the gap, or of any of its questions.")]


@gaps.callback(invoke_without_command=True)
def list_gaps(
    context: typer.Context,
    config: Config = None,
    json: Json = False,
    since: Since = 30,
    csv: Annotated[Path | None, typer.Option(help="Write all of them to this file, for spreadsheets.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the largest into this .svg or .png file.")] = None,
) -> None:
    """List the gaps, the most asked first."""
    from bot.commands import gaps as command

    if context.invoked_subcommand is None:
        wanted = command.Wanted(since, csv, plot)
        run(config, lambda settings: command.gaps(settings, wanted, as_json=json), as_json=json)


@gaps.command()
def dismiss(gap: Gap, config: Config = None, json: Json = False, since: Since = 30) -> None:
    """Hear no more of a gap, until more is asked about it than was dismissed."""
    from bot.commands import gaps as command

    run(config, lambda settings: command.dismiss(settings, gap, since, as_json=json), as_json=json)


@gaps.command()
def restore(gap: Gap, config: Config = None, json: Json = False, since: Since = 30) -> None:
    """Take back that a gap was dismissed."""
    from bot.commands import gaps as command

    run(config, lambda settings: command.restore(settings, gap, since, as_json=json), as_json=json)
