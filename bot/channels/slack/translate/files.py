"""The files of a message, which are only told here."""

from bot.channels.slack.translate.read import Payload, items, word
from bot.channels.slack.translate.values import PLATFORM
from bot.core.tickets.files import FILES, File, dumped

# What is left of a file that was deleted, or is too old for what the workspace pays.
_GONE = frozenset({"tombstone", "hidden_by_limit"})


def files_in(message: Payload, workspace: str) -> dict[str, str]:
    """Return what a message's wire holds of its files; nothing where there are none."""
    files = [file for given in items(message, "files") if (file := _file(given, workspace))]
    return {FILES: dumped(files)} if files else {}


def _file(given: Payload, workspace: str) -> File | None:
    name, size = word(given, "id"), given.get("size")
    if not name or word(given, "mode") in _GONE:
        return None
    return File(
        PLATFORM,
        workspace,
        name,
        word(given, "name") or word(given, "title") or name,
        size if isinstance(size, int) and size > 0 else 0,
        word(given, "mimetype"),
    )
