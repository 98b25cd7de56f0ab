"""Sentences that say the same in two languages: the translations of one page, aligned by its structure."""

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random

from bot.core.verify.seen import Seen
from tests.quality.mutation_edits import Change, Claim
from tests.quality.mutation_lexicon import LANGUAGES
from tests.quality.mutation_pairs import MUTATED, Pair, halves, made
from tests.quality.mutation_places import Corpus, Page, Place, folded, is_plain
from tests.quality.mutation_sources import most_alike, says_something
from tests.quality.mutation_truths import verbatim

# A translation is longer or shorter than this only where something was added or left out.
_LENGTH_RATIO = 1.8
_MIN_CHARACTERS = 25
# What stays the same in every language: numbers, and words with a mark or digit in them.
_KEPT = re.compile(r"(?<![\w.])(?:\d[\d.]*\d|\d|[A-Za-z]+(?:[_./][A-Za-z_]+)+)(?!\w)")

TRUE_ACROSS: Mapping[str, Change] = {"translation": verbatim}


@dataclass(frozen=True)
class Parallel:
    """Places of one language, each with the place of another one that says the same."""

    claimed: Corpus
    cited: Corpus
    counterparts: Mapping[Place, Place]


def parallels(corpora: Mapping[str, Corpus]) -> Iterator[Parallel]:
    """Yield each ordered pair of languages."""
    for first, second in permutations(LANGUAGES, 2):
        others = {page.name: page for page in corpora[second].pages}
        counterparts = {
            place: other
            for page in corpora[first].pages
            if page.name in others
            for place, other in _aligned(page, others[page.name])
        }
        yield Parallel(corpora[first], corpora[second], counterparts)


def _aligned(page: Page, other: Page) -> Iterator[tuple[Place, Place]]:
    """Yield the sentences that stand at the same position of a section with the same anchor and the same structure."""
    sections, others = _sections(page), _sections(other)
    for anchor, paragraphs in sections.items():
        opposite = others.get(anchor, [])
        if [_shape(paragraph) for paragraph in paragraphs] != [_shape(paragraph) for paragraph in opposite]:
            continue
        for mine, theirs in zip(paragraphs, opposite, strict=True):
            if len(mine) == len(theirs):
                yield from (pair for pair in zip(mine, theirs, strict=True) if _is_sure(*pair))


def _sections(page: Page) -> dict[str | None, list[list[Place]]]:
    """Return the paragraphs of each section, a paragraph as its sentences."""
    sections: dict[str | None, list[list[Place]]] = {}
    for passage in page.passages:
        paragraphs = sections.setdefault(passage.anchor, [])
        end = None
        for index, unit in enumerate(passage.units):
            between = "\n\n" if end is None else unit.hit.text[end : unit.offset]
            if "\n\n" in between or unit.is_code or Place(page, passage, index).is_item:
                paragraphs.append([])
            paragraphs[-1].append(Place(page, passage, index))
            end = unit.offset + len(unit.quote)
    return sections


def _shape(paragraph: Sequence[Place]) -> tuple[bool, bool]:
    first = paragraph[0]
    return first.passage.units[first.index].is_code, first.is_item


def _is_sure(place: Place, other: Place) -> bool:
    """Tell whether two sentences are of like length and hold the same numbers and identifiers."""
    lengths = sorted((len(place.text), len(other.text)))
    is_alike = lengths[0] >= _MIN_CHARACTERS and lengths[1] <= _LENGTH_RATIO * lengths[0]
    kept = [sorted(set(_KEPT.findall(text))) for text in (place.text, other.text)]
    is_text = all(is_plain(one.text) and not one.passage.units[one.index].is_code for one in (place, other))
    return is_alike and kept[0] == kept[1] and is_text and folded(place.text) != folded(other.text)


def other_of_page(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """Another sentence of the page, from a passage that is not cited."""
    others = [
        Claim(piece)
        for passage in place.page.passages
        if passage is not place.passage
        for piece, unit in zip(passage.pieces, passage.units, strict=True)
        if not unit.is_code and says_something(piece) and is_plain(piece)
    ]
    return [random.choice(others)] if others else []


def sibling_page(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """The sentence of another page that is most alike, but not nearly the same."""
    own = set(folded(place.text).split())
    for other in most_alike(place, corpus):
        words = set(folded(other.text).split())
        if (
            other.page is not place.page
            and says_something(other.text)
            and len(own & words) <= 0.6 * min(len(words), len(own))
        ):
            return [Claim(other.text)]
    return []


_KINDS = (
    "number changed", "number word changed", "numbers swapped", "unit changed", "name changed", "names swapped",
    "code changed", "version changed", "URL changed", "negation added", "negation dropped", "condition dropped",
    "modal weakened", "modal strengthened", "order exchanged", "only dropped", "only added",
)  # fmt: skip
MUTATED_ACROSS: Mapping[str, Change] = {
    **{kind: MUTATED[kind] for kind in _KINDS},
    "another sentence of the page": other_of_page,
    "sentence of a sibling page": sibling_page,
}

# Those that are held to the bars of one language; of the others it is only said what is reached.
SURE_NUMBERS = ("number changed", "number word changed")
SURE_ACROSS = (*SURE_NUMBERS, "name changed", "code changed", "negation added", "negation dropped")


def pairs_across(parallel: Parallel, *, count: int, seed: int = 1) -> list[Pair]:
    """Return `count` pairs whose claim and passage are in different languages, half of them true."""
    corpus, counterparts = parallel.claimed, parallel.counterparts
    places = [place for place in corpus.places if place in counterparts]
    seed += zlib.crc32(parallel.cited.language.encode())

    def cite(place: Place, quoted: tuple[int, ...]) -> Seen:
        return counterparts[place].seen()

    return halves(
        {True: TRUE_ACROSS, False: MUTATED_ACROSS}, lambda kind: made(kind, corpus, places, cite, seed), count
    )
