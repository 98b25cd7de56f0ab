"""Which facts come and go in translation: acronyms that make a word clearer, words of titles, "one".

Such a fact of a sentence counts as missing only where the passage in another language has, for its part, one that the
sentence lacks; a name that no translator touches counts always.
"""

import re

from bot.core.verify.facts.found import Found
from bot.core.verify.facts.lists import words_of
from bot.core.verify.facts.names import CYRILLIC_LANGUAGES, is_common

_ACRONYM = re.compile(r"[^\W\d_a-zа-яіїєґ]{2,6}s?")
# "Single" and "one" come and go in translation.
_LARGEST_SMALL_NUMBER = 1
_SHORTEST_DERIVED = 6


def is_weak(found: Found, language: str, other: str, *, is_rival: bool = False) -> bool:
    """Tell whether a fact may be absent from a translation into the other language; an acronym makes a rival."""
    if found.kind == "number":
        return not is_rival and _is_small_number(found)
    if found.kind != "name" or words_of(language).known.meanings(found.value):
        return False
    if _ACRONYM.fullmatch(found.shown):
        # Russian and Ukrainian put one before a noun where others have the noun alone.
        return language in CYRILLIC_LANGUAGES and not is_rival
    if language in CYRILLIC_LANGUAGES and found.value.isascii():
        return found.shown.islower() or (other != "en" and _is_ordinary(found.value, "en"))
    # English terms are left untranslated in one language and translated in another.
    return any(_is_ordinary(found.value, one) for one in (language, "en"))


def _is_ordinary(word: str, language: str) -> bool:
    return is_common(word, language) or _is_derived(word, language)


def _is_small_number(found: Found) -> bool:
    is_word = found.shown[:1].isalpha() and " " not in found.value
    return is_word and found.value.isdecimal() and int(found.value) <= _LARGEST_SMALL_NUMBER


def _is_derived(word: str, language: str) -> bool:
    """Tell whether a folded word ends like an ordinary noun or adjective: "termination", "зависимости"."""
    endings = tuple(words_of(language).derived.words())
    return len(word) >= _SHORTEST_DERIVED and bool(endings) and word.endswith(endings)
