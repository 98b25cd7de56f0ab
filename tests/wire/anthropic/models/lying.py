"""A model that lies: wrong sources, changed facts, quotes that stand nowhere."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Literal, get_args

from tests.wire.anthropic.models.falsehoods import invented, negated, other_number
from tests.wire.anthropic.models.honest import cite
from tests.wire.anthropic.models.words import Found, nearest, sentences_of, stems
from tests.wire.anthropic.plan import Block, Citation, Plan
from tests.wire.anthropic.prompt import Prompt

Lie = Literal[
    "wrong_passage",
    "wrong_index",
    "out_of_range",
    "unsent_source",
    "number",
    "negation",
    "invented",
    "invented_quote",
    "uncited",
]
LIES: tuple[Lie, ...] = get_args(Lie)
# These say true words and name a wrong place for them; the words may well be shown with their right source.
WRONG_PLACES = frozenset({"wrong_passage", "wrong_index", "out_of_range", "unsent_source"})


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence that was said; `lie` is None where it is true and rightly cited."""

    text: str
    lie: Lie | None


class Lying:
    """Says the sentences that an honest model says, made false in the given ways, one after the other.

    With `mixed` each lie stands between true sentences. `told` keeps all that it said.
    """

    def __init__(self, *lies: Lie, mixed: bool = False, sentences: int = 2) -> None:
        self._lies = cycle(lies or LIES)
        self.mixed = mixed
        self.sentences = sentences
        self.told: list[Told] = []

    @property
    def false_sentences(self) -> list[str]:
        """What it said that is not so, whatever is cited: no reader may ever see one of these."""
        return [told.text for told in self.told if told.lie is not None and told.lie not in WRONG_PLACES]

    def __call__(self, prompt: Prompt) -> Plan:
        found = nearest(prompt, self.sentences) or sentences_of(prompt.sources)[: self.sentences]
        if not found:
            return Plan((Block("...", finishes="..."),))
        blocks = [block for sentence in found for block in self._say(prompt, sentence)]
        return Plan(tuple(blocks))

    def _say(self, prompt: Prompt, found: Found) -> Iterator[Block]:
        if self.mixed:
            self.told.append(Told(found.text, None))
            yield from prompt.say(found.text, [cite(found)])
        lie = next(self._lies)
        text, citations = _falsified(lie, found, sentences_of(prompt.sources))
        self.told.append(Told(text, lie))
        yield from prompt.say(text, citations)


def _falsified(lie: Lie, found: Found, others: Sequence[Found]) -> tuple[str, list[Citation]]:
    text, right, far = found.text, cite(found), cite(_least_alike(found, others))
    quote = other_number(invented(text))
    falsified: dict[Lie, tuple[str, list[Citation]]] = {
        "wrong_passage": (text, [far]),
        "wrong_index": (text, [replace(far, cited_text=right.cited_text)]),
        "out_of_range": (text, [replace(right, start=right.start + 1000, end=right.end + 1000)]),
        "unsent_source": (text, [replace(right, search_result_index=99, source="https://nowhere.example/")]),
        "number": (other_number(text), [right]),
        "negation": (negated(text), [right]),
        "invented": (invented(text), [right]),
        "invented_quote": (quote, [replace(right, cited_text=quote)]),
        "uncited": (invented(text), []),
    }
    return falsified[lie]


def _least_alike(found: Found, others: Sequence[Found]) -> Found:
    """Return the sentence of another source, if there is one, that shares the fewest words."""
    elsewhere = [other for other in others if other.source != found.source] or list(others)
    return min(elsewhere, key=lambda other: len(stems(other.text) & stems(found.text)))
