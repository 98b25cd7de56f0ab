"""Text with `[n]` marks, as it streams in, becomes sentences with units."""

from collections.abc import Sequence

import pytest

from bot.core.answer import Claim
from bot.llm.claude.events import Words
from bot.llm.claude.numbered import NumberedReader, numbers_of
from knowledge.quotable import units_of
from tests.fakes.evidence import hit

UNITS = dict(enumerate(units_of(hit("One. Two. Three. Four. Five.")), 1))
_PRICES = [("Это стоит 5 руб.", [1]), ("Потом ещё 3 руб.", [2]), ("Всё.", [3])]
NUMBERS = {unit: number for number, unit in UNITS.items()}


def shown(claims: Sequence[Claim]) -> list[tuple[str, list[int]]]:
    return [(claim.text, [NUMBERS[unit] for unit in claim.cited]) for claim in claims]


def read(text: str, pieces: int, language: str = "en") -> list[tuple[str, list[int]]]:
    reader = NumberedReader(UNITS, language)
    claims = [claim for at in range(0, len(text), pieces) for claim in reader.read(Words(text[at : at + pieces]))]
    return shown([*claims, *reader.rest()])


@pytest.mark.parametrize("pieces", [1, 2, 3, 5, 8, 100])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is up [1]. It is new [2].", [("It is up.", [1]), ("It is new.", [2])]),
        ("It is up. [1] It is new. [2]", [("It is up.", [1]), ("It is new.", [2])]),
        ("It is up.[1] It is new.[2][3]", [("It is up.", [1]), ("It is new.", [2, 3])]),
        ("It is up. [1]\nIt is new. [2]\n", [("It is up.", [1]), ("It is new.", [2])]),
        ("It has 25. [1] It is new. [2, 4]", [("It has 25.", [1]), ("It is new.", [2, 4])]),
        ("Up to 3 [1] of 5 [2].", [("Up to 3 of 5.", [1, 2])]),
        ("It is up. [1][9] It is [8] new.", [("It is up.", [1]), ("It is new.", [])]),
        ("It is up [1-3].", [("It is up.", [1, 2, 3])]),
        ("- one step [1]\n- two steps [2]", [("one step", [1]), ("two steps", [2])]),
        ("Run it. [1]\n```sh\nls [2]\n```\n[3]\nGo. [4]", [("Run it.", [1]), ("ls [2]", [3]), ("Go.", [4])]),
        ("Use `items[0]` and `x [1]`. [2]", [("Use items[0] and x [1].", [2])]),
        ("[1] It is up. [2]", [("It is up.", [1, 2])]),
        ("Up to 3 [1] of 5. [2] Go. [3]", [("Up to 3 of 5.", [1, 2]), ("Go.", [3])]),
        ("It is up.", [("It is up.", [])]),
        ("See [the page] or [5 of them]. [1]", [("See [the page] or [5 of them].", [1])]),
        ("", []),
    ],
)
def test_each_sentence_has_the_units_of_its_marks(
    text: str, expected: list[tuple[str, list[int]]], pieces: int
) -> None:
    assert read(text, pieces) == expected


@pytest.mark.parametrize("pieces", [1, 4, 100])
@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("ru", "Нажмите «Сброс». [1] Это стоит 5 руб. [2]", [("Нажмите «Сброс».", [1]), ("Это стоит 5 руб.", [2])]),
        ("ru", "Это стоит 5 руб. [1] Потом ещё 3 руб [2]. Всё. [3]", _PRICES),
        ("uk", "Зачекайте 5 хв [1]. Увійдіть [2].", [("Зачекайте 5 хв.", [1]), ("Увійдіть.", [2])]),
        ("es", "Pulse el botón. [1] ¿Listo? [2]", [("Pulse el botón.", [1]), ("¿Listo?", [2])]),
        ("zh", "打开应用。[1]点击重置。[2]", [("打开应用。", [1]), ("点击重置。", [2])]),
    ],
)
def test_in_any_language(language: str, text: str, expected: list[tuple[str, list[int]]], pieces: int) -> None:
    assert read(text, pieces, language) == expected


@pytest.mark.parametrize("text", ["It is up [1]. ", "It is up. [1] ", "It is up. [1][2]\n", "It has 25. [1] "])
def test_a_sentence_with_its_marks_is_given_out_when_a_space_follows(text: str) -> None:
    reader = NumberedReader(UNITS, "en")

    claims = [claim for letter in text for claim in reader.read(Words(letter))]

    assert len(claims) == 1
    assert claims[0].cited


def test_what_an_answer_that_broke_off_had_begun_is_never_given_out() -> None:
    reader = NumberedReader(UNITS, "en")

    claims = [claim for letter in "It is up. [1] It is ne" for claim in reader.read(Words(letter))]

    assert shown(claims) == [("It is up.", [1])]


@pytest.mark.parametrize(
    ("mark", "numbers"),
    [("1", (1,)), ("1, 3", (1, 3)), ("3–5;1", (3, 4, 5, 1)), ("5-3", (5, 3)), ("1-9999", tuple(range(1, 12)))],
)
def test_a_mark_may_name_several_numbers(mark: str, numbers: tuple[int, ...]) -> None:
    assert numbers_of(mark) == numbers
