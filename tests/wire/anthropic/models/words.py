"""Words, sentences and languages, as coarsely as a test needs them."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from tests.wire.anthropic.prompt import Prompt, Source

# Enough letters to tell words apart, few enough to pass over most endings.
STEM_CHARACTERS = 5
_WORD = re.compile(r"\w+")
_SPANISH = re.compile(r"\b(?:el|la|los|las|de|del|que|en|para|por|una)\b")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"»”)]*\s+(?=[\"«“(¿¡]*[\w`])")


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence of a source, and the block that holds it."""

    text: str
    source: Source
    block: int


def stems(text: str) -> frozenset[str]:
    """Return the beginnings of the words of a text."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return frozenset(word[:STEM_CHARACTERS] for word in _WORD.findall(folded))


def sentences(text: str) -> list[str]:
    """Split a text at its full stops and line ends; code stays whole."""
    if "```" in text:
        return [text]
    lines = [line for line in text.splitlines() if line.strip()]
    return [piece.strip() for line in lines for piece in _SENTENCE_END.split(line) if piece.strip()]


def sentences_of(sources: Iterable[Source]) -> list[Found]:
    """Return all sentences of all sources in reading order."""
    return [
        Found(sentence, source, block)
        for source in sources
        for block, text in enumerate(source.blocks)
        for sentence in sentences(text)
    ]


def nearest(prompt: Prompt, at_most: int) -> list[Found]:
    """Return the sentences that share most words with the question, in reading order; none that shares none."""
    wanted = stems(prompt.question)
    found = sentences_of(prompt.sources)
    shares = [len(wanted & stems(sentence.text)) for sentence in found]
    best = sorted(range(len(found)), key=lambda at: (-shares[at], at))[:at_most]
    return [found[at] for at in sorted(best) if shares[at]]


def language_of(text: str) -> str:
    """Guess among en, es, ru and uk by letters and words that only one of them has."""
    folded = text.casefold()
    if re.search(r"[іїєґ]", folded):
        return "uk"
    if re.search(r"[а-яё]", folded):
        return "ru"
    return "es" if re.search(r"[¿¡ñáéíóú]", folded) or len(_SPANISH.findall(folded)) > 1 else "en"
