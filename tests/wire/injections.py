"""A fault that a test ordered, and the calls that get it."""

from dataclasses import dataclass
from typing import Generic, TypeVar

FaultT = TypeVar("FaultT")
PlaceT = TypeVar("PlaceT")


@dataclass(slots=True)
class Injection(Generic[FaultT, PlaceT]):
    """A fault that waits for calls; `times` None: for all, `place` None: in every one, `after`: so many go well."""

    fault: FaultT
    method: str
    times: int | None = 1
    place: PlaceT | None = None
    after: int = 0

    def takes(self, method: str, place: PlaceT | None) -> bool:
        """Tell whether a call gets the fault, and count it."""
        if self.times == 0 or method != self.method or self.place not in (None, place):
            return False
        if self.after > 0:
            self.after -= 1
            return False
        if self.times is not None:
            self.times -= 1
        return True
