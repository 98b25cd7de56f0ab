"""Pairs of a claim and the passage that it cites, half of them true, evenly from all kinds; the same for one seed."""

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from bot.core.verify.seen import Seen
from tests.quality import mutation_logic as logic
from tests.quality import mutation_names as names
from tests.quality import mutation_numbers as numbers
from tests.quality import mutation_rewordings as rewordings
from tests.quality import mutation_sources as sources
from tests.quality import mutation_truths as truths
from tests.quality.mutation_edits import Change, Claim, shuffled
from tests.quality.mutation_places import Corpus, Place, folded

TRUE: Mapping[str, Change] = {
    "verbatim": truths.verbatim,
    "punctuation changed": truths.punctuated,
    "number rewritten": truths.number_rewritten,
    "number in words or digits": truths.number_in_words,
    "date rewritten": truths.date_rewritten,
    "markup kept": truths.marked_up,
    "connective dropped": truths.connective_dropped,
    "connective added": truths.connective_added,
    "parenthesis dropped": truths.parenthesis_dropped,
    "neighbours merged": truths.merged,
    "last clause dropped": truths.shortened,
    "clauses swapped": truths.clauses_swapped,
    "another form": logic.by_words("same_form"),
    "synonym of one modal level": logic.by_words("same_modal"),
    "item with introduction": truths.introduced,
    "reworded twice": rewordings.reworded_twice,
}
NUMBERS: Mapping[str, Change] = {
    "number changed": numbers.number_changed,
    "number of the passage": numbers.number_of_passage,
    "number word changed": numbers.number_word_changed,
    "numbers swapped": numbers.numbers_swapped,
}
MUTATED: Mapping[str, Change] = {
    **NUMBERS,
    "unit changed": numbers.unit_changed,
    "date changed": numbers.date_changed,
    "name changed": names.name_changed,
    "names swapped": names.names_swapped,
    "code changed": names.code_changed,
    "version changed": names.version_changed,
    "URL changed": names.url_changed,
    "negation added": logic.negated_otherwise("negation_added"),
    "negation dropped": logic.negated_otherwise("negation_dropped"),
    "condition dropped": logic.condition_dropped,
    "modal weakened": logic.by_words("modal_weakened"),
    "modal strengthened": logic.by_words("modal_strengthened"),
    "order exchanged": logic.by_words("order_exchanged"),
    "only dropped": logic.only_dropped,
    "only added": logic.only_added,
    "sibling's sentence": sources.sibling,
    "clause appended": sources.clause_appended,
    "quote invented": sources.invented,
}
# At most so many claims of one kind from one sentence; of numbers there are few sentences in some languages.
MOST_OF_A_PLACE = 2
MOST_OF_A_NUMBER = 4
# The share of the wrong claims that are told in other words on top.
REWORDED_SHARE = 0.5

# Returns what a claim made of a place cites, given the pieces that it quotes (none: the place's own).
Cite = Callable[[Place, tuple[int, ...]], Seen]


@dataclass(frozen=True)
class Kind:
    """One way to change a sentence, and whether it stays true."""

    name: str
    is_true: bool
    change: Change


@dataclass(frozen=True)
class Pair:
    """A claim in `language`, what it cites, and whether the one follows from the other."""

    made: Kind
    language: str
    text: str
    seen: Seen
    place: Place
    is_reworded: bool = False

    @property
    def kind(self) -> str:
        return self.made.name

    @property
    def is_true(self) -> bool:
        return self.made.is_true


def pairs_of(corpus: Corpus, *, count: int, seed: int = 1) -> list[Pair]:
    """Return `count` pairs, half of them true; kinds with few sentences leave their share to the others."""
    kinds = {True: TRUE, False: MUTATED}
    return halves(kinds, lambda kind: made(kind, corpus, corpus.places, _own, seed), count)


def numbers_of(corpus: Corpus, *, count: int, seed: int = 1) -> list[Pair]:
    """Return up to `count` pairs with a wrong number."""
    made_of = {
        name: made(Kind(name, False, change), corpus, corpus.places, _own, seed) for name, change in NUMBERS.items()
    }
    return shared_out(made_of, count)


def halves(
    kinds: Mapping[bool, Mapping[str, Change]], make: Callable[[Kind], Iterator[Pair]], count: int
) -> list[Pair]:
    """Return half of `count` pairs from the kinds of true changes, the other half from those of wrong ones."""
    return [
        pair
        for is_true, changes in kinds.items()
        for pair in shared_out(
            {name: make(Kind(name, is_true, change)) for name, change in changes.items()}, count // 2
        )
    ]


def _own(place: Place, quoted: tuple[int, ...]) -> Seen:
    return place.passage.seen(*(quoted or (place.index,)))


def shared_out(found: Mapping[str, Iterator[Pair]], count: int) -> list[Pair]:
    """Take from all kinds in turn until there are enough."""
    taken: dict[str, list[Pair]] = {kind: [] for kind in found}
    open_kinds = dict(found)
    while open_kinds and sum(map(len, taken.values())) < count:
        for kind, pairs in list(open_kinds.items()):
            if sum(map(len, taken.values())) >= count:
                break
            if (pair := next(pairs, None)) is None:
                del open_kinds[kind]
            else:
                taken[kind].append(pair)
    return [pair for pairs in taken.values() for pair in pairs]


def made(kind: Kind, corpus: Corpus, places: Sequence[Place], cite: Cite, seed: int) -> Iterator[Pair]:
    """Yield the pairs of one kind from places in random order: one of each place first, then its others."""
    random = Random(zlib.crc32(f"{seed} {corpus.language} {kind.name}".encode()))
    order = random.sample(places, len(places))
    told: set[tuple[str, str]] = set()
    for _ in range(MOST_OF_A_NUMBER if kind.name in NUMBERS else MOST_OF_A_PLACE):
        for place in order:
            # A model that lies is not known to keep all other words.
            is_reworded = not kind.is_true and random.random() < REWORDED_SHARE
            said = rewordings.reworded(place, corpus, random) if is_reworded else place
            for claim in shuffled(kind.change(said, corpus, random), random):
                if (said.text, claim.text) not in told and (kind.is_true or _is_changed(said, claim)):
                    told.add((said.text, claim.text))
                    seen = cite(place, claim.quoted)
                    yield Pair(kind, corpus.language, claim.text, seen, place, is_reworded=said != place)
                    break


def _is_changed(place: Place, claim: Claim) -> bool:
    """Tell whether a mutated claim is neither the sentence itself nor stands in another piece of the passage."""
    said = folded(claim.text)
    others = place.passage.pieces[: place.index] + place.passage.pieces[place.index + 1 :]
    is_elsewhere = any(f" {said} " in f" {folded(piece)} " for piece in (*others, *place.passage.above))
    return said not in (folded(place.text), folded(place.passage.pieces[place.index])) and not is_elsewhere
