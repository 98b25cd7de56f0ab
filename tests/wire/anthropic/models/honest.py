"""A model that answers with the sentences of its sources and cites them rightly."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.wire.anthropic.models.words import Found, language_of, nearest, sentences_of
from tests.wire.anthropic.plan import Block, Citation, Plan
from tests.wire.anthropic.prompt import Prompt

OPENINGS = {
    "en": "The documentation says: ",
    "es": "La documentación dice: ",
    "ru": "В документации сказано: ",
    "uk": "У документації сказано: ",
}


def _unchanged(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Honest:
    """Says the sentences that share most words with the question, each with its citation.

    The first one opens with words that nothing bears out, unless `openings` is empty. `wording` changes a sentence
    before it is said. `span` is how many blocks a citation covers where there are as many. Where no word is shared it
    says `absent`, or else the first sentence of the first source.
    """

    sentences: int = 2
    openings: Mapping[str, str] | None = None
    wording: Callable[[str], str] = _unchanged
    span: int = 1
    absent: str | None = None
    cites_first: bool = False

    def __call__(self, prompt: Prompt) -> Plan:
        found = nearest(prompt, self.sentences)
        if not found and self.absent is None:
            found = sentences_of(prompt.sources)[:1]
        if not found:
            return Plan((Block(self.absent or "...", finishes=self.absent),))
        openings = OPENINGS if self.openings is None else self.openings
        opening = openings.get(language_of(prompt.question), "")
        blocks = [
            block
            for at, sentence in enumerate(found)
            for block in prompt.say(
                self.wording(sentence.text), [cite(sentence, self.span)], opening if at == 0 else ""
            )
        ]
        return Plan(tuple(blocks), cites_first=self.cites_first)


def cite(found: Found, span: int = 1) -> Citation:
    """Cite the block of a sentence, and those behind it."""
    end = min(found.block + span, len(found.source.blocks))
    return found.source.citation(found.block, end)
