"""Running text as a reader sees it: white space collapsed, and nothing of what nobody sees."""

import re
from collections.abc import Iterable
from itertools import islice

# What nobody sees: NUL, soft hyphens, zero-width spaces, and the tag characters that can carry a hidden instruction.
_INVISIBLE = re.compile("[\0\u00ad\u200b\u2060\ufeff\U000e0000-\U000e0fff]")
_LINE_ENDS = re.compile("\r\n?")
# What is looked at of a heading to see whether it has words.
_MAX_PIECES = 300
_MAX_CHARACTERS = 300
# Longer ones are no signs.
_MAX_SIGN_CHARACTERS = 8


def tidy(text: str) -> str:
    """Return running text as it is shown: white space collapsed, no blank lines."""
    lines = (" ".join(line.split()) for line in _INVISIBLE.sub("", text).split("\n"))
    return "\n".join(line for line in lines if line)


def tidy_line(text: str) -> str:
    """Return running text on one line."""
    return " ".join(_INVISIBLE.sub("", text).split())


def tidy_code(text: str) -> str:
    """Return code without blank lines around it."""
    text = _LINE_ENDS.sub("\n", _INVISIBLE.sub("", text)).replace("\u00a0", " ")
    return text.strip("\n").rstrip()


def has_words(pieces: Iterable[str]) -> bool:
    """Tell whether text begins with words."""
    return any(character.isalnum() for piece in islice(pieces, _MAX_PIECES) for character in piece[:_MAX_CHARACTERS])


def is_sign(pieces: list[str], first: int) -> bool:
    """Tell whether text, from a piece on, is a few signs without a word, such as `¶`."""
    if len(pieces) - first > _MAX_SIGN_CHARACTERS:
        return False
    text = "".join(pieces[first:])
    return len(text) <= _MAX_SIGN_CHARACTERS and not has_words([text])
