"""A text as the checks read it: content words with their weight, and the small words that change what is said."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bot.core.verify.facts.lists import words_of
from bot.core.verify.polarity.lists import Phrase, WordList, word_list
from bot.core.verify.polarity.weights import weight_of
from knowledge.terms import index_terms

# What a kind of phrase says, by category; `unless` says two things.
MEANINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "not": (("negation", "not"),),
    "instead": (("negation", "not"), ("soft", "not")),
    "concord": (("negation", "not"), ("concord", "not")),
    "only": (("only", "only"),),
    "just": (("just", "just"),),
    "except": (("except", "except"),),
    "must": (("modality", "must"),),
    "should": (("modality", "should"),),
    "may": (("modality", "may"),),
    "can": (("modality", "can"),),
    "need": (("modality", "must"),),
    "forbidden": (("modality", "must not"), ("denial", "not")),
    "unneeded": (("modality", "need not"), ("denial", "not")),
    "optional": (("modality", "need not"),),
    "always": (("frequency", "always"),),
    "usually": (("frequency", "usually"),),
    "sometimes": (("frequency", "sometimes"),),
    "upper": (("limit", "at most"),),
    "lower": (("limit", "at least"),),
    "before": (("order", "before"),),
    "after": (("order", "after"),),
    "if": (("condition", "if"),),
    "unless": (("condition", "if"), ("negation", "not")),
    "until": (("condition", "until"), ("order", "before")),
    "all": (("quantity", "all"),),
    "most": (("quantity", "most"),),
    "some": (("quantity", "some"),),
    "almost": (("degree", "almost"),),
    "exactly": (("degree", "exactly"),),
    "same": (("identity", "same"),),
    "other": (("identity", "other"),),
    "formerly": (("tense", "past"),),
    "nothing": (),
}
# Two negations this near each other are one in languages that double them ("никто не", "no ... nunca").
CONCORD_TOKENS = 6
# So near before "needed" a "no" takes the need away: "no payment card is needed".
NO_NEED_TOKENS = 5
# How far a small word reaches for the content word that it changes.
REACH_TOKENS = 8
REMEMBERED_CHARACTERS = 2_000
SENTENCE = 2
PIECE = 3
# What the letter of "Plan A" weighs, which is otherwise an article.
LETTER_WEIGHT = 1.0
_TOKEN = re.compile(
    r"(?P<number>\d{1,3}(?:[  \u202f]\d{3})+(?![\w])|\d+(?:[.,:’']\d+)*)"
    r"|(?P<word>\w+(?:['’ʼ]\w+)*)"
    r"|(?P<end>[.!?;…。！？]|\n)"
    r"|(?P<open>[(\[])|(?P<close>[)\]])"
    r"|(?P<pause>[,:，、：|]|\s[-–—]+\s)"
)
_CJK = re.compile(r"[々぀-ヿ㐀-䶿一-鿿가-힯]")
_VARIANTS = str.maketrans({"ё": "е", "’": "'", "ʼ": "'"} | dict.fromkeys("\u00ad\u200b\u200d\u2060\ufeff\u0301"))


@dataclass(frozen=True, slots=True)
class Token:
    """A word or number; `pause` before it: 0, 1 within a sentence, SENTENCE or PIECE; `weight` 0 for a small word."""

    word: str
    stem: int | str
    weight: float
    pause: int
    is_aside: bool
    is_number: bool
    is_name: bool
    is_unit: bool


@dataclass(frozen=True, slots=True)
class Cue:
    """A small word at `start`, and the content words next to it, the one that it most likely changes first."""

    category: str
    value: str
    start: int
    anchors: tuple[int, ...]
    is_aside: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """The tokens of a text, the indexes of its content words, and its cues."""

    tokens: tuple[Token, ...]
    content: tuple[int, ...]
    cues: tuple[Cue, ...]


def read(text: str, language: str) -> Reading:
    """Return how a text reads in its language; short texts are remembered, since each is compared many times."""
    return _remembered(text, language) if len(text) <= REMEMBERED_CHARACTERS else _read(text, language)


@lru_cache(maxsize=2_000)
def _remembered(text: str, language: str) -> Reading:
    return _read(text, language)


def _read(text: str, language: str) -> Reading:
    words = word_list(language)
    raw = _raw_tokens(text, words)
    cardinals = words_of(language).cardinals
    phrases = _phrases_in([cardinals.get(word) or word for word, *_ in raw], words)
    small = {index for start, phrase in phrases for index in range(start, start + phrase.length)}
    tokens = tuple(
        token
        for index, part in enumerate(raw)
        for token in [_token(part, language, is_small=index in small or _is_function(part, words))]
    )
    content = tuple(index for index, token in enumerate(tokens) if token.weight > 0)
    return Reading(tokens, content, tuple(_cues(phrases, tokens)))


def _raw_tokens(text: str, words: WordList) -> list[tuple[str, int, bool, str]]:
    """Return (folded word, pause before, inside brackets, as written) of each word."""
    plain = unicodedata.normalize("NFC", text).translate(_VARIANTS)
    for old, new in words.rewrite:
        plain = re.sub(re.escape(old) + r"\b", new, plain, flags=re.IGNORECASE)
    found: list[tuple[str, int, bool, str]] = []
    pause, depth = PIECE, 0
    for match in _TOKEN.finditer(plain):
        kind, written = match.lastgroup, match.group()
        if kind in ("number", "word"):
            for part in _parts(written, is_number=kind == "number"):
                found.append((part, pause, depth > 0, written))
                pause = 0
            continue
        depth = max(0, depth + (kind == "open") - (kind == "close"))
        pause = max(pause, _pause(plain, match))
    return found


def _pause(text: str, match: re.Match[str]) -> int:
    """Return how far a mark parts two words; not the point of "example.com", nor the end of a line behind a colon."""
    written = match.group()
    if written == "\n":
        return 1 if text[match.start() - 1 : match.start()] == ":" else PIECE
    is_inner = written == "." and match.end() < len(text) and not text[match.end()].isspace()
    return SENTENCE if match.lastgroup == "end" and not is_inner else 1


def _parts(written: str, *, is_number: bool) -> list[str]:
    """Return a number as its digits, a word in lower case, a run of Chinese or Japanese as pairs of characters."""
    if is_number:
        return ["".join(character for character in written if character.isdigit())]
    if len(written) > 2 and _CJK.search(written):
        return [written[start : start + 2] for start in range(len(written) - 1)]
    return [written.casefold()]


def _phrases_in(words: list[str], lists: WordList) -> list[tuple[int, Phrase]]:
    found: list[tuple[int, Phrase]] = []
    position = 0
    while position < len(words):
        phrase = lists.phrase_at(words, position)
        if phrase:
            found.append((position, phrase))
        position += phrase.length if phrase else 1
    return found


def _is_function(part: tuple[str, int, bool, str], words: WordList) -> bool:
    """Tell whether a word carries no content; the letter of "Plan A" does."""
    word, pause, _, written = part
    return word in words.function and not _is_letter(written, pause)


def _token(part: tuple[str, int, bool, str], language: str, *, is_small: bool) -> Token:
    word, pause, is_aside, written = part
    numeral = None if is_small and not written[0].isdigit() else _numeral(word, language)
    is_name = numeral is None and not is_small and _is_name(written, pause)
    if is_small and numeral is None:
        weight = 0.0
    else:
        weight = LETTER_WEIGHT if _is_letter(written, pause) else weight_of(numeral or word, language)
    is_unit = word in words_of(language).units
    stem = numeral or stem_of(word, language)
    return Token(word, stem, weight, pause, is_aside, numeral is not None, is_name, is_unit)


def _is_name(written: str, pause: int) -> bool:
    """Tell whether a word is written as a name: with a capital inside of a sentence, or several in any place."""
    return written[0].isupper() and (pause == 0 or any(map(str.isupper, written[1:])))


def _is_letter(written: str, pause: int) -> bool:
    """Tell whether this is the letter of "Plan A"."""
    return len(written) == 1 and written.isupper() and pause == 0 and written != "I"


@lru_cache(maxsize=50_000)
def _numeral(word: str, language: str) -> str | None:
    """Return the number that a word is, in digits, or the month of a date; None for other words."""
    if any(character.isdigit() for character in word):
        return word.lstrip("0") or "0"
    words = words_of(language)
    month = words.months.get(word) or words.short_months.get(word)
    return words.cardinals.get(word) or words.ordinals.get(word) or month


@lru_cache(maxsize=50_000)
def stem_of(word: str, language: str) -> int | str:
    """Return the stem of one word, the same for its forms and its listed synonyms."""
    return word_list(language).synonym_of(word) or next(iter(index_terms(word, language)), 0)


def _cues(phrases: list[tuple[int, Phrase]], tokens: tuple[Token, ...]) -> Iterator[Cue]:
    for start, length, kind in _settled(phrases, tokens):
        anchors = _anchors(tokens, start, start + length)
        for category, value in MEANINGS[kind]:
            yield Cue(category, value, start, anchors, tokens[start].is_aside)


def _settled(phrases: list[tuple[int, Phrase]], tokens: tuple[Token, ...]) -> list[tuple[int, int, str]]:
    """Return (start, length, kind) of each phrase, with double negations as one and "no ... needed" as no need."""
    found: list[tuple[int, int, str]] = []
    last, last_kind, last_place = -len(tokens) - CONCORD_TOKENS, "", 0
    for start, phrase in phrases:
        kind, distance = phrase.kind, start - last
        is_needless = kind == "need" and last_kind == "not" and distance <= NO_NEED_TOKENS
        if is_needless and not _is_cut(tokens, last, start):
            found[last_place], last_kind = (start, phrase.length, "unneeded"), ""
            continue
        if kind in _NEGATIONS:
            is_doubled = "concord" in (kind, last_kind) and distance <= CONCORD_TOKENS and kind not in _NEVER_DOUBLED
            last, last_kind = start, kind
            if is_doubled:
                continue
            last_place = len(found)
        found.append((start, phrase.length, kind))
    return found


_NEGATIONS = ("not", "concord", "forbidden", "unneeded")
_NEVER_DOUBLED = ("forbidden", "unneeded")


def _is_cut(tokens: tuple[Token, ...], start: int, end: int) -> bool:
    return any(token.pause for token in tokens[start + 1 : end + 1])


def _anchors(tokens: tuple[Token, ...], start: int, end: int) -> tuple[int, ...]:
    """Return the next two content words and the last one of the same sentence; the last one first after a pause."""
    after: list[int] = []
    for index in range(end, min(len(tokens), end + REACH_TOKENS)):
        if tokens[index].pause >= SENTENCE or len(after) == 2:
            break
        after += [index] if tokens[index].weight else []
    before: list[int] = []
    for index in range(start, max(0, start - REACH_TOKENS), -1):
        if tokens[index].pause >= SENTENCE or before:
            break
        before += [index - 1] if tokens[index - 1].weight else []
    is_cut_off = any(tokens[index].pause for index in range(end, after[0] + 1)) if after else True
    return tuple(before + after if is_cut_off else after + before)
