"""What the lexical index knows of a text: stems of words, and codes as they are written.

A term is the 64-bit hash of its stem, so that postings are small and no dictionary has to be kept.
"""

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache
from hashlib import blake2b

import Stemmer

# Part of every passage's recipe: another recipe means that the index must be built again.
RECIPE = "stems-2"
CODE_WEIGHT = 2.0

_STEMMERS = {
    "ar": "arabic",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pt": "portuguese",
    "ru": "russian",
    "tr": "turkish",
}
# Where there is no stemmer (Ukrainian first of all) the beginning of a word stands for its forms.
_PREFIX_LETTERS = 5
_COMPOUND = re.compile(r"\w+(?:[.\-_/:@]\w+)*")
_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[々぀-ヿ㐀-䶿一-鿿가-힯豈-\ufaff\U00020000-\U0003ffff]+")
# Letters that are written in two ways, hyphens that do not break, and marks that nobody sees.
_VARIANTS = str.maketrans({"ё": "е", "ʼ": "'", "‐": "-", "‑": "-"} | dict.fromkeys("\u00ad\u200b\u200d\u2060\ufeff"))


def index_terms(text: str, language: str) -> Counter[int]:
    """Return how often each term occurs in a text to be found."""
    return Counter(_hash(stem) for stem, _ in _stems(text, language))


def question_terms(text: str, language: str) -> dict[int, float]:
    """Return each term of a question with its weight: numbers and codes count double."""
    weights: dict[int, float] = {}
    for stem, is_code in _stems(text, language):
        weights[_hash(stem)] = CODE_WEIGHT if is_code else 1.0
    return weights


def _stems(text: str, language: str) -> list[tuple[str, bool]]:
    """Return (stem, is it a number or code) for each word, and for each compound that holds a digit or underscore."""
    stems: list[tuple[str, bool]] = []
    for compound in _COMPOUND.findall(_folded(text)):
        words = _WORD.findall(compound)
        if len(words) > 1 and any(character.isdigit() or character == "_" for character in compound):
            stems.append((compound, True))
        for word in words:
            if _CJK.search(word):
                stems.extend((gram, False) for gram in _cjk_grams(word))
            elif any(character.isdigit() for character in word):
                stems.append((word, True))
            else:
                stems.append((_stem(word, language), False))
    return stems


def _folded(text: str) -> str:
    """Return the text in lower case without the accents that people leave out (é → e, ё → е; й and ї stay)."""
    composed = unicodedata.normalize("NFC", text.casefold()).translate(_VARIANTS)
    # Chinese and Japanese put no space between their words and a code.
    decomposed = unicodedata.normalize("NFD", _CJK.sub(r" \g<0> ", composed))
    kept: list[str] = []
    for character in decomposed:
        is_accent = unicodedata.combining(character)
        if not (is_accent and kept and kept[-1].isascii()):
            kept.append(character)
    return unicodedata.normalize("NFC", "".join(kept))


@lru_cache(maxsize=100_000)
def _stem(word: str, language: str) -> str:
    # A Latin word inside Cyrillic text is nearly always English: a name, a command, a setting.
    name = _STEMMERS.get("en" if word.isascii() and language in ("ru", "uk") else language)
    return _stemmer(name).stemWord(word) if name else word[:_PREFIX_LETTERS]


@cache
def _stemmer(name: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(name)


def _cjk_grams(word: str) -> list[str]:
    return list(word) + [word[start : start + 2] for start in range(len(word) - 1)]


@lru_cache(maxsize=200_000)
def _hash(stem: str) -> int:
    return int.from_bytes(blake2b(stem.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)
