"""`answerdesk gaps`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBar
from rich.table import Table
from rich.text import Text

from bot.channels.terminal import shown
from bot.cli import DONE, error_console, print_json
from bot.compose import open_base, open_embedder
from bot.core.errors import QuestionProblem
from bot.gaps.export import csv_text
from bot.gaps.find import find_gaps
from bot.gaps.gap import Gap, Period
from bot.gaps.picture import draw
from bot.pictures import refuse_what_cannot_be_drawn
from bot.settings import Settings
from bot.store.gaps import MOST_QUESTIONS, PostgresGaps
from knowledge.background import Background
from knowledge.errors import SettingsProblem
from knowledge.progress import Progress

GAPS_LISTED = 20
MARKS = "▁▂▃▄▅▆▇█"
_STYLES = {"open": "", "answered": "green", "dismissed": "dim"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many days back, and which files to write."""

    days: int
    csv: Path | None = None
    plot: Path | None = None


async def gaps(settings: Settings, wanted: Wanted, *, as_json: bool) -> int:
    """Show what the documents lack."""
    if wanted.plot:
        refuse_what_cannot_be_drawn(wanted.plot, extra="gaps")
    period = Period(datetime.now(UTC), wanted.days)
    async with open_base(settings) as base:
        found = await _found(settings, PostgresGaps(base.pool), period)
    _write(found, wanted)
    if as_json:
        print_json({"since": period.start, "days": period.days, "gaps": [asdict(gap) for gap in found]})
    else:
        _show(Console(highlight=False), found, wanted.days)
    return DONE


async def dismiss(settings: Settings, name: str, days: int, *, as_json: bool) -> int:
    """Put a gap away, whichever of its questions names it."""
    return await _settle(settings, name, Period(datetime.now(UTC), days), is_dismissed=True, as_json=as_json)


async def restore(settings: Settings, name: str, days: int, *, as_json: bool) -> int:
    """Show a gap again that was put away."""
    return await _settle(settings, name, Period(datetime.now(UTC), days), is_dismissed=False, as_json=as_json)


async def _settle(settings: Settings, name: str, period: Period, *, is_dismissed: bool, as_json: bool) -> int:
    async with open_base(settings) as base:
        store = PostgresGaps(base.pool)
        found = await _found(settings, store, period)
        gap = next((gap for gap in found if name in gap.questions), None)
        if gap is None:
            raise QuestionProblem(f"no gap {name!r} in the last {period.days} days; `answerdesk gaps` lists them")
        await store.dismiss(gap.questions, is_dismissed=is_dismissed)
    what = "dismissed" if is_dismissed else "restored"
    if as_json:
        print_json({"gap": gap.id, what: gap.questions})
    else:
        Console(highlight=False).print(Text(shown(f"{what}: {gap.label} ({len(gap.questions)} questions)")))
    return DONE


async def _found(settings: Settings, store: PostgresGaps, period: Period) -> list[Gap]:
    asked = await store.asked(period.before)
    if not asked:
        return []
    if len(asked) == MOST_QUESTIONS:
        error_console().print(f"only the newest {MOST_QUESTIONS:,} questions are counted; ask for fewer days")
    async with open_embedder(settings) as embedder:
        background = Background(embedder, home=settings.home)
        with _progress() as progress:
            return await find_gaps(asked, period, embedder=embedder, backgrounds=background, progress=progress)


@contextmanager
def _progress() -> Iterator[Progress]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with ProgressBar(*columns, console=error_console(), transient=True) as bar:
        task = bar.add_task("questions")
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _write(found: list[Gap], wanted: Wanted) -> None:
    try:
        if wanted.csv:
            # The mark at its beginning tells spreadsheets that it is UTF-8.
            wanted.csv.write_text(csv_text(found), encoding="utf-8-sig", newline="")
        if wanted.plot:
            draw(found, wanted.days, wanted.plot)
    except OSError as exc:
        raise SettingsProblem(f"cannot write {exc.filename or wanted.csv or wanted.plot}: {exc.strerror}") from exc


def _show(console: Console, found: list[Gap], days: int) -> None:
    if not found:
        console.print(f"no gaps: every question of the last {days} days had a good answer")
        return
    console.print(gap_table(found[:GAPS_LISTED]))
    if len(found) > GAPS_LISTED:
        console.print(f"{len(found) - GAPS_LISTED} more: --csv and --json have them all")


def gap_table(found: list[Gap]) -> Table:
    """Return gaps as a table; `trend` covers this period and the one before."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("#", "asked", "before", "askers", "trend", "status", "question", "words", "nearest page", "owner"):
        table.add_column(title, overflow="fold")
    for gap in found:
        table.add_row(*map(Text, map(shown, _cells(gap))), style=_STYLES[gap.status])
    return table


def _cells(gap: Gap) -> tuple[str, ...]:
    examples = "\n".join(f"{language}: {question}" for language, question in gap.examples.items())
    return (
        gap.id,
        str(gap.count),
        str(gap.before),
        "–" if gap.askers is None else str(gap.askers),
        sparkline(gap.trend),
        f"answered since {gap.answered_at:%Y-%m-%d}" if gap.answered_at else gap.status,
        examples,
        "\n".join(", ".join(words) for words in gap.words.values()),
        f"{gap.page.title} ({gap.page.source}: {gap.page.document})" if gap.page else "–",
        (gap.page and gap.page.owner) or "–",
    )


def sparkline(counts: tuple[int, ...]) -> str:
    """Return counts as a row of bars; nothing is a dot, the highest the full height."""
    most = max(counts, default=0)
    return "".join(MARKS[(count * len(MARKS) - 1) // most] if count else "·" for count in counts)
