"""Compares names across scripts and spellings by how they sound: Київ, Киев, Kyiv; Конфлюенс, Confluence.

Two names that share their consonants but for one are compared letter by letter, as in phonetic name matching.
"""

import re
from collections.abc import Collection, Mapping
from functools import cache, lru_cache

from bot.core.verify.facts.lists import lists
from bot.core.verify.facts.names import is_cyrillic, stems
from bot.core.verify.facts.tokens import folded, written_alike

_DOUBLED = re.compile(r"(.)\1+")
_CLASSES = str.maketrans("bpfvdtkgsz$lrmn", "PPVVTTKKSSSLRMN", "aeiouh")
_CLOSE = (frozenset("bp"), frozenset("fv"), frozenset("dt"), frozenset("kgh"), frozenset("s$"), frozenset("g$"))
_ADJECTIVE = re.compile(
    r"(?<=...)(?:[оеє]в|ин|ан)?(?:ск|ськ|зьк|цьк)"
    r"(?:ий|ого|ому|им|ом|ім|ая|ой|ій|ою|ую|ое|ие|их|ими|а|ої|у|е|і|о)$"
)
_VOWELS = frozenset("aeiou")
_WORD = re.compile(r"[^\W\d_]++(?:'[^\W\d_]++)*+")
_LONGEST_NAME = 24
_SHORTEST_SMALL = 5
# How alike two names must sound; a word without a capital is hardly a name, and must be more alike.
_ALIKE = 0.68
_ALIKE_SMALL = 0.8
# A sound in a text, and how alike another must be.
_Needed = tuple[str, float]


@lru_cache(maxsize=50_000)
def heard(word: str) -> str:
    """Return a folded word as it sounds, roughly and in Latin letters."""
    pattern, sounds = _spellings()
    return _DOUBLED.sub(r"\1", pattern.sub(lambda match: sounds[match.group()], word[:_LONGEST_NAME]))


@cache
def _spellings() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return a pattern for every listed spelling, the longest first, and how each sounds."""
    listed = lists("sounds")["heard"]
    sounds = {form: "" if sound == "silent" else sound for sound, forms in listed.items() for form in forms.split()}
    return re.compile("|".join(map(re.escape, sorted(sounds, key=len, reverse=True)))), sounds


@lru_cache(maxsize=512)
def sounds_of(text: str) -> Mapping[str, Collection[_Needed]]:
    """Return the words of a text that may be names, by their consonants and by all of these but one."""
    sounds: dict[str, set[_Needed]] = {}
    previous = ""
    for match in _WORD.finditer(written_alike(text)):
        word = folded(match.group())
        is_capital = match.group()[0].isupper()
        if is_capital or len(word) >= _SHORTEST_SMALL:
            for form in roots(word):
                _add(sounds, (heard(form), _ALIKE if is_capital else _ALIKE_SMALL))
        if is_capital and previous:
            _add(sounds, (heard(previous + word), _ALIKE))
        previous = word if is_capital else ""
    return sounds


@lru_cache(maxsize=50_000)
def roots(word: str) -> tuple[str, ...]:
    """Return a folded word, and what is left of it without its ending: "нобелевской" as "нобел"."""
    if not is_cyrillic(word):
        return (word,)
    root = _ADJECTIVE.sub("", word)
    shortest = min(stems(word), key=len, default=word) if root == word else root
    return (word, shortest) if shortest != word else (word,)


def _add(sounds: dict[str, set[_Needed]], sound: _Needed) -> None:
    for key in _near(sound[0]):
        sounds.setdefault(key, set()).add(sound)


@lru_cache(maxsize=50_000)
def _near(sound: str) -> tuple[str, ...]:
    consonants = sound.translate(_CLASSES)
    if len(consonants) <= 2:
        return (consonants,)
    return (consonants, *(consonants[:place] + consonants[place + 1 :] for place in range(len(consonants))))


def sounds_alike(name: str, sounds: Mapping[str, Collection[_Needed]]) -> bool:
    """Tell whether a folded name sounds like a word of a text."""
    for form in roots(name):
        sound = heard(form)
        near = {one for key in _near(sound) for one in sounds.get(key, ())}
        if any(likeness(sound, other) >= needed for other, needed in near):
            return True
    return False


@lru_cache(maxsize=50_000)
def likeness(one: str, other: str) -> float:
    """Return how alike two sounds are, from 0 to 1: their weighted edit distance (Levenshtein) by the longer one."""
    row = [0.0]
    for letter in other:
        row.append(row[-1] + _weight(letter))
    for mine in one:
        above, row = row, [row[0] + _weight(mine)]
        for place, letter in enumerate(other):
            row.append(
                min(
                    above[place] + _difference(mine, letter),
                    above[place + 1] + _weight(mine),
                    row[-1] + _weight(letter),
                )
            )
    whole = max(sum(map(_weight, one)), sum(map(_weight, other)))
    return 1 - row[-1] / whole if whole else 1.0


def _weight(letter: str) -> float:
    return 0.5 if letter in _VOWELS or letter == "h" else 1.0


def _difference(mine: str, letter: str) -> float:
    if mine == letter:
        return 0.0
    if mine in _VOWELS and letter in _VOWELS:
        return 0.25
    return 0.3 if any(mine in close and letter in close for close in _CLOSE) else 1.0
