"""What a model says to us never shows in its answer, wherever the stream is torn."""

import pytest

from bot.llm.claude.asides import Asides


def heard(text: str, pieces: int) -> tuple[str, bool, str | None]:
    asides = Asides()
    kept = "".join(asides.hear(text[at : at + pieces]) for at in range(0, len(text), pieces))
    return kept + asides.rest(), asides.is_absent, asides.missing


@pytest.mark.parametrize("pieces", [1, 2, 3, 7, 100])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<absent/>", ("", True, None)),
        (" <Absent /> ", (" ", True, None)),
        ("<absent>", ("", True, None)),
        ("<absent/>But perhaps it is this.", ("", True, None)),
        ("It is 5.<missing>the\nprice</missing>", ("It is 5.", False, "the price")),
        ("<missing>a</missing> x <missing>b</missing>", (" x ", False, "a b")),
        ("It is 5.<missing>the price", ("It is 5.", False, "the price")),
        ("It is 5.<missing/>", ("It is 5.", False, "")),
        ("<think>Is <b>it</b> 5?</think>It is 5.", ("It is 5.", False, None)),
        ("a < b, <b>c</b>, <absentee> and <", ("a < b, <b>c</b>, <absentee> and <", False, None)),
        ("It is 5. <abs", ("It is 5. ", False, None)),
        ("", ("", False, None)),
    ],
)
def test_only_what_is_for_the_asker_is_let_through(
    text: str, expected: tuple[str, bool, str | None], pieces: int
) -> None:
    assert heard(text, pieces) == expected
