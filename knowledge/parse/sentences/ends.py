"""Whether a sentence ends at a mark such as a full stop: rules, and sentencex where they leave it open.

sentencex knows the abbreviations of some 300 languages. It is asked about short words of a language that
`abbreviations` has no list of; small letters, quotes, brackets and initials, where it errs, are judged here.
"""

import re
from dataclasses import dataclass

from sentencex import segment

from knowledge.parse.sentences.abbreviations import BEFORE_NAMES, MAYBE_LAST, NEVER_LAST, NUMBERED, STARTERS, UNITS

# So much is read before and behind a mark.
_BEFORE_CHARACTERS, _BEHIND_CHARACTERS = 32, 40
# A longer word is no abbreviation, unless it is a known one.
_LONGEST_ABBREVIATION = 4
# The longest that is taken for one where a small letter follows it; in Cyrillic they end in a consonant.
_LONGEST_CYRILLIC_ABBREVIATION = 5
_CYRILLIC_CONSONANTS = frozenset("бвгґджзйклмнпрстфхцчшщ")
_LAST_WORDS = re.compile(r"(?:[^\W_]+\.[ \u00a0]?){0,2}[^\W_]+$")
_NUMBER_BEFORE = re.compile(r"(?:[0-9]\s?|/|\b[IVXLCХІ]+\s)$")
_NEXT = re.compile(r"[\s\"'«»“”„‘’‚‹›(\[{¿¡*_~—–-]*+(?P<word>\w*+)(?P<dot>\.?)")
_ENUMERATION = re.compile(r"\s*+\(?(?:\d{1,3}(?:\.\d{1,3})*+|[^\W\d_])")
_EMPHASIS = "*_~"
_HALF_PAIR = re.compile("[\ud800-\udfff]")
# Languages whose abbreviations we list ourselves.
_LISTED = frozenset({"en", "es", "ru", "uk"})
# Languages that write "3." for "third".
_DOTTED_ORDINALS = frozenset({"cs", "da", "de", "et", "fi", "hr", "hu", "is", "lv", "nb", "nn", "no", "sk", "sl", "sr"})


@dataclass(frozen=True, slots=True)
class Mark:
    """What may end the sentence that begins at `sentence`, in the line or list item that begins at `line`.

    The mark stands from `start` to `end`, and what closes quotes and brackets behind it up to `stop`; `limit` ends the
    line or item.
    """

    text: str
    language: str
    line: int
    sentence: int
    start: int
    end: int
    stop: int
    limit: int


@dataclass(frozen=True, slots=True)
class _Next:
    """The first word behind a mark, "" where none is near; `is_all`: nothing follows it."""

    word: str
    is_initial: bool
    is_all: bool

    @property
    def is_small(self) -> bool:
        return self.word[:1].islower()

    @property
    def is_capital(self) -> bool:
        return not self.is_small and not self.word[:1].isnumeric()

    @property
    def is_starter(self) -> bool:
        return not self.word or (self.is_capital and not self.is_initial and self.word.lower() in STARTERS)


def ends_sentence(mark: Mark) -> bool:
    """Tell whether a sentence ends at a mark that white space follows."""
    found = _NEXT.match(mark.text, mark.stop, mark.stop + _BEHIND_CHARACTERS)
    word, dot = found.groups() if found else ("", "")
    is_all = found is not None and not dot and found.end() == mark.limit
    following = _Next(word, is_initial=len(word) == 1 and bool(dot), is_all=is_all)
    is_closing = bool(mark.text[mark.end : mark.stop].strip(_EMPHASIS))
    sign = mark.text[mark.start : mark.end]
    if sign.strip("."):
        return _ends_at_call(mark, sign, following, is_closing=is_closing)
    if is_closing or len(sign) > 1:
        return following.is_capital
    return _ends_at_full_stop(mark, following)


def _ends_at_call(mark: Mark, sign: str, following: _Next, *, is_closing: bool) -> bool:
    """Judge a question, a call or an ellipsis: a small letter goes on, unless it begins a name such as "npm"."""
    if not following.is_small:
        return following.is_capital or sign[0] != "…"
    is_interrupted = mark.text[mark.stop : mark.stop + 2].strip() in ("—", "–", "-")
    if is_closing or is_interrupted or sign[0] == "…":
        return False
    # A name that ends in a call, such as "Yahoo!", has a capital letter.
    last = _LAST_WORDS.search(_before(mark))
    return last is not None and (sign[0] != "!" or last[0][0].islower())


def _before(mark: Mark) -> str:
    return mark.text[max(mark.sentence, mark.start - _BEFORE_CHARACTERS) : mark.start]


def _ends_at_full_stop(mark: Mark, following: _Next) -> bool:
    before = _before(mark)
    if mark.sentence == mark.line and _ENUMERATION.fullmatch(mark.text, mark.line, mark.start):
        return False
    found = _LAST_WORDS.search(before)
    if found is None:
        return following.is_capital
    parts = re.split(r"\.[ \u00a0]?", found[0])
    has_number = len(parts) == 1 and bool(_NUMBER_BEFORE.search(before, 0, found.start()))
    verdict = _verdict(parts, following, has_number=has_number)
    if verdict is None:
        verdict = _verdict_on_length(parts[-1], mark.language, following)
    return _ends_by_library(mark) if verdict is None else verdict


def _verdict(parts: list[str], following: _Next, *, has_number: bool) -> bool | None:
    """Return whether a sentence ends behind its last words, None where they are no known abbreviation or initial."""
    known = _known(parts)
    # One word that no mark ends is hardly a sentence.
    may_begin_sentence = following.is_capital and not following.is_all
    if known in UNITS and has_number:
        return may_begin_sentence
    if known in NEVER_LAST or (known in NUMBERED and not following.is_small and not following.is_capital):
        return False
    if known in MAYBE_LAST:
        return may_begin_sentence
    last = parts[-1]
    is_plural_name = len(last) == 2 and last[0] == last[1] and last.isupper()
    if is_plural_name or last.lower() in BEFORE_NAMES or (len(last) == 1 and last.isalpha()):
        return following.is_starter
    return None


def _known(parts: list[str]) -> str | None:
    """Return the longest known abbreviation that the words end with."""
    for first in range(len(parts)):
        words = ".".join(parts[first:]).lower()
        if words in NEVER_LAST or words in MAYBE_LAST or words in NUMBERED or words in UNITS:
            return words
    return None


def _verdict_on_length(last: str, language: str, following: _Next) -> bool | None:
    if last.isdecimal():
        return True if following.is_capital and language not in _DOTTED_ORDINALS else None
    if following.is_small and last[-1].lower() in _CYRILLIC_CONSONANTS and not following.word.isascii():
        return len(last) > _LONGEST_CYRILLIC_ABBREVIATION
    is_listed = following.is_capital and language in _LISTED
    return True if is_listed or len(last) > _LONGEST_ABBREVIATION else None


# Where sentencex is asked, it reads so much around the mark.
_ASKED_BEFORE, _ASKED_BEHIND = 200, 100


def _ends_by_library(mark: Mark) -> bool:
    """Ask sentencex about the sentence so far and what follows it."""
    first = max(mark.sentence, mark.start - _ASKED_BEFORE)
    window = _HALF_PAIR.sub("\ufffd", mark.text[first : mark.stop + _ASKED_BEHIND])
    position = 0
    for sentence in segment(mark.language, window):
        position = window.index(sentence, position) + len(sentence)
        if first + len(window[:position].rstrip()) in range(mark.end, mark.stop + 1):
            return True
        if first + position > mark.stop:
            break
    return False
