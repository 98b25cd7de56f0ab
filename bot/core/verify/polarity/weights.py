"""How much a word tells: little when it stands in many texts about everything, most when in none of them."""

import math
from collections import Counter
from functools import cache, lru_cache

from knowledge.background import background_texts
from knowledge.terms import CODE_WEIGHT, index_terms

# Words of fewer letters are no content in a language that has no list of small words.
_SHORTEST_WORD = 2
# A word of at least this weight can be what a sentence speaks of, and makes another one in place of another such word.
TELLING_WEIGHT = 0.6


@lru_cache(maxsize=50_000)
def weight_of(word: str, language: str) -> float:
    """Return a word's inverse document frequency in [0, 1], and CODE_WEIGHT for a number or code."""
    if any(character.isdigit() or character == "_" for character in word):
        return CODE_WEIGHT
    texts, frequencies = _frequencies(language)
    if not texts:
        return float(len(word) >= _SHORTEST_WORD)
    frequency = max((frequencies[term] for term in index_terms(word, language)), default=0)
    return math.log((texts + 1) / (frequency + 1)) / math.log(texts + 1)


@cache
def _frequencies(language: str) -> tuple[int, Counter[int]]:
    """Return how many background texts there are, and in how many of them each term stands."""
    texts = background_texts().get(language, [])
    return len(texts), Counter(term for text in texts for term in index_terms(text, language))
