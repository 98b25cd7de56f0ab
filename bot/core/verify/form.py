"""What no sentence is shown with, whatever its words are: a question, a crossed-out text, a picture of its own."""

import re
import unicodedata
from collections.abc import Sequence

# Marks that may follow the question mark that ends a text.
_CLOSING = "\"'»”’)]*_ "
_QUESTION_MARKS = ("?", "？", "؟", "\u037e")
# Signs that stand for a word, and are compared as one.
_WORDS = frozenset("°℃℉№©®™")
_CROSSED_OUT = re.compile(r"~~.+?~~", re.DOTALL)


def is_statement(text: str, pieces: Sequence[str]) -> bool:
    """Tell whether a text may state what its pieces say: it asks nothing, crosses nothing out and adds no picture."""
    return not (_asks(text) or _CROSSED_OUT.search(text) or _symbols(text) - _symbols("".join(pieces)))


def _asks(text: str) -> bool:
    """Tell whether a text ends in a question: made of a passage's words, it states nothing."""
    return text.rstrip(_CLOSING).endswith(_QUESTION_MARKS)


def _symbols(text: str) -> frozenset[str]:
    """Return the pictures and signs of a text: a crossed-out circle behind it denies it."""
    return frozenset(character for character in text if unicodedata.category(character) == "So") - _WORDS
