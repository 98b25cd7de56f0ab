"""What a model is told of the conversation is short, in order, and complete turn by turn."""

import pytest

from bot.store.transcript import MAX_CHARACTERS, MAX_TURNS, Role, last_turns

LONG = "я" * (MAX_CHARACTERS - 10)


@pytest.mark.parametrize(
    ("rows", "turns"),
    [
        ([], []),
        ([("user", "a"), ("user", "b"), ("assistant", "c"), ("user", " ")], [("user", "a\nb"), ("assistant", "c")]),
        ([("user", "a" * 11), ("assistant", LONG)], [("assistant", LONG)]),
        ([("user", "b"), ("user", ""), ("assistant", LONG)], [("user", "b"), ("assistant", LONG)]),
        ([("user", "a"), ("assistant", LONG * 2)], [("assistant", (LONG * 2)[:MAX_CHARACTERS])]),
    ],
)
def test_the_last_turns_that_are_short_enough_are_kept(
    rows: list[tuple[Role, str]], turns: list[tuple[str, str]]
) -> None:
    assert [(turn.role, turn.text) for turn in last_turns(rows)] == turns


def test_only_so_many_turns_are_kept() -> None:
    rows: list[tuple[Role, str]] = [("user" if number % 2 else "assistant", str(number)) for number in range(30)]

    assert [turn.text for turn in last_turns(rows)] == [str(number) for number in range(30 - MAX_TURNS, 30)]
