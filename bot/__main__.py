"""The `answerdesk` command."""

import io
import sys
from pathlib import Path
from typing import Annotated

import typer

from bot.cli import run
from bot.commands.entries_line import entries
from bot.commands.gaps_line import gaps
from bot.commands.tickets_line import tickets

app = typer.Typer(
    name="answerdesk",
    help="Answers questions from your own documents, with a source under every sentence, or hands over to a person.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        typer.echo(f"answerdesk {version('answerdesk')}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
]
Config = Annotated[
    Path | None,
    typer.Option("--config", help="Configuration file (default: answerdesk.toml here, else the demo)."),
]
Json = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on standard output.")]
Question = Annotated[str, typer.Argument(help="The question, in any language.")]
ReadAs = Annotated[str | None, typer.Option("--as", help="Read what this person may read, by e-mail address.")]
Language = Annotated[str | None, typer.Option("--language", help="Language of the reply (ISO 639-1).")]


slack = typer.Typer(help="Set up Slack.", no_args_is_help=True)
app.add_typer(slack, name="slack")


@slack.command()
def manifest(config: Config = None) -> None:
    """Print the manifest that creates the app in Slack: paste it at api.slack.com/apps, "From a manifest"."""
    from bot.commands import slack as command

    run(config, command.manifest)


telegram = typer.Typer(help="Set up Telegram.", no_args_is_help=True)
app.add_typer(telegram, name="telegram")


@telegram.command(name="deep-link")
def deep_link(
    question: Annotated[str, typer.Argument(help="The question, or its name in [telegram.questions].")],
    config: Config = None,
) -> None:
    """Print a link that opens the bot in Telegram with a question."""
    from bot.commands import telegram as command

    run(config, lambda settings: command.deep_link(settings, question))


people = typer.Typer(help="Show and decide whose e-mail addresses people on chat platforms have.")
app.add_typer(people, name="people")


@people.callback(invoke_without_command=True)
def list_people(context: typer.Context, config: Config = None, json: Json = False) -> None:
    """List who is linked to an address, and who waits for it."""
    from bot.commands import people as command

    if context.invoked_subcommand is None:
        run(config, lambda settings: command.people(settings, as_json=json), as_json=json)


@people.command()
def confirm(
    code: Annotated[str, typer.Argument(help="The code that somebody was given by /link.")],
    config: Config = None,
    is_sure: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Link whoever was given a code to the address that they claim."""
    from bot.commands import people as command

    run(config, lambda settings: command.confirm(settings, code, is_sure=is_sure))


@people.command()
def unlink(
    who: Annotated[str, typer.Argument(help="An address, or a person, for instance telegram:700000001.")],
    config: Config = None,
) -> None:
    """Forget whose an address is."""
    from bot.commands import people as command

    run(config, lambda settings: command.unlink(settings, who))


app.add_typer(tickets, name="tickets")
app.add_typer(entries, name="entries")
app.add_typer(gaps, name="gaps")


@app.callback()
def _common(version: Version = False) -> None:
    """Hold the options of no command in particular."""


@app.command(name="run")
def run_bot(
    config: Config = None,
    only: Annotated[
        list[str] | None,
        typer.Option(help="Only this part (scheduler, worker or a channel); may be given several times."),
    ] = None,
) -> None:
    """Keep running: answer in every configured channel, and bring the knowledge in step again and again."""
    from bot.commands import serve as command

    run(config, lambda settings: command.serve(settings, only or ()))


@app.command()
def chat(config: Config = None, read_as: ReadAs = None, language: Language = None) -> None:
    """Talk with the bot in this terminal; no tokens needed."""
    from bot.commands import chat as command

    run(config, lambda settings: command.chat(settings, read_as=read_as, language=language))


@app.command()
def ask(
    question: Question,
    config: Config = None,
    json: Json = False,
    read_as: ReadAs = None,
    language: Language = None,
) -> None:
    """Ask one question."""
    from bot.commands import ask as command

    run(
        config,
        lambda settings: command.ask(settings, question, as_json=json, read_as=read_as, language=language),
        as_json=json,
    )


@app.command()
def search(
    question: Question,
    config: Config = None,
    json: Json = False,
    limit: Annotated[int, typer.Option(min=1, max=50, help="How many passages to show.")] = 10,
    read_as: ReadAs = None,
) -> None:
    """Show the passages that a question finds, with every rank."""
    from bot.commands import search as command

    run(
        config,
        lambda settings: command.search(settings, question, as_json=json, limit=limit, read_as=read_as),
        as_json=json,
    )


@app.command()
def sync(
    config: Config = None,
    source: Annotated[list[str] | None, typer.Option(help="Only this source; may be given several times.")] = None,
    json: Json = False,
    full: Annotated[bool, typer.Option("--full", help="Read every document again, changed or not.")] = False,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until all vectors are there.")] = True,
    confirm_deletes: Annotated[
        bool, typer.Option("--confirm-deletes", help="Let most of a source's documents disappear.")
    ] = False,
) -> None:
    """Bring the knowledge in step with its sources."""
    from bot.commands import sync as command
    from knowledge.sync import SyncOptions

    options = SyncOptions(full=full, confirm_deletes=confirm_deletes)
    wanted = command.Wanted(tuple(source or ()), options, wait)
    run(config, lambda settings: command.sync(settings, wanted, as_json=json), as_json=json)


@app.command()
def forget(
    user: Annotated[str, typer.Option(help="Who: the platform and their id there, for instance slack:U024BE7LH.")],
    config: Config = None,
    is_sure: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase what somebody wrote and was told, and their name; what is counted stays."""
    from bot.commands import forget as command

    run(config, lambda settings: command.forget(settings, user, is_sure=is_sure))


@app.command()
def chunk(
    file: Annotated[Path, typer.Argument(help="A document, as a folder source would take it.")],
    config: Config = None,
    strategy: Annotated[
        str | None, typer.Option(help="headings, recursive, semantic, code, api or table; else as configured.")
    ] = None,
    options: Annotated[
        list[str] | None, typer.Option("--set", help="A setting of the strategy, as size=256; may be repeated.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Write a picture of the cuts: an .svg or .png file.")] = None,
    json: Json = False,
) -> None:
    """Show how a file is cut into passages, with their sizes, headings and sections; nothing is stored."""
    from bot.commands import chunk as command

    wanted = command.Wanted(strategy, tuple(options or ()), plot)
    run(config, lambda settings: command.chunk(settings, file, wanted, as_json=json), as_json=json)


@app.command()
def status(
    config: Config = None,
    json: Json = False,
    watch: Annotated[bool, typer.Option("--watch", help="Show it again every second, until interrupted.")] = False,
) -> None:
    """Show sources, their runs, vectors, tickets and versions."""
    from bot.commands import status as command

    run(config, lambda settings: command.status(settings, as_json=json, watch=watch), as_json=json)


@app.command()
def check(config: Config = None) -> None:
    """Check settings, database, model and sources: one line each, with what to do about it."""
    from bot.commands import check as command

    run(config, command.check)


@app.command()
def migrate(config: Config = None) -> None:
    """Bring the database to the newest schema."""
    from bot.commands import migrate as command

    run(config, command.migrate_database)


@app.command()
def evaluate(
    file: Annotated[Path, typer.Argument(help="Labelled questions, one JSON object a line.")],
    config: Config = None,
    json: Json = False,
) -> None:
    """Measure retrieval and answers on labelled questions."""
    from bot.commands import evaluate as command

    run(config, lambda settings: command.evaluate(settings, file, as_json=json), as_json=json)


def main() -> None:
    """Run the command line; a terminal that lacks a letter shows a mark instead of failing half-way."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()


if __name__ == "__main__":
    main()
