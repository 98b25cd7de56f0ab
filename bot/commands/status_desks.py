"""The part of `answerdesk status` about people who take over, and what they taught."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import datetime
from typing import Any

from rich.text import Text

from bot.channels.terminal import shown
from bot.compose import Base
from bot.store.desks_overview import DeskOverview, handover_overview


async def desks_document(base: Base) -> dict[str, Any]:
    """Return what programs read of it: every desk that is configured, or has tickets."""
    overview = await handover_overview(base.pool)
    known = {desk.name: desk for desk in overview.desks}
    configured = [desk.name for desk in base.desks]
    others = [name for name in known if name not in configured]
    rows = [known.get(name) or DeskOverview(name, 0, 0, 0, 0, None) for name in [*configured, *others]]
    return {
        "desks": [{**asdict(row), "configured": row.name in configured} for row in rows],
        "clock_missed": overview.missed,
        "entries": asdict(overview.entries),
    }


def desk_lines(document: dict[str, Any], moment: Callable[[datetime | None], str]) -> Iterator[Text]:
    """Yield a line for each desk, one where no clock runs, and one about what was taught."""
    for desk in document["desks"]:
        yield Text(shown(f"desk {_name(desk)}: {_tickets(desk, moment)}"), style="red" if desk["overdue"] else "")
    if missed := document["clock_missed"]:
        text = f"no clock runs: {missed:,} ticket(s) wait for reminders and the like; does `answerdesk run`?"
        yield Text(text, style="red")
    entries = document["entries"]
    if any(entries.values()):
        text = f"entries: {entries['approved']:,} approved, {entries['to_review']:,} of them due for review"
        yield Text(f"{text}, {entries['drafts']:,} drafts")


def _name(desk: dict[str, Any]) -> str:
    if desk["name"] is None:
        return "of the terminal"
    return str(desk["name"]) if desk["configured"] else f"{desk['name']} (not configured)"


def _tickets(desk: dict[str, Any], moment: Callable[[datetime | None], str]) -> str:
    parts = [f"{desk['open']:,} open", f"{desk['claimed']:,} claimed", f"{desk['answered']:,} answered"]
    if desk["overdue"]:
        parts.append(f"{desk['overdue']:,} past their time")
    if desk["oldest_since"]:
        parts.append(f"the oldest since {moment(desk['oldest_since'])}")
    return ", ".join(parts)
