"""Numbers that a translation exchanges."""

import pytest

from bot.core.verify.facts.order import are_exchanged

RUSSIAN = "Офис открыт с 9:00 до 18:00, в нём 3 комнаты и 12 столов."


@pytest.mark.parametrize(
    ("text", "is_exchanged"),
    [
        ("The office is open from 9:00 to 18:00 and has three rooms with 12 desks.", False),
        ("The office has 3 rooms with 12 desks and is open from 9:00 to 18:00.", False),
        ("The office has 3 rooms.", False),
        ("The office has 12 rooms with 3 desks.", True),
        ("The office is open from 18:00 to 9:00.", True),
        ("The office is open.", False),
    ],
)
def test_the_order_of_numbers_tells_an_exchange(text: str, is_exchanged: bool) -> None:
    assert are_exchanged(text, "en", RUSSIAN, "ru") is is_exchanged


def test_a_number_that_comes_twice_tells_nothing() -> None:
    assert not are_exchanged("From 2 to 3, then 2.", "en", "3, 2, 2", "ru")
