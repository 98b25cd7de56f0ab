"""What all changes of sentences share: what they get, what they give, and how words are replaced."""

import re
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import NamedTuple

from tests.quality.mutation_lexicon import Rule
from tests.quality.mutation_places import Corpus, Place


class Claim(NamedTuple):
    """What a model might say of a place, citing the pieces `quoted` (none given: the place's own)."""

    text: str
    quoted: tuple[int, ...] = ()


# Yields the claims that one kind of change can make of a sentence; few, in an order that the generator decides.
Change = Callable[[Place, Corpus, Random], Iterable[Claim]]


def replaced(text: str, start: int, end: int, by: str) -> Claim:
    """Return the claim with `by` in place of a span."""
    return Claim(" ".join(f"{text[:start]}{by}{text[end:]}".split()))


def by_rules(text: str, rules: Iterable[Rule]) -> Iterator[Claim]:
    """Yield the sentence changed at each single place where a rule applies; it keeps its capital."""
    begins_with_word = text[:2].istitle() or (text[:1].isupper() and text[1:2] in (" ", "'"))
    lowered = text[:1].lower() + text[1:] if begins_with_word else text
    for pattern, replacement in rules:
        for match in pattern.finditer(lowered):
            changed = lowered[: match.start()] + match.expand(replacement) + lowered[match.end() :]
            changed = " ".join(changed.split())
            yield Claim(capitalised(changed) if begins_with_word else changed)


def capitalised(text: str) -> str:
    """Return the text with a capital first letter, the rest as it is."""
    return text[:1].upper() + text[1:]


def lowered(text: str, corpus: Corpus) -> str | None:
    """Return a sentence as it continues another one; None where its first word may be a name."""
    first = re.match(r"[^\W\d_]+(?=[\s,])", text)
    if not first or corpus.lower_counts[first[0].lower()] < 3 or first[0][1:].lower() != first[0][1:]:
        return None
    return text[:1].lower() + text[1:]


def without_end(text: str) -> str:
    """Return a sentence without the mark that ends it."""
    return text.rstrip(" .!?:;…")


def shuffled(found: Iterable[Claim], random: Random) -> list[Claim]:
    """Return the claims in an order of the generator's choice."""
    claims = list(found)
    random.shuffle(claims)
    return claims
