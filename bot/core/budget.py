"""The port to the spending caps: what a request to a model may cost is set aside before it is made."""

from dataclasses import dataclass
from datetime import date
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Reservation:
    """Money set aside for one asker, on the day (UTC) whose caps it counts for."""

    day: date
    asker: str
    usd: float


class Budget(Protocol):
    """The caps of a day: in all, and for each person."""

    async def reserve(self, asker: str, usd: float) -> Reservation | None:
        """Set aside the most that a request can cost, None where a cap leaves no room for it.

        What is never settled stays spent: a process that dies cannot lead past a cap.
        """
        ...

    async def settle(self, reservation: Reservation, spent: float) -> None:
        """Put what a request did cost, in US dollars, in the place of what was set aside for it."""
        ...
