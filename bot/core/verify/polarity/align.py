"""Which word of a passage a word of a sentence stands for: the same stem, in the most similar surroundings."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.verify.polarity.reading import Reading, Token

# How many places of one word are weighed against each other, and how many content words make its surroundings.
MAX_PLACES = 12
SURROUNDINGS = 3
# How many words are compared with a pattern.
MOST_LIKE = 200
# How many content words apart two words still stand beside each other.
BESIDE = 2
# Forms of a word that the stemmer keeps apart share this many letters, and this much of the longer one.
_SHARED_LETTERS = 4
_SHARED_SHARE = 0.7
_SHARED_BY_VERBS = 0.5
_PERFECTIVE = ("за", "про", "по", "при", "с", "з", "на", "у", "о", "об")


@dataclass(frozen=True, slots=True)
class Alignment:
    """Indexes of the sentence's content words → those of the passage's, and back."""

    there: dict[int, int]
    back: dict[int, int]


class Places:
    """Where each word of a text stands."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._by_stem: dict[int | str, list[int]] = {}
        self._by_letters: dict[str, list[int]] = {}
        for index in reading.content:
            token = reading.tokens[index]
            self._by_stem.setdefault(token.stem, []).append(index)
            self._by_letters.setdefault(token.word[:_SHARED_LETTERS], []).append(index)
        self.ranks = {index: rank for rank, index in enumerate(reading.content)}

    def of(self, token: Token) -> list[int]:
        """Return where a word or another form of it stands."""
        same = self._by_stem.get(token.stem)
        if same or token.is_number:
            return (same or [])[:MAX_PLACES]
        alike = self._by_letters.get(token.word[:_SHARED_LETTERS], ())
        return [index for index in alike[:MAX_PLACES] if is_form(self.reading.tokens[index].word, token.word)]

    def like(self, pattern: str) -> list[int]:
        """Return where words stand that a pattern of at least so many letters describes."""
        letters = pattern.rstrip("*")
        if len(letters) < _SHARED_LETTERS and pattern.endswith("*"):
            near: Sequence[int] = self.reading.content[:MOST_LIKE]
        else:
            near = self._by_letters.get(letters[:_SHARED_LETTERS], ())[:MOST_LIKE]
        words = self.reading.tokens
        is_beginning = pattern.endswith("*")
        return [i for i in near if words[i].word == letters or (is_beginning and words[i].word.startswith(letters))]

    def surroundings(self, index: int) -> set[int | str]:
        """Return the stems of the content words around one."""
        rank = self.ranks[index]
        near = self.reading.content[max(0, rank - SURROUNDINGS) : rank + SURROUNDINGS + 1]
        return {self.reading.tokens[other].stem for other in near if other != index}


def align(sentence: Places, passage: Places) -> Alignment:
    """Return the best place of each content word of a sentence in a passage; two words share none if they need not."""
    there: dict[int, int] = {}
    back: dict[int, int] = {}
    previous = -1
    for index in sentence.reading.content:
        places = passage.of(sentence.reading.tokens[index])
        if not places:
            continue
        if len(places) > 1:
            around = sentence.surroundings(index)
            places = sorted(
                places,
                key=lambda place: (
                    place in back,
                    -len(around & passage.surroundings(place)),
                    abs(place - previous - 1),
                ),
            )
        previous = there[index] = places[0]
        back.setdefault(places[0], index)
    return Alignment(there, back)


def words_in_place(sentence: Places, passage: Places, alignment: Alignment) -> frozenset[int]:
    """Return which content words of the sentence stand in the passage near one of their own neighbours."""
    content = sentence.reading.content
    ranks = [passage.ranks[place] if (place := alignment.there.get(index)) is not None else None for index in content]
    return frozenset(
        index
        for index, rank, before, after in zip(content, ranks, [None, *ranks], [*ranks[1:], None], strict=False)
        if rank is not None and any(other is not None and abs(other - rank) <= BESIDE for other in (before, after))
    )


def resembles(one: str, other: str) -> bool:
    """Tell whether two words may be forms of one verb: in another tense or aspect they share less."""
    if is_form(one, other):
        return True
    return any(_share_beginning(a, b, _SHARED_BY_VERBS) for a in _without_prefix(one) for b in _without_prefix(other))


def _without_prefix(word: str) -> tuple[str, ...]:
    """Return a word, and what is left of it without the prefix that makes a Slavic verb perfective."""
    rests = [word.removeprefix(prefix) for prefix in _PERFECTIVE if word.startswith(prefix)]
    return (word, *(rest for rest in rests if len(rest) >= _SHARED_LETTERS))


def is_form(one: str, other: str) -> bool:
    """Tell whether two words look like forms of one."""
    if any(character.isdigit() for character in one + other):
        return False
    return _share_beginning(one, other, _SHARED_SHARE)


def _share_beginning(one: str, other: str, share: float) -> bool:
    """Tell whether two words begin with the same letters: enough of them, and so large a share of the longer word."""
    shared = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= max(_SHARED_LETTERS, share * max(len(one), len(other)))
