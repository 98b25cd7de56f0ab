"""How a row of a table is written and searched, whatever its format: stored passages are read back by it."""

BETWEEN_CELLS = " | "
# As long as a name says something about its cell, and a header about its row.
MAX_NAME_CHARACTERS = 80
MAX_CONTEXT_CHARACTERS = 400


def named(name: str | None, cell: str) -> str:
    """Return a cell as it is searched, with the name of its column, if that has one."""
    return f"{name}: {cell}" if name else cell
