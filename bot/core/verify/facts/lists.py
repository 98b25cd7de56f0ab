"""The words that mean numbers, units, dates and well-known names, one list per language."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "es", "ru", "uk")
# What holds in every language, and all that is known of a language without a list.
_COMMON = "any"
_ROLES = "roles"
# No listed beginning of a word is shorter or longer.
_SHORTEST_BEGINNING = 3
_LONGEST_BEGINNING = 14


class Forms:
    """Word forms and what they mean; a form that ends in `*` stands for every word that begins so."""

    def __init__(self) -> None:
        self._whole: dict[str, tuple[str, ...]] = {}
        self._begun: dict[str, tuple[str, ...]] = {}

    def add(self, meaning: str, forms: str) -> None:
        """Give one more meaning to each of the forms, which spaces separate."""
        for form in forms.split():
            table = self._begun if form.endswith("*") else self._whole
            table[form.rstrip("*")] = (*table.get(form.rstrip("*"), ()), meaning)

    def meanings(self, word: str) -> tuple[str, ...]:
        """Return what a folded word means as a whole, then what its longest listed beginning means."""
        whole = self._whole.get(word, ())
        if not self._begun:
            return whole
        lengths = range(min(len(word), _LONGEST_BEGINNING), _SHORTEST_BEGINNING - 1, -1)
        return whole + next((self._begun[word[:length]] for length in lengths if word[:length] in self._begun), ())

    def get(self, word: str) -> str | None:
        """Return the first meaning of a folded word."""
        meanings = self.meanings(word)
        return meanings[0] if meanings else None

    def __contains__(self, word: str) -> bool:
        return bool(self.meanings(word))

    def words(self) -> Iterator[str]:
        """Yield every form that is listed whole."""
        yield from self._whole


@dataclass(frozen=True, slots=True)
class Words:
    """The lists of one language. Numbers are digits; months and weekdays count from 1."""

    cardinals: Forms = field(default_factory=Forms)
    ordinals: Forms = field(default_factory=Forms)
    scales: Forms = field(default_factory=Forms)
    prefixes: Forms = field(default_factory=Forms)
    suffixes: Forms = field(default_factory=Forms)
    units: Forms = field(default_factory=Forms)
    months: Forms = field(default_factory=Forms)
    short_months: Forms = field(default_factory=Forms)
    weekdays: Forms = field(default_factory=Forms)
    short_weekdays: Forms = field(default_factory=Forms)
    dayparts: Forms = field(default_factory=Forms)
    known: Forms = field(default_factory=Forms)
    common: Forms = field(default_factory=Forms)
    one: Forms = field(default_factory=Forms)
    article: Forms = field(default_factory=Forms)
    single: Forms = field(default_factory=Forms)
    each: Forms = field(default_factory=Forms)
    first: Forms = field(default_factory=Forms)
    half: Forms = field(default_factory=Forms)
    vague: Forms = field(default_factory=Forms)
    unsure: Forms = field(default_factory=Forms)
    of: Forms = field(default_factory=Forms)
    year: Forms = field(default_factory=Forms)
    join: Forms = field(default_factory=Forms)
    per: Forms = field(default_factory=Forms)
    never: Forms = field(default_factory=Forms)
    derived: Forms = field(default_factory=Forms)
    plus: Forms = field(default_factory=Forms)
    minus: Forms = field(default_factory=Forms)


@cache
def words_of(language: str) -> Words:
    """Return the lists of a language; one that has none gets what all languages share."""
    words = Words()
    for name in (language, _COMMON) if language in LANGUAGES else (_COMMON,):
        for section, table in lists(name).items():
            for meaning, forms in table.items():
                getattr(words, meaning if section == _ROLES else section).add(meaning, forms)
    return words


def lists(name: str) -> dict[str, dict[str, str]]:
    """Return one file of lists: for each section and meaning the forms, with spaces between them."""
    path = files("bot.core.verify.facts").joinpath("words", f"{name}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))
