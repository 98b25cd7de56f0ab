"""Proper names: which words of a text are names, and whether another text has them in some form."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from bot.core.verify.facts.found import Found
from bot.core.verify.facts.lists import Words, lists, words_of
from bot.core.verify.facts.tokens import Token

CYRILLIC_LANGUAGES = frozenset({"ru", "uk", "be", "bg", "sr", "mk", "kk"})
# Every noun has a capital there, so that a capital says nothing.
_CAPITAL_NOUN_LANGUAGES = frozenset({"de", "lb"})
_SENTENCE_ENDS = frozenset(".!?…•|*")
# A capital after these may begin a sentence, a cell or a label.
_SOFT_STARTS = frozenset(":;–—-→>")
_OPENING_QUOTES = frozenset("\"'«“„‘`(¿¡")
_OPENING = {"«": "»", "“": "”", "„": "“", '"': '"'}
_MOST_SHOUTED = 0.5
_LONGEST_TITLE = 12
_SHORTEST_STEM = 3
_LONGEST_ENDING = 5
_CHANGED_VOWEL = re.compile("(?<=..)(?:їв|єв[аіу]?|євом)$")


def names_of(tokens: Sequence[Token], language: str, used: set[int]) -> list[Found]:
    """Return the names in tokens that are no dates or numbers: capitals inside a sentence, acronyms, foreign script."""
    words = words_of(language)
    capitals = [token for token in tokens if token.kind == "word" and len(token.shown) > 1]
    is_shouted = sum(token.shown.isupper() for token in capitals) > _MOST_SHOUTED * len(capitals)
    titles = _titles(tokens)
    found: list[Found] = []
    for index, token in enumerate(tokens):
        if token.kind != "word" or index in used:
            continue
        is_foreign = _is_foreign(token, language)
        is_small = token.shown.islower() and not is_foreign
        if (is_small and index not in titles) or not _may_be_name(token, words):
            continue
        if is_foreign or (not is_shouted and _is_marked(token)):
            found.append(_found(token, only_same_language=index in titles and not is_foreign))
        elif is_small:
            found.append(_found(token, only_same_language=True))
        elif language not in _CAPITAL_NOUN_LANGUAGES and token.shown[0].isupper() and not is_shouted:
            start = _start(tokens, index)
            if start != "sentence":
                found.append(_found(token, only_same_language=start == "soft" or index in titles))
    return found


def _may_be_name(token: Token, words: Words) -> bool:
    if len(token.shown) < 2 or token.key in words.never:
        return False
    return not (token.is_glued and token.key in ("s", "th", "nd", "rd", "st"))


def _is_foreign(token: Token, language: str) -> bool:
    """Tell whether a word is in another script than its text: it is a name, a command or a term."""
    is_latin = token.key[0].isascii()
    if language in CYRILLIC_LANGUAGES:
        return is_latin and token.key.isascii()
    return language in ("en", "es") and is_cyrillic(token.key)


def is_cyrillic(word: str) -> bool:
    """Tell whether a word is written in Cyrillic letters."""
    return any("Ѐ" <= character <= "ӿ" for character in word[:3])


def _is_marked(token: Token) -> bool:
    """Tell whether a word is an acronym or has a capital inside."""
    return any(character.isupper() for character in token.shown[1:])


def _start(tokens: Sequence[Token], index: int) -> str:
    """Return whether a word begins the sentence, may begin something ("soft"), or stands inside."""
    before = index - 1
    while before >= 0 and tokens[before].key in _OPENING_QUOTES:
        before -= 1
    if tokens[index].starts_line or tokens[before + 1].starts_line:
        return "soft"
    if before < 0 or tokens[before].key in _SENTENCE_ENDS:
        is_initial = before > 0 and len(tokens[before - 1].shown) == 1 and tokens[before - 1].shown.isupper()
        return "inside" if is_initial else "sentence"
    is_hyphen = tokens[before].key == "-" and tokens[before].is_glued
    return "soft" if tokens[before].key in _SOFT_STARTS and not is_hyphen else "inside"


def _titles(tokens: Sequence[Token]) -> frozenset[int]:
    """Return the places inside quotation marks that hold several words: titles and labels get translated."""
    inside: set[int] = set()
    index = 0
    while index < len(tokens):
        closing = _OPENING.get(tokens[index].key)
        end = _closing(tokens, index + 1, closing) if closing is not None else None
        if end is None:
            index += 1
            continue
        if end - index > 2 and tokens[index + 1].shown[0].isupper():
            inside.update(range(index + 1, end))
        index = end + 1
    return frozenset(inside)


def _closing(tokens: Sequence[Token], start: int, closing: str) -> int | None:
    places = range(start, min(start + _LONGEST_TITLE, len(tokens)))
    return next((place for place in places if tokens[place].key == closing), None)


def _found(token: Token, *, only_same_language: bool) -> Found:
    return Found("name", token.shown, (f"name:{token.key}",), only_same_language=only_same_language)


@lru_cache(maxsize=50_000)
def stems(word: str) -> frozenset[str]:
    """Return the stems that a folded name may have: with each ending of its script taken off."""
    whole = word.partition("'")[0] if word.find("'") > 1 and not is_cyrillic(word) else word
    if is_cyrillic(whole):
        return frozenset(_cyrillic_stems(whole))
    return frozenset({whole, *_without_plural(whole)})


def _without_plural(word: str) -> Iterator[str]:
    for ending in ("s", "es"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM - 1:
            yield word[: -len(ending)]


def _cyrillic_stems(word: str) -> Iterator[str]:
    yield word
    for length in range(1, min(_LONGEST_ENDING, len(word) - _SHORTEST_STEM) + 1):
        if word[-length:] in _endings():
            yield word[:-length]
    # Київ, Києва: only two letters stay.
    if (change := _CHANGED_VOWEL.search(word)) is not None:
        yield word[: change.start()]


@cache
def _endings() -> frozenset[str]:
    return frozenset(ending for forms in lists("sounds")["endings"].values() for ending in forms.split())


def is_common(name: str, language: str) -> bool:
    """Tell whether a folded name is a word like "office" or "treaty", which another language translates."""
    return name in words_of(language).common or not stems(name).isdisjoint(_common_stems(language))


@lru_cache(maxsize=32)
def _common_stems(language: str) -> frozenset[str]:
    return frozenset(stem for word in words_of(language).common.words() for stem in stems(word))
