"""What is no statement is not shown, whatever its words are."""

import pytest

from bot.core.verify.form import is_statement

PIECES = ("The kiln warms up in 20 minutes.", "A fee is required ✅.")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("The kiln warms up in 20 minutes.", True),
        ("Does the kiln warm up in 20 minutes?", False),
        ("In how many minutes does the kiln warm up?”", False),
        ("У скільки хвилин нагрівається піч? ", False),
        ("窯は20分で温まりますか？", False),
        ("The kiln (why?) warms up.", True),
        ("A fee is required 🚫.", False),
        ("❌ A fee is required.", False),
        ("A fee is required ✅.", True),
        ("The kiln warms up to 900 °C.", True),
        ("~~A fee is required.~~", False),
        ("A fee ~~is required~~ is required.", False),
        ("A fee of ~20 euro is required.", True),
    ],
)
def test_a_question_a_picture_and_a_crossed_out_text_state_nothing(text: str, is_one: bool) -> None:
    assert is_statement(text, PIECES) is is_one
