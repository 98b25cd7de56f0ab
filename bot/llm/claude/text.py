"""Text as it may be sent to a model: what a reader sees of it, and nothing that only a machine would read."""

import unicodedata

_JOINERS = "\u200c\u200d"
# Format characters (zero width, direction, tags), controls, halves of surrogate pairs, and what has no meaning.
_UNSEEN_CATEGORIES = frozenset({"Cf", "Cc", "Cs", "Cn", "Co"})
# Letters and marks that are drawn as nothing at all.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_SUPPLEMENTARY_SELECTORS = range(0xE0100, 0xE01F0)
_LINE_ENDS = frozenset("\n\u2028\u2029")
_CYRILLIC = ("\u0370", "\u058f")
LATIN_CHARACTERS_PER_TOKEN = 3.5
CYRILLIC_CHARACTERS_PER_TOKEN = 2.2
OTHER_CHARACTERS_PER_TOKEN = 1.5


def seen(text: str) -> str:
    """Return a text without the characters that nobody sees; its lines stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_kept(text, position) for position in range(len(text)))


def seen_line(text: str) -> str:
    """Return a text without unseen characters, on one line."""
    return " ".join(seen(text).split())


def _kept(text: str, position: int) -> str:
    character = text[position]
    if character in _LINE_ENDS:
        return "\n"
    if character == "\t":
        return character
    if character in _JOINERS:
        return character if _joins_letters(text[max(0, position - 1) : position + 2]) else ""
    is_unseen = (
        unicodedata.category(character) in _UNSEEN_CATEGORIES
        or character in _BLANK
        or ord(character) in _SUPPLEMENTARY_SELECTORS
    )
    return "" if is_unseen else character


def _joins_letters(around: str) -> bool:
    """Tell whether a joiner stands between two letters or signs of a script that needs it, as Persian and emoji do."""
    outer = around[::2]
    return len(around) == 3 and all(
        not character.isascii() and unicodedata.category(character)[0] in "LMS" for character in outer
    )


def tokens_in(text: str) -> int:
    """Return about how many tokens a text has, rather too many than too few."""
    latin = sum(character < _CYRILLIC[0] for character in text)
    cyrillic = sum(_CYRILLIC[0] <= character <= _CYRILLIC[1] for character in text)
    others = len(text) - latin - cyrillic
    return round(
        latin / LATIN_CHARACTERS_PER_TOKEN
        + cyrillic / CYRILLIC_CHARACTERS_PER_TOKEN
        + others / OTHER_CHARACTERS_PER_TOKEN
    )
