"""The words that turn a statement into another one: one TOML file a language in `words`."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources

# How many letters of a word lead to the entries that begin like it.
_KEY_LETTERS = 2


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that together mean `kind` ("not", "must", "if" ...).

    A word may end (or begin) in "*" for any ending (or beginning), "#" is a number. The last words may be marked
    with "+" in the file: they have to follow, but are no part of the phrase, whose own words are the first `length`.
    """

    words: tuple[str, ...]
    length: int
    kind: str


@dataclass(frozen=True, slots=True)
class WordList:
    """What we know of one language's small words; empty for a language without a file."""

    function: frozenset[str] = frozenset()
    openers: frozenset[str] = frozenset()
    rewrite: tuple[tuple[str, str], ...] = ()
    antonyms: tuple[tuple[str, str], ...] = ()
    opposites: tuple[str, ...] = ()
    synonyms: tuple[tuple[str, ...], ...] = ()
    soft: tuple[str, ...] = ()
    hard: tuple[str, ...] = ()
    _phrases: dict[str, tuple[Phrase, ...]] = field(default_factory=dict)

    def phrase_at(self, words: Sequence[str], position: int) -> Phrase | None:
        """Return the longest phrase that begins at `position`, if any."""
        key = "#" if words[position][:1].isdigit() else words[position][:_KEY_LETTERS]
        for phrase in self._phrases.get(key, ()):
            end = position + len(phrase.words)
            if end <= len(words) and all(map(is_like, words[position:end], phrase.words)):
                return phrase
        return None

    def may_deny(self, word: str) -> bool:
        """Tell whether another language may have a negation in place of this word."""
        return any(is_like(word, one) for one in self.soft) and not any(is_like(word, one) for one in self.hard)

    def synonym_of(self, word: str) -> str | None:
        """Return the first pattern of the group of synonyms that the word belongs to, if any."""
        return next((group[0] for group in self.synonyms if any(is_like(word, one) for one in group)), None)


@lru_cache(maxsize=50_000)
def antonyms_of(word: str, language: str) -> tuple[str, ...]:
    """Return the patterns of words that mean the opposite of `word`."""
    words = word_list(language)
    found = [other for one, other in words.antonyms if is_like(word, one)]
    found += [one for one, other in words.antonyms if is_like(word, other)]
    found += [word.removeprefix(prefix) for prefix in words.opposites if _is_opposite(word, prefix)]
    found += [prefix + word for prefix in words.opposites if len(word) >= _SHORTEST_OPPOSITE]
    return tuple(found)


def is_like(word: str, pattern: str) -> bool:
    """Tell whether a word is the pattern, or begins or ends like one with "*"; "#" is any number."""
    if pattern == "#":
        return word[:1].isdigit()
    if pattern.startswith("*"):
        return word.endswith(pattern[1:])
    return word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern


@cache
def word_list(language: str) -> WordList:
    """Return the words of a language, read once; an empty list where there is no file."""
    path = resources.files("bot.core.verify.polarity") / "words" / f"{language}.toml"
    if not path.is_file():
        return WordList()
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    phrases = [_phrase(entry, kind) for kind, entries in read["cues"].items() for entry in entries]
    pairs = [pair.split() for pair in read.get("antonyms", {}).get("pairs", ())]
    return WordList(
        function=frozenset(read["function"].split()),
        openers=frozenset(read["openers"].split()),
        rewrite=tuple(read.get("rewrite", {}).items()),
        antonyms=tuple((one, other) for one, other in pairs),
        opposites=tuple(read.get("antonyms", {}).get("opposites", ())),
        synonyms=tuple(tuple(group.split()) for group in read.get("synonyms", {}).get("groups", ())),
        soft=tuple(read.get("soft", {}).get("words", "").split()),
        hard=tuple(read.get("soft", {}).get("never", "").split()),
        _phrases=_by_beginning(phrases),
    )


def _phrase(entry: str, kind: str) -> Phrase:
    words = entry.split()
    return Phrase(tuple(word.lstrip("+") for word in words), sum(not word.startswith("+") for word in words), kind)


def _by_beginning(phrases: list[Phrase]) -> dict[str, tuple[Phrase, ...]]:
    """Group phrases by their first letters, the longest first, so that "no more than" comes before "no"."""
    groups: dict[str, list[Phrase]] = {}
    for phrase in sorted(phrases, key=lambda phrase: (-len(phrase.words), -len("".join(phrase.words)))):
        groups.setdefault(phrase.words[0].rstrip("*")[:_KEY_LETTERS], []).append(phrase)
    return {key: tuple(group) for key, group in groups.items()}


def _is_opposite(word: str, prefix: str) -> bool:
    return word.startswith(prefix) and len(word) - len(prefix) >= _SHORTEST_OPPOSITE


_SHORTEST_OPPOSITE = 4
