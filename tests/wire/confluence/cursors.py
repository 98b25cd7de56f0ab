"""Opaque cursors."""

import secrets
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Position:
    """Where a list goes on: with which item, and how many pages came before."""

    start: int = 0
    pages: int = 0


class Cursors:
    """Hands out cursors and knows them again; one is good only for the list it was made for."""

    def __init__(self) -> None:
        self._positions: dict[tuple[str, str], Position] = {}

    def issue(self, scope: str, position: Position) -> str:
        """Make a cursor for a list."""
        cursor = secrets.token_urlsafe(24)
        self._positions[scope, cursor] = position
        return cursor

    def find(self, scope: str, cursor: str) -> Position | None:
        """Return where a cursor of this list stands, or nothing for one that was not issued for it."""
        return self._positions.get((scope, cursor))
