"""What the cited page does not say: sentences of its neighbours, additions, and inventions out of its words."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from random import Random

from tests.quality.mutation_edits import Claim, lowered, without_end
from tests.quality.mutation_places import WORD, Corpus, Place, folded, is_plain

# A sentence this much like one of the passage might say the same in other words.
_SAME_FROM = 0.65
_ALIKE_FROM = 0.25
_CANDIDATES = 40
_CLAUSE_WORDS = (4, 14)
_MIN_PART = 0.35
_MIN_OWN_WORDS = 6


def sibling(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """The sentence of another section or page that is most alike, but not the same."""
    own = [set(folded(piece).split()) for piece in place.passage.pieces]
    for other in most_alike(place, corpus)[:_CANDIDATES]:
        words = set(folded(other.text).split())
        if not says_something(other.text):
            continue
        likeness = max(len(words & piece) / len(words) for piece in own)
        if _ALIKE_FROM <= likeness <= _SAME_FROM and other.passage is not place.passage:
            return [Claim(other.text)]
    return []


def says_something(text: str) -> bool:
    """Tell whether a sentence says something by itself: none that only introduces what follows."""
    return len(WORD.findall(text)) >= _MIN_OWN_WORDS and not text.rstrip().endswith((":", "?"))


def most_alike(place: Place, corpus: Corpus) -> list[Place]:
    """Return the places of the corpus by the weight of the words that they share, the most alike first."""
    weights: Counter[int] = Counter()
    for word in set(folded(place.text).split()):
        found = corpus.inside.get(word, [])
        if len(found) < len(corpus.places) / 20:
            weight = math.log(len(corpus.places) / (1 + len(found)))
            weights.update(dict.fromkeys(found, weight))
    best = sorted(weights, key=lambda number: -weights[number] / math.sqrt(len(corpus.places[number].text)))
    return [corpus.places[number] for number in best[: 2 * _CANDIDATES]]


def clause_appended(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """The sentence, and behind it what another page says."""
    known = set(folded(" ".join(place.passage.pieces)).split())
    for _ in range(20):
        other = random.choice(corpus.places)
        clause = lowered(other.text, corpus)
        words = folded(other.text).split()
        is_short = _CLAUSE_WORDS[0] <= len(words) <= _CLAUSE_WORDS[1] and not re.search(r"[?!:]", other.text)
        is_alone = not other.text.startswith(corpus.words.lists["opening_connectives"])
        if (
            clause
            and is_alone
            and is_short
            and other.page is not place.page
            and len(set(words) - known) >= len(words) / 2
        ):
            joint = random.choice(corpus.words.lists["appended_by"])
            return [Claim(f"{without_end(place.text)}{joint}{without_end(clause)}.")]
    return []


def invented(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """The beginning of the sentence and the end of another one of the page, joined at a word that both have."""
    others = [
        other for other in _of_page(place) if abs(other.index - place.index) > 1 or other.passage is not place.passage
    ]
    random.shuffle(others)
    for other in others[:20]:
        for word in sorted(_inner_words(place.text) & _inner_words(other.text)):
            head, tail = _parted(place.text, word), _parted(other.text, word)
            claim = Claim(" ".join(f"{head[0]} {word} {tail[1]}".split())) if head and tail else None
            if claim and folded(claim.text) not in folded(place.text):
                return [claim]
    return []


def _of_page(place: Place) -> list[Place]:
    return [
        Place(place.page, passage, index)
        for passage in place.page.passages
        for index, unit in enumerate(passage.units)
        if not unit.is_code and says_something(unit.text) and is_plain(unit.text)
    ]


def _inner_words(text: str) -> set[str]:
    return {word for word in WORD.findall(text)[2:-2] if word.islower()}


def _parted(text: str, word: str) -> tuple[str, str] | None:
    """Return what stands before and behind the first such word; None where one of them is too short."""
    match = re.search(rf"(?<![\w'’-]){re.escape(word)}(?![\w'’-])", text)
    if not match:
        return None
    parts = text[: match.start()], text[match.end() :]
    is_balanced = min(map(len, parts)) >= _MIN_PART * len(text)
    return parts if is_balanced and min(len(WORD.findall(part)) for part in parts) >= 3 else None
