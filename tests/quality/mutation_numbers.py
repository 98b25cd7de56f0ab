"""Wrong numbers, units and dates."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from random import Random

from tests.quality.mutation_edits import Claim, replaced
from tests.quality.mutation_places import WORD, Corpus, Place

_BEFORE = r"(?<![\w.,:/#+\-–—_@=~\\])"
_AFTER = r"(?![\w/:_\-–—]|[.,]\d|\.\w)"
NUMBER = re.compile(rf"{_BEFORE}(?:\d{{1,3}}(?:[,\u00a0\u202f ]\d{{3}})+|\d+(?:[.,]\d+)?){_AFTER}")
# Behind a name or the word itself, or with two points.
VERSION = re.compile(
    r"(?:(?<![\w.])[A-Z][A-Za-z]*[A-Za-z] |(?<!\w)(?:version|версии|версия|версию|версії|версія|версію|versión) |[=>v])"
    r"(\d+\.\d+(?:\.\d+)*)(?![\w-]|\.\d)"
    r"|(?<![\w.])(\d+\.\d+\.\d+)(?![\w-]|\.\d)"
)
# "Version 4 or version 2" says the same the other way round.
_MOST_OF_A_LIST = 5
ISO_DATE = re.compile(r"(?<![\w-])\d{4}-\d\d-\d\d(?![\w-])")


def numbers(text: str) -> list[re.Match[str]]:
    """Return the plain numbers of a text: no versions, codes, or parts of a date in digits."""
    versions = versions_of(text)
    return [
        match for match in NUMBER.finditer(text) if not any(start <= match.start() < end for start, end in versions)
    ]


def versions_of(text: str) -> list[tuple[int, int]]:
    """Return where the versions of a text stand."""
    return [match.span(match.lastindex or 0) for match in VERSION.finditer(text)]


def number_changed(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """Another digit, a digit more, or two digits exchanged."""
    for match in numbers(place.text):
        yield replaced(place.text, *match.span(), _another(match[0], random))


def _another(number: str, random: Random) -> str:
    digits = [index for index, character in enumerate(number) if character.isdigit()]
    while True:
        way = random.choice(("digit", "digit", "digit", "longer", "exchanged"))
        index = random.choice(digits)
        other = random.choice("123456789".replace(number[index], ""))
        changed = number[:index] + other + number[index + 1 :]
        if way == "longer" and number.isdigit() and len(number) < 3:
            changed = number + "0"
        if way == "exchanged" and len(digits) > 1:
            first, second = random.sample(digits, 2)
            swapped = list(number)
            swapped[first], swapped[second] = swapped[second], swapped[first]
            changed = "".join(swapped)
        if _value(changed) != _value(number) and not changed.startswith("0"):
            return changed


def _value(number: str) -> str:
    return re.sub(r"\D", "", number).lstrip("0")


def number_of_passage(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """Another number that the same passage mentions."""
    own = {_value(match[0]) for match in numbers(place.text)}
    found = {match[0] for piece in place.passage.pieces for match in numbers(piece)}
    others = sorted(number for number in found if _value(number) not in own)
    for match in numbers(place.text):
        alike = [other for other in others if abs(len(other) - len(match[0])) <= 1]
        if alike:
            yield replaced(place.text, *match.span(), random.choice(alike))


def number_word_changed(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """Another number in words, in the same form."""
    for match in WORD.finditer(place.text):
        for column in (*corpus.words.numerals, *corpus.words.ordinals):
            if match[0] in column:
                other = random.choice([word for word in column if word != match[0]])
                yield replaced(place.text, *match.span(), other)
                break


def numbers_swapped(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """Two numbers of the sentence exchanged, unless they only stand in a list or a range."""
    found = numbers(place.text)
    for first, second in pairwise(found):
        between = place.text[first.end() : second.start()]
        words = [word.lower() for word in WORD.findall(between)]
        is_list = len(words) < _MOST_OF_A_LIST and set(words) & set(corpus.words.lists["between_same"])
        if first[0] != second[0] and len(words) >= 2 and not is_list and "(" not in between:
            middle = f"{second[0]}{between}{first[0]}"
            yield replaced(place.text, first.start(), second.end(), middle)


def unit_changed(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """Another unit behind a number or a numeral."""
    numerals = {word for column in corpus.words.numerals for word in column} | set(corpus.words.lists["by_numeral"])
    for group in corpus.words.units:
        among = "|".join(re.escape(unit) for unit in sorted(group, key=len, reverse=True))
        for match in re.finditer(rf"(?<=\w)[\u00a0 -]({among})(?![\w'’-])", place.text):
            before = place.text[: match.start(1)].rstrip(" \u00a0-").rpartition(" ")[2].lower()
            is_number = NUMBER.fullmatch(before.lstrip("(~€$")) and not _is_year(before)
            if is_number or (before in numerals and len(match[1]) > 2):
                other = random.choice([unit for unit in group if unit != match[1]])
                yield replaced(place.text, *match.span(1), other)
    for match in re.finditer(r"(?<=\d)[ \u00a0]?%", place.text):
        yield replaced(place.text, *match.span(), f" {random.choice(corpus.words.units[0])}")


def _is_year(number: str) -> bool:
    return number.isdigit() and 1000 < int(number) <= 2100


def date_changed(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """Another month, day or year of a date."""
    months = corpus.words.months
    among = "|".join(months)
    for match in re.finditer(rf"(?<!\w)(?:{among})(?!\w)", place.text):
        if re.search(r"\d\W{0,2}(?:de )?$", place.text[: match.start()]) or re.match(
            r"(?: de| del)? \d", place.text[match.end() :]
        ):
            yield replaced(place.text, *match.span(), random.choice([month for month in months if month != match[0]]))
    for match in re.finditer(
        rf"(?<!\d)\d\d?(?= (?:de )?(?:{among})(?!\w))|(?<=[a-z] )\d\d?(?=, \d{{4}}\b)", place.text
    ):
        yield replaced(
            place.text, *match.span(), str(random.choice([day for day in range(1, 29) if str(day) != match[0]]))
        )
    for match in _years(place.text, among):
        yield replaced(place.text, *match.span(), str(int(match[0]) + random.choice((-10, -3, -1, 1, 2, 100))))
    for match in ISO_DATE.finditer(place.text):
        year, month, day = match[0].split("-")
        yield replaced(place.text, *match.span(), f"{year}-{month}-{int(day) % 28 + 1:02}")


def _years(text: str, months: str) -> Iterator[re.Match[str]]:
    """Yield the years of dates and what is told to be a year."""
    yield from re.finditer(
        r"(?<=[, ])\d{4}(?= (?:года|году|год|г\.|року|році|рік)(?!\w))|(?<=(?:[Ii]n|[Ee]n) )\d{4}(?![\w-])",
        text,
    )
    yield from (
        match
        for match in re.finditer(r"(?<=[, ])\d{4}(?![\w-])", text)
        if re.search(rf"(?:{months}),?(?: de| del)? (?:\d\d?, )?$", text[: match.start()])
    )
