"""What a text says that can be true or false by itself, in a form that compares across languages and notations."""

from dataclasses import dataclass
from typing import Literal

FactKind = Literal["number", "date", "version", "code", "url", "email", "command", "name"]

# Between the keys of a reading that must all be found; no key holds it.
AND = "\n"


@dataclass(frozen=True, slots=True)
class Found:
    """A fact, with what bears it out.

    Each of `readings` is one way to understand it, as keys joined by `AND` that must all be found; `across` are those
    that suffice besides when the passage is in another language. `also` is what a passage that has this fact bears out
    besides. A `hint` is in passages only: too uncertain to ask for.
    """

    kind: FactKind
    shown: str
    readings: tuple[str, ...]
    also: tuple[str, ...] = ()
    across: tuple[str, ...] = ()
    is_hint: bool = False
    only_same_language: bool = False

    @property
    def value(self) -> str:
        """The likeliest reading, without the kind of key that it is."""
        return self.readings[0].partition(":")[2]
