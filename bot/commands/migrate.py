"""`answerdesk migrate`."""

from rich.console import Console

from bot.cli import DONE
from bot.compose import open_database
from bot.settings import Settings
from knowledge.store.migrate import migrate, migration_names


async def migrate_database(settings: Settings) -> int:
    """Apply what is missing and say so."""
    async with open_database(settings) as conninfo:
        applied = await migrate(conninfo)
    for name in applied:
        Console().print(f"applied {name}", highlight=False)
    Console().print(f"the schema is at {migration_names()[-1]}", highlight=False)
    return DONE
