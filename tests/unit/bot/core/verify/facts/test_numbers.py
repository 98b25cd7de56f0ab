"""Digits and words become the same value."""

import pytest

from bot.core.verify.facts.numbers import readings, roman, spelled
from bot.core.verify.facts.tokens import tokens_of


@pytest.mark.parametrize(
    ("written", "language", "values"),
    [
        ("1200", "en", ("1200",)),
        ("1,200", "en", ("1200",)),
        ("1,200,000.50", "en", ("1200000.50",)),
        ("1.200", "en", ("1.200",)),
        ("3.10", "en", ("3.10",)),
        ("0.5", "en", ("0.5",)),
        ("0,125", "es", ("0.125",)),
        ("1.200", "es", ("1200", "1.200")),
        ("1.200.000,50", "es", ("1200000.50",)),
        ("2,5", "ru", ("2.5",)),
        ("1,200", "ru", ("1.200", "1200")),
        ("1.200", "uk", ("1.200", "1200")),
        ("1'000", "de", ("1000",)),
        ("007", "en", ("7",)),
        ("1.2.3", "en", ()),
    ],
)
def test_separators_are_read_as_the_language_writes_them(written: str, language: str, values: tuple[str, ...]) -> None:
    assert readings(written, language) == values


@pytest.mark.parametrize(
    ("words", "language", "value"),
    [
        ("two hundred and five", "en", 205),
        ("twenty-one", "en", 21),
        ("two million three thousand", "en", 2_003_000),
        ("twenty first", "en", 21),
        ("dozen", "en", 12),
        ("двадцатью пятью", "ru", 25),
        ("две тысячи двадцать четвёртого", "ru", 2024),
        ("триста сорок", "ru", 340),
        ("п'ятдесятьма", "uk", 50),
        ("двохсот сорока", "uk", 240),
        ("treinta y cinco", "es", 35),
        ("mil millones", "es", 1_000_000_000),
        ("ciento veinte", "es", 120),
    ],
)
def test_words_are_added_up(words: str, language: str, value: int) -> None:
    tokens = tokens_of(words)

    number = spelled(tokens, 0, language)

    assert number is not None
    assert (number.value, number.end) == (value, len(tokens))


@pytest.mark.parametrize(("words", "language"), [("two three", "en"), ("пять десять", "ru"), ("twenty thirty", "en")])
def test_two_numbers_side_by_side_stay_two(words: str, language: str) -> None:
    number = spelled(tokens_of(words), 0, language)

    assert number is not None
    assert number.end == 1


@pytest.mark.parametrize(
    ("shown", "value"), [("XIX", 19), ("ХХІ", 21), ("IV", 4), ("IIII", None), ("CD", None), ("Xi", None), ("", None)]
)
def test_roman_numbers_may_be_in_either_script(shown: str, value: int | None) -> None:
    assert roman(shown) == value
