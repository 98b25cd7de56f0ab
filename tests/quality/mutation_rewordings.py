"""A sentence in other words of the same meaning, to be changed once more."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from tests.quality import mutation_truths as truths
from tests.quality.mutation_edits import Change, Claim, shuffled
from tests.quality.mutation_logic import by_words
from tests.quality.mutation_places import Corpus, Place

# Those that leave a whole sentence of plain text.
REWORDINGS: tuple[Change, ...] = (
    truths.punctuated,
    truths.number_rewritten,
    truths.connective_dropped,
    truths.connective_added,
    truths.parenthesis_dropped,
    truths.clauses_swapped,
    by_words("same_form"),
    by_words("same_modal"),
)


def reworded(place: Place, corpus: Corpus, random: Random) -> Place:
    """Return the place in other words; as it is where none of the ways can be gone."""
    for change in random.sample(REWORDINGS, len(REWORDINGS)):
        for claim in shuffled(change(place, corpus, random), random):
            if not claim.quoted and claim.text != place.text:
                return replace(place, wording=claim.text)
    return place


def reworded_twice(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """Two of the ways, one after the other."""
    once = reworded(place, corpus, random)
    twice = reworded(once, corpus, random)
    if place.text not in (once.text, twice.text) and twice != once:
        yield Claim(twice.text)
