"""What a model repeats of its own rules bears nothing out, whatever it cites for it.

The vectors of two languages can take a rule for the translation of a page that asks for the rules.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from bot.core.answer import Claim

# A row of so many words is no chance: "keep numbers, units, dates" has five, and no page of ours had six of them.
RECITED_WORDS = 6
_WORD = re.compile(r"[^\W_]+")


class Rules:
    """The rules that a model was given, known again in what it writes."""

    def __init__(self, system: str) -> None:
        self._rows = frozenset(_rows(system))

    def without_recited(self, claim: Claim) -> Claim:
        """Return the claim; one that recites the rules in words that its sources lack cites nothing."""
        recited = self._rows.intersection(_rows(claim.text))
        if recited and not recited <= {row for unit in claim.cited for row in _rows(unit.text)}:
            return replace(claim, cited=())
        return claim


def _rows(text: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    for start in range(len(words) - RECITED_WORDS + 1):
        yield tuple(words[start : start + RECITED_WORDS])
