"""What a sentence says beyond a piece in another language is seen by its parts."""

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from bot.core.verify.additions import Worded, added_part, has_more_brackets, has_more_marks, is_longer
from knowledge.embed import Vectors

SAID = "access to the network expires after ninety days, and it has to be renewed in the portal"
# What any two texts have in common is taken off a margin, so that unlike ones are below 0.
LEVEL, SCALE = 0.05, 0.2


def foreign(text: str) -> str:
    """Return the text in a language whose words are ours from right to left."""
    return " ".join(word[::-1] for word in text.split())


async def margins(ours: Sequence[str], theirs: Sequence[str]) -> Vectors:
    """Return how alike texts are by their words, those of the other language from right to left."""
    rows = [[SCALE * _likeness(one, foreign(other)) - LEVEL for other in theirs] for one in ours]
    return np.array(rows, np.float32)


def _likeness(one: str, other: str) -> float:
    ours, theirs = (Counter(re.findall(r"\w+", text.lower())) for text in (one, other))
    shared = sum(count * theirs[word] for word, count in ours.items())
    return shared / math.sqrt(sum(n * n for n in ours.values()) * sum(n * n for n in theirs.values()))


async def found(sentence: str, said: str = SAID) -> str | None:
    return await added_part(Worded(sentence, "en"), Worded(foreign(said), "xx"), margins)


@pytest.mark.parametrize(
    "sentence", [SAID, "after ninety days access to the network expires, and it has to be renewed in the portal", ""]
)
async def test_a_translation_has_nothing_added(sentence: str) -> None:
    assert await found(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "part"),
    [
        (f"{SAID}, smoking is allowed here", "smoking is allowed here"),
        (f"{SAID} smoking is allowed", "smoking is allowed"),
        (f"smoking is allowed, {SAID}", "smoking is allowed,"),
    ],
)
async def test_a_part_that_nothing_bears_out_is_named(sentence: str, part: str) -> None:
    assert await found(sentence) == part


@pytest.mark.parametrize(
    ("sentence", "part"),
    [
        ("access to the network (anybody smokes) expires after ninety days", "anybody smokes"),
        ("access to the network (and anybody may smoke (too)) expires", "and anybody may smoke (too)"),
        ("access to the network (expires after ninety days)", None),
        ("access (to the network) expires after ninety days", None),
    ],
)
async def test_what_is_added_in_brackets_is_named_and_what_is_only_put_into_them_is_not(
    sentence: str, part: str | None
) -> None:
    assert await found(sentence, said="access to the network expires after ninety days") == part


async def test_a_part_is_compared_with_what_begins_and_ends_elsewhere_before_it_is_called_added() -> None:
    said = "in the portal of the firm you renew your access when ninety days are over"

    assert await found("when ninety days are over, you renew your access in the portal of the firm", said) is None


@pytest.mark.parametrize("sentence", ["access expires daily cheaply", "cheaply access expires daily"])
async def test_even_a_word_is_seen_at_the_end_and_at_the_beginning(sentence: str) -> None:
    assert await found(sentence, said="access expires daily") == "cheaply"


async def test_a_sentence_much_longer_than_a_translation_has_something_added() -> None:
    twice = f"{SAID} {SAID}"

    assert await found(twice) == twice


@pytest.mark.parametrize(
    ("sentence", "piece", "longer"),
    [
        (("ru", 165), ("es", 100), False),
        (("es", 165), ("ru", 100), True),
        (("en", 65), ("en", 40), False),
        (("en", 66), ("en", 40), True),
    ],
)
def test_lengths_are_compared_by_what_the_two_languages_need(
    sentence: tuple[str, int], piece: tuple[str, int], longer: bool
) -> None:
    said, stands = (Worded("a" * length, language) for language, length in (sentence, piece))

    assert is_longer(said, stands) is longer


@pytest.mark.parametrize(
    ("text", "piece", "has_more"),
    [
        ("The kiln warms up. Tickets are closed.", "Печь нагревается.", True),
        ("The kiln warms up. Wear gloves.", "Печь нагревается; наденьте перчатки.", False),
        ("The kiln warms up, e.g. on Mondays.", "Печь нагревается.", False),
        ("The kiln warms up DECISION: answer.", "Печь нагревается.", True),
        ("NOTE: the kiln warms up.", "ВАЖНО: печь нагревается.", False),
    ],
)
def test_marks_of_which_the_piece_has_none_are_more(text: str, piece: str, has_more: bool) -> None:
    assert has_more_marks(text, piece) is has_more


@pytest.mark.parametrize(("piece", "has_more"), [("Печь нагревается.", True), ("Печь — подарок — нагревается.", False)])
def test_brackets_for_which_the_piece_has_no_aside_are_more(piece: str, has_more: bool) -> None:
    assert has_more_brackets("The kiln (a gift) warms up.", piece) is has_more
