"""What no sentence is shown with, whatever its words are: a question, a crossed-out text, a sign of its own.

And which texts two languages can be compared in at all.
"""

import re
import unicodedata
from collections.abc import Sequence

from bot.core.verify.scripts import UNSPACED

# Marks that may follow the question mark that ends a text.
_CLOSING = "\"'»”’)]*_ "
_QUESTION_MARKS = ("?", "？", "؟", "\u037e")
# Signs that stand for a word, and are compared as one.
_WORDS = frozenset("°℃℉№©®™")
_CROSSED_OUT = re.compile(r"~~.+?~~", re.DOTALL)
# The raised digits of units: "25 m²" says what "25 m2" does.
_POWER = re.compile(r"(?<=[^\W\d_])[²³]")
# A letter of a script that has no blanks between words counts as one.
_UNSPACED = f"[{UNSPACED}]"
_LETTER = rf"[^\W\d_{UNSPACED}]"
_WORD = re.compile(rf"{_UNSPACED}|{_LETTER}+")
# A word as prose has it: neither a part of an address, a tag or a path, nor one with signs inside.
_PLAIN_WORD = re.compile(
    rf"{_UNSPACED}|(?<![^\s\"'«„“‘(¿¡—–-]){_LETTER}+(?:[-'’]{_LETTER}+)*(?![^\s\"'»”“’),.;:!?…—–-])(?![.:/-]\w)"
)
# A multilingual model finds any two texts of a word or two near each other.
FEWEST_WORDS = 3
# A language may need so many words for one of another.
WORDS_FOR_ONE = 3


def is_statement(text: str, pieces: Sequence[str]) -> bool:
    """Tell whether a text may state what its pieces say: it asks nothing, crosses nothing out and adds no sign."""
    return not (_asks(text) or _CROSSED_OUT.search(text) or _symbols(text) - _symbols("".join(pieces)))


def is_comparable(text: str, piece: str) -> bool:
    """Tell whether a text can be the translation of a piece, so that its vector is worth comparing with the piece's.

    The words that it does not share with the piece have to stand for plain words there: of a tag, an address or a row
    of signs there is no translation.
    """
    ours, theirs = set(_WORD.findall(text.casefold())), set(_WORD.findall(piece.casefold()))
    new = len(ours - theirs)
    plain = {word for word in _PLAIN_WORD.findall(piece.casefold()) if word not in ours}
    return new == 0 or (len(ours) >= FEWEST_WORDS and new <= WORDS_FOR_ONE * len(plain))


def _asks(text: str) -> bool:
    """Tell whether a text ends in a question: made of a passage's words, it states nothing."""
    return text.rstrip(_CLOSING).endswith(_QUESTION_MARKS)


def _symbols(text: str) -> frozenset[str]:
    """Return the pictures, signs and raised or ringed numbers of a text: a crossed-out circle behind it denies it."""
    return frozenset(character for character in _POWER.sub("", text) if _is_sign(character)) - _WORDS


def _is_sign(character: str) -> bool:
    form = unicodedata.decomposition(character)
    return unicodedata.category(character) == "So" or form.startswith(("<super>", "<sub>", "<circle>"))
