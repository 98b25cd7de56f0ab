"""What the sources do not say: how a model tells it, and how much of its telling may be repeated."""

import re
import tomllib
from functools import cache
from importlib import resources

from bot.core.inert import inert
from knowledge.terms import question_terms

MAX_PART_CHARACTERS = 160
_WORD = re.compile(r"[^\W_]+")
# Shorter words of an alphabet carry no claim; with a digit in it, or in Chinese, any does.
_LETTERS_OF_A_CLAIM = 4


def is_absence(text: str, language: str) -> bool:
    """Tell whether an uncited sentence says that the documents do not hold the answer; it is never shown itself."""
    folded = " ".join(text.casefold().split())
    return any(pattern.search(folded) for pattern in _patterns(language))


def missing_part(part: str, question: str, language: str) -> str:
    """Return which part of the question stays open, as far as it is told in the question's own words; else "".

    Whatever else a model writes there is a statement without a source.
    """
    shown = inert(part, cited=(), hosts=())
    asked = set(question_terms(question, language))
    words = [word for word in _WORD.findall(shown) if _may_claim(word)]
    is_in_its_words = bool(words) and all(asked.issuperset(question_terms(word, language)) for word in words)
    return shown if is_in_its_words and len(shown) <= MAX_PART_CHARACTERS else ""


def _may_claim(word: str) -> bool:
    is_alphabetic = word.isalpha() and word.lower() != word.upper()
    return not is_alphabetic or len(word) >= _LETTERS_OF_A_CLAIM


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], ...]:
    table = tomllib.loads((resources.files("bot.core") / "absence.toml").read_text(encoding="utf-8"))
    return tuple(re.compile(pattern) for pattern in table.get(language, table["en"]))
