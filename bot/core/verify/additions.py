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
from bot.core.verify.scripts import UNSPACED
from knowledge.background import background_texts
from knowledge.embed import Vectors

# Two of 1,200 translations were more times as long as the two languages need for the same; of short ones more are,
# which by so many characters have no room for another clause.
LONGEST, ROOM_CHARACTERS = 1.6, 25
# Parts of a text: its clauses, and so many of its first and last words, half of all at most.
EDGES_WORDS = (3, 6, 12)
FEWEST_WORDS = 3
# And windows that overlap, for what is put in without a mark, and since a translation has its words in another order.
WINDOW_WORDS, STEP_WORDS = 6, 3
# Of so many parts, those that are least borne out, it is tried how near the sentence is without them.
DOUBTFUL_PARTS = 2
# A part of a few words, a longer one, and a window inside is borne out from these margins on, and as much more as the
# share of what the rest of the sentence gains without it.
FEW_BORNE_OUT_FROM, BORNE_OUT_FROM, INNER_BORNE_OUT_FROM = 0.025, 0.035, 0.025
FEW_WORDS = 4
GAIN_SHARE = 1.3
# A part that is not borne out gets a second look, at what begins and ends up to so many words off the part of the
# piece that is nearest.
SECOND_LOOK_WORDS = 2
# The nearness of one to three words tells little: it is weighed against a larger share of what the rest gains.
ENDS_WORDS, END_GAIN_SHARE, END_BORNE_OUT_FROM = (1, 2, 3), 2.0, -0.003
BEGINNINGS_WORDS, MOST_GAIN_WITHOUT_BEGINNING = (1,), 0.025
# What a translator puts in brackets repeats a word of the piece, or stands between other marks there.
ASIDE_WORDS, ASIDE_BORNE_OUT_FROM = (1, 2, 3), 0.065

# A word, or a letter of a script that has no blanks between words.
_WORD = re.compile(rf"[{UNSPACED}]|[^\s{UNSPACED}]+")
_ENDS_CLAUSE = re.compile(r"[,;:.!?)»—–،؛。、，；：！？]$")
_OPENS_CLAUSE = re.compile(r"^[(«—–]")
_SENTENCE = re.compile(r"[.!?…]\s+(\w)")
_STOP = re.compile(r"[.!?…:;]\s+\w")
_ASIDE = re.compile(r"[(—–«\"“]|\s-\s")
_BRACKETS = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)?")
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
    if is_longer(sentence, piece) or has_more_marks(sentence.text, piece.text):
        return sentence.text
    ours, theirs = _Words(sentence), _Words(piece)
    aside = await _added_aside(ours, theirs, margins) if has_more_brackets(sentence.text, piece.text) else None
    return await _added_words(ours, theirs, margins) if aside is None and ours.count > FEWEST_WORDS else aside


async def _added_aside(ours: "_Words", theirs: "_Words", margins: Margins) -> str | None:
    """Return what stands in brackets and is near no part of the piece."""
    asides = [match for match in _BRACKETS.finditer(ours.text) if match[1].strip()]
    rests = [f"{ours.text[: match.start()].rstrip()}{ours.text[match.end() :]}" for match in asides]
    windows = sorted(theirs.parts() | theirs.windows() | theirs.runs(ASIDE_WORDS))
    near = await margins([ours.text, *rests, *(match[1] for match in asides)], [theirs.text, *map(theirs.cut, windows)])
    for place, match in enumerate(asides, start=1):
        gain = float(near[place, 0] - near[0, 0])
        if float(near[place + len(asides)].max()) - ASIDE_BORNE_OUT_FROM < GAIN_SHARE * gain:
            return match[1]
    return None


async def _added_words(ours: "_Words", theirs: "_Words", margins: Margins) -> str | None:
    parts = ours.parts()
    limits = dict.fromkeys(ours.inner_windows(), INNER_BORNE_OUT_FROM) | {span: _limit(span) for span in parts}
    near, whole = await _nearest(ours, sorted(limits.keys() | set(ours.ends())), theirs, margins)
    over = {span: near[span].margin - limit for span, limit in limits.items()}
    doubtful = [*_least(over, parts), *_least(over, limits)]
    tried = [*doubtful, *ours.ends(), *ours.beginnings()]
    rests = await margins([ours.without(span) for span in tried], [theirs.text])
    gains = dict(zip(tried, map(float, rests[:, 0] - whole), strict=True))
    for span in doubtful:
        least = limits[span] + GAIN_SHARE * gains[span]
        if near[span].margin < least and await _second_look(ours, near[span], theirs, margins) < least:
            return ours.cut(span)
    added = [span for span in ours.ends() if near[span].margin - END_BORNE_OUT_FROM < END_GAIN_SHARE * gains[span]]
    added += [span for span in ours.beginnings() if gains[span] > MOST_GAIN_WITHOUT_BEGINNING]
    return ours.cut(added[0]) if added else None


def _limit(span: Span) -> float:
    return FEW_BORNE_OUT_FROM if span[1] - span[0] <= FEW_WORDS else BORNE_OUT_FROM


async def _nearest(
    ours: "_Words", spans: Sequence[Span], theirs: "_Words", margins: Margins
) -> tuple[dict[Span, "_Nearest"], float]:
    """Return the part of the piece that is nearest to each part, and how near the whole sentence is to the piece."""
    windows = [theirs.whole, *sorted(theirs.parts() | theirs.windows())]
    near = await margins([ours.text, *map(ours.cut, spans)], list(map(theirs.cut, windows)))
    found = [
        _Nearest(span, windows[int(row.argmax())], float(row.max())) for span, row in zip(spans, near[1:], strict=True)
    ]
    return {nearest.span: nearest for nearest in found}, float(near[0, 0])


async def _second_look(ours: "_Words", nearest: "_Nearest", theirs: "_Words", margins: Margins) -> float:
    """Return how near a part is to what lies around the part of the piece that is nearest to it."""
    windows = theirs.around(nearest.window)
    if not windows:
        return nearest.margin
    near = await margins([ours.cut(nearest.span)], list(map(theirs.cut, windows)))
    return float(near.max())


def _least(over: Mapping[Span, float], spans: Iterable[Span]) -> list[Span]:
    return sorted(spans, key=lambda span: (over[span], span))[:DOUBTFUL_PARTS]


def has_more_marks(text: str, piece: str) -> bool:
    """Tell whether a text has more sentences or labels ("DECISION:") than a piece has a reason for."""
    begun = sum(letter.isupper() for letter in _SENTENCE.findall(text))
    return begun > len(_STOP.findall(piece)) or (_has_label(text) and not _has_label(piece))


def has_more_brackets(text: str, piece: str) -> bool:
    """Tell whether a text has more brackets than a piece has asides, of whatever marks."""
    return text.count("(") > len(_ASIDE.findall(piece))


def _has_label(text: str) -> bool:
    return any(word.isupper() for word in _LABEL.findall(text))


def is_longer(sentence: Worded, piece: Worded) -> bool:
    """Tell whether a sentence is longer than a translation of the piece ever is."""
    usual = len(piece.text) * _length(sentence.language) / _length(piece.language)
    return len(sentence.text) > max(LONGEST * usual, usual + ROOM_CHARACTERS)


@cache
def _length(language: str) -> int:
    """Return how many characters a language needs for the topics of the background."""
    texts = background_texts()
    return sum(map(len, texts.get(language) or texts["en"]))


@dataclass(frozen=True, slots=True)
class _Nearest:
    """A part of a sentence, the part of the piece that is nearest to it, and their margin."""

    span: Span
    window: Span
    margin: float


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

    @property
    def whole(self) -> Span:
        """All words."""
        return 0, self.count

    def cut(self, span: Span) -> str:
        """Return a part as it stands."""
        return self.text[self._found[span[0]].start() : self._found[span[1] - 1].end()]

    def without(self, span: Span) -> str:
        """Return the text without a part."""
        before, behind = self.text[: self._found[span[0]].start()], self.text[self._found[span[1] - 1].end() :]
        return f"{before.rstrip()} {behind.lstrip()}".strip()

    def parts(self) -> set[Span]:
        """Return the clauses, and some of the first and last words."""
        return self._edges() | self._clauses()

    def _edges(self) -> set[Span]:
        """Return some of the first and last words."""
        sizes = [size for size in EDGES_WORDS if size <= self.count / 2]
        return {(0, size) for size in sizes} | {(self.count - size, self.count) for size in sizes}

    def _clauses(self) -> set[Span]:
        """Return what stands between two marks or words that part clauses; never the whole text."""
        borders = [0, *(index for index in range(1, self.count) if self._is_border(index)), self.count]
        return {span for span in pairwise(borders) if FEWEST_WORDS <= span[1] - span[0] < self.count}

    def ends(self) -> list[Span]:
        """Return the very last words."""
        return [(self.count - size, self.count) for size in ENDS_WORDS if self.count - size >= FEWEST_WORDS]

    def beginnings(self) -> list[Span]:
        """Return the very first words."""
        return [(0, size) for size in BEGINNINGS_WORDS if self.count - size >= FEWEST_WORDS]

    def runs(self, sizes: Iterable[int]) -> set[Span]:
        """Return all runs of so many words."""
        return {(start, start + size) for size in sizes for start in range(self.count - size + 1)}

    def around(self, span: Span) -> list[Span]:
        """Return what begins and ends a few words off a part."""
        off = range(-SECOND_LOOK_WORDS, SECOND_LOOK_WORDS + 1)
        ranges = {(span[0] + begin, span[1] + end) for begin in off for end in off}
        return sorted(one for one in ranges - {span} if 0 <= one[0] < one[1] <= self.count)

    def windows(self) -> set[Span]:
        """Return windows that overlap."""
        last = self.count - WINDOW_WORDS
        return {(start, start + WINDOW_WORDS) for start in range(0, last + 1, STEP_WORDS)}

    def inner_windows(self) -> set[Span]:
        """Return the windows that neither begin nor end the text, and are no clause."""
        inner = {span for span in self.windows() if span[0] > 0 and span[1] < self.count}
        return inner - self._clauses()

    def _is_border(self, index: int) -> bool:
        before, word = self._found[index - 1].group(), self._found[index].group()
        opens = _OPENS_CLAUSE.search(word) or word.strip(",.").casefold() in self._openers
        return bool(opens or _ENDS_CLAUSE.search(before))
