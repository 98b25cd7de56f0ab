"""`answerdesk tickets`."""

from dataclasses import asdict

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.channels.terminal import shown
from bot.cli import DONE, print_json
from bot.compose import open_base
from bot.settings import Settings
from bot.store.tickets import Ticket


async def tickets(settings: Settings, *, as_json: bool, limit: int) -> int:
    """List open tickets, newest first."""
    async with open_base(settings) as base:
        found = await base.tickets.newest(limit)
    if as_json:
        print_json({"tickets": [asdict(ticket) for ticket in found]})
    elif found:
        Console().print(ticket_table(found))
    else:
        Console().print("no open tickets")
    return DONE


def ticket_table(found: list[Ticket]) -> Table:
    """Return tickets as a table."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("#", "opened (UTC)", "language", "reason", "relevance", "nearest", "question"):
        table.add_column(title, overflow="fold")
    for ticket in found:
        nearest = ticket.candidates[0] if ticket.candidates else None
        table.add_row(
            str(ticket.id),
            f"{ticket.opened_at:%Y-%m-%d %H:%M}",
            Text(ticket.language),
            Text(ticket.reason),
            "–" if ticket.relevance is None else f"{ticket.relevance:.3f} < {ticket.threshold:.3f}",
            Text(shown(f"{nearest['document']}:{nearest['start_line']}") if nearest else "–"),
            Text(shown(ticket.question)),
        )
    return table
