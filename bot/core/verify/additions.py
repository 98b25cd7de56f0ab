"""What a sentence says beyond the piece in another language that it cites.

The vector of a sentence hardly moves when a clause is added to it, so that the whole stays near the piece. The clause
alone is near no part of the piece, and the rest of the sentence is as near to the piece as the whole, or nearer.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from bot.core.verify.polarity.lists import word_list
from knowledge.background import background_texts
from knowledge.embed import Vectors

# Two of 1,200 translations were more times as long as the two languages need for the same.
LONGEST = 1.6
# Parts of a text: its clauses, and so many of its first and last words, half of all at most.
EDGES_WORDS = (3, 6, 12)
FEWEST_WORDS = 3
# And windows that overlap, for what is put in without a mark, and since a translation has its words in another order.
WINDOW_WORDS, STEP_WORDS = 6, 3
# Of so many parts, those that are least borne out, it is tried how near the sentence is without them.
DOUBTFUL_PARTS = 2
# A part of a few words, a longer one, and a window inside is borne out from these margins on, and as much more as the
# share of what the rest of the sentence gains without it.
FEW_BORNE_OUT_FROM, BORNE_OUT_FROM, INNER_BORNE_OUT_FROM = 0.015, 0.03, 0.015
FEW_WORDS = 4
GAIN_SHARE = 1.3
# One to three words have no nearness of their own that tells: what the rest gains without them, at most.
ENDS_WORDS, MOST_GAIN_WITHOUT_END = (1, 2, 3), 0.015
BEGINNINGS_WORDS, MOST_GAIN_WITHOUT_BEGINNING = (1,), 0.02

# A word, or a letter of a script that has no blanks between words.
_WORD = re.compile(
    r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]|[^\s\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]+"
)
_ENDS_CLAUSE = re.compile(r"[,;:.!?)»—–،؛。、，；：！？]$")
_OPENS_CLAUSE = re.compile(r"^[(«—–]")
_SENTENCE = re.compile(r"[.!?…]\s+(\w)")
_STOP = re.compile(r"[.!?…:;]\s+\w")
_ASIDE = re.compile(r"[(—–«\"“]|\s-\s")
_LABEL = re.compile(r"\b([^\W\d_]{4,}):\s")

# Returns the margin of each of a sentence's parts (rows) and each of a piece's (columns).
Margins = Callable[[Sequence[str], Sequence[str]], Awaitable[Vectors]]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Worded:
    """A text and its language."""

    text: str
    language: str


async def added_part(sentence: Worded, piece: Worded, margins: Margins) -> str | None:
    """Return a part of a sentence that a piece in another language does not bear out; None if there is none."""
    if excess(sentence, piece) > LONGEST or has_more_marks(sentence.text, piece.text):
        return sentence.text
    ours = _Words(sentence)
    if ours.count <= FEWEST_WORDS:
        return None
    limits = dict.fromkeys(ours.inner_windows(), INNER_BORNE_OUT_FROM)
    parts = {span: _limit(span) for span in ours.edges() | ours.clauses()}
    near, whole = await _nearest(ours, sorted(limits | parts), _Words(piece), margins)
    over = {span: near[span] - limit for span, limit in (limits | parts).items()}
    doubtful = [*_least(over, parts), *_least(over, limits)]
    tried = [*doubtful, *ours.ends(), *ours.beginnings()]
    rests = await margins([ours.without(span) for span in tried], [piece.text])
    gains = dict(zip(tried, map(float, rests[:, 0] - whole), strict=True))
    added = [span for span in doubtful if over[span] < GAIN_SHARE * gains[span]]
    added += [span for span in ours.ends() if gains[span] > MOST_GAIN_WITHOUT_END]
    added += [span for span in ours.beginnings() if gains[span] > MOST_GAIN_WITHOUT_BEGINNING]
    return ours.cut(added[0]) if added else None


def _limit(span: Span) -> float:
    return FEW_BORNE_OUT_FROM if span[1] - span[0] <= FEW_WORDS else BORNE_OUT_FROM


async def _nearest(
    ours: "_Words", spans: Sequence[Span], theirs: "_Words", margins: Margins
) -> tuple[dict[Span, float], float]:
    """Return how near each part is to the part of the piece that is nearest, and the whole sentence to the piece."""
    windows = sorted(theirs.edges() | theirs.clauses() | theirs.windows())
    near = await margins([ours.text, *map(ours.cut, spans)], [theirs.text, *map(theirs.cut, windows)])
    return dict(zip(spans, map(float, near[1:].max(axis=1)), strict=True)), float(near[0, 0])


def _least(over: Mapping[Span, float], spans: Iterable[Span]) -> list[Span]:
    return sorted(spans, key=lambda span: (over[span], span))[:DOUBTFUL_PARTS]


def has_more_marks(text: str, piece: str) -> bool:
    """Tell whether a text has more sentences, brackets or labels ("DECISION:") than a piece has a reason for."""
    begun = sum(letter.isupper() for letter in _SENTENCE.findall(text))
    brackets = text.count("(") > len(_ASIDE.findall(piece))
    return begun > len(_STOP.findall(piece)) or brackets or (_has_label(text) and not _has_label(piece))


def _has_label(text: str) -> bool:
    return any(word.isupper() for word in _LABEL.findall(text))


def excess(sentence: Worded, piece: Worded) -> float:
    """Return how many times as long a sentence is as a translation of the piece usually is."""
    usual = len(piece.text) * _length(sentence.language) / _length(piece.language)
    return len(sentence.text) / max(1.0, usual)


@cache
def _length(language: str) -> int:
    """Return how many characters a language needs for the topics of the background."""
    texts = background_texts()
    return sum(map(len, texts.get(language) or texts["en"]))


class _Words:
    """The words of a text, and the parts that they make; a part is a range of words."""

    def __init__(self, worded: Worded) -> None:
        self.text = worded.text
        self._openers = word_list(worded.language).openers
        self._found = list(_WORD.finditer(worded.text))

    @property
    def count(self) -> int:
        """How many words there are."""
        return len(self._found)

    def cut(self, span: Span) -> str:
        """Return a part as it stands."""
        return self.text[self._found[span[0]].start() : self._found[span[1] - 1].end()]

    def without(self, span: Span) -> str:
        """Return the text without a part."""
        before, behind = self.text[: self._found[span[0]].start()], self.text[self._found[span[1] - 1].end() :]
        return f"{before.rstrip()} {behind.lstrip()}".strip()

    def edges(self) -> set[Span]:
        """Return some of the first and last words."""
        sizes = [size for size in EDGES_WORDS if size <= self.count / 2]
        return {(0, size) for size in sizes} | {(self.count - size, self.count) for size in sizes}

    def clauses(self) -> set[Span]:
        """Return what stands between two marks or words that part clauses; never the whole text."""
        borders = [0, *(index for index in range(1, self.count) if self._is_border(index)), self.count]
        return {span for span in pairwise(borders) if FEWEST_WORDS <= span[1] - span[0] < self.count}

    def ends(self) -> list[Span]:
        """Return the very last words."""
        return [(self.count - size, self.count) for size in ENDS_WORDS if self.count - size >= FEWEST_WORDS]

    def beginnings(self) -> list[Span]:
        """Return the very first words."""
        return [(0, size) for size in BEGINNINGS_WORDS if self.count - size >= FEWEST_WORDS]

    def windows(self) -> set[Span]:
        """Return windows that overlap."""
        last = self.count - WINDOW_WORDS
        return {(start, start + WINDOW_WORDS) for start in range(0, last + 1, STEP_WORDS)}

    def inner_windows(self) -> set[Span]:
        """Return the windows that neither begin nor end the text, and are no clause."""
        inner = {span for span in self.windows() if span[0] > 0 and span[1] < self.count}
        return inner - self.clauses()

    def _is_border(self, index: int) -> bool:
        before, word = self._found[index - 1].group(), self._found[index].group()
        opens = _OPENS_CLAUSE.search(word) or word.strip(",.").casefold() in self._openers
        return bool(opens or _ENDS_CLAUSE.search(before))
