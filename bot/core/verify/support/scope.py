"""Which of the cited pieces a sentence stands on: those that hold its words, and no more than it needs."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.verify.polarity.align import Places
from bot.core.verify.polarity.reading import Reading, read
from bot.core.verify.seen import Seen
from bot.core.verify.support.words import found_words

# One sentence of an answer puts together so many pieces at most, and brings so much weight from each further one.
MAX_PIECES = 4
MIN_GAIN = 0.5


@dataclass(frozen=True, slots=True)
class Scope:
    """The pieces that a sentence stands on, in reading order, and the titles and headings above them."""

    pieces: tuple[str, ...]
    above: tuple[str, ...]

    @property
    def text(self) -> str:
        """The pieces as one text."""
        return "\n".join(self.pieces)


def scope_of(sentence: Reading, cited: Sequence[Seen], language: str) -> Scope:
    """Return the cited pieces of one language that hold the sentence's words, and one neighbour at most."""
    above = tuple(dict.fromkeys(line for seen in cited for line in seen.above))
    quoted = [(number, index) for number, seen in enumerate(cited) for index in seen.quoted]
    cover = _Cover(sentence, cited, language)
    if len(quoted) <= MAX_PIECES:
        cover.take(quoted)
    else:
        cover.extend(quoted, limit=MAX_PIECES)
    beside = [(number, index + step) for number, index in cover.chosen for step in (-1, 1)]
    cover.extend([key for key in beside if 0 <= key[1] < len(cited[key[0]].pieces)], limit=len(cover.chosen) + 1)
    return Scope(tuple(cited[number].pieces[index] for number, index in sorted(cover.chosen)), above)


class _Cover:
    """Chooses pieces one by one, each time the one that holds most of what is still missing."""

    def __init__(self, sentence: Reading, cited: Sequence[Seen], language: str) -> None:
        self._sentence = sentence
        self._cited = cited
        self._language = language
        self._found: frozenset[int] = frozenset()
        self.chosen: list[tuple[int, int]] = []

    def take(self, keys: Sequence[tuple[int, int]]) -> None:
        """Choose all of them."""
        for key in dict.fromkeys(keys):
            self._found |= self._finds(key)
            self.chosen.append(key)

    def extend(self, keys: Sequence[tuple[int, int]], *, limit: int) -> None:
        """Choose the most useful of them while they add something."""
        finds = {key: self._finds(key) for key in keys if key not in self.chosen}
        while finds and len(self.chosen) < limit:
            best = max(finds, key=lambda key: self._gain(finds[key]))
            gain = self._gain(finds[best])
            if self.chosen and gain < MIN_GAIN:
                return
            self._found |= finds.pop(best)
            self.chosen.append(best)

    def _finds(self, key: tuple[int, int]) -> frozenset[int]:
        number, index = key
        return found_words(self._sentence, [Places(read(self._cited[number].pieces[index], self._language))])

    def _gain(self, found: frozenset[int]) -> float:
        """Weigh what a piece adds; a number or name alone does not tell that the sentence stands on it."""
        tokens = [self._sentence.tokens[index] for index in found - self._found]
        return sum(token.weight for token in tokens if not self.chosen or not (token.is_number or token.is_name))
