"""Borders between visible characters: an emoji family or a letter with its accents is one of them."""

import unicodedata

_JOINER = "\u200d"
# A non-joiner and two vowels of Thai and Lao belong to what they follow, though they are no marks.
_FOLLOWERS = "\u200c\u200d\u0e33\u0eb3"
# Signs that belong to the number or letter behind them.
_LEADERS = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2"
# The combining class of signs that tie two Indic consonants together.
_VIRAMA = 9
_MARKS = frozenset({"Mn", "Me", "Mc"})
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_TAGS = range(0xE0020, 0xE0080)
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)
# Two of them are a flag. So many are counted back to tell which two, an even number: more flags in a row say nothing.
_COUNTED_FLAG_LETTERS = 1_000
# Hangul letters of one syllable: leading consonants, vowels, final consonants, and whole syllables.
_LEADING, _VOWELS, _FINAL = range(0x1100, 0x1160), range(0x1160, 0x11A8), range(0x11A8, 0x1200)
_SYLLABLES = range(0xAC00, 0xD7A4)
# Written without spaces between words: South-East Asian scripts, kana, ideographs.
_SPACELESS = (
    range(0x0E00, 0x0F00),
    range(0x1000, 0x10A0),
    range(0x1780, 0x1800),
    range(0x2E80, 0xA000),
    range(0xF900, 0xFB00),
    range(0xFF00, 0xFFA0),
    range(0x20000, 0x32000),
)


def is_between_characters(text: str, offset: int, *, since: int = 0) -> bool:
    """Tell whether a visible character ends at an offset, as Unicode's annex 29 has it; `since` is such an offset."""
    if offset <= since or offset >= len(text):
        return True
    before, behind = text[offset - 1], text[offset]
    if before.isspace() and before != " ":
        return not (before == "\r" and behind == "\n")
    is_tied = before == _JOINER or before in _LEADERS or unicodedata.combining(before) == _VIRAMA
    if is_tied or behind in _FOLLOWERS or unicodedata.category(behind) in _MARKS:
        return False
    point = ord(behind)
    if point in _SKIN_TONES or point in _TAGS:
        return False
    if point in _FLAG_LETTERS:
        return _flag_letters_before(text, offset, since) % 2 == 0
    return not _is_inside_syllable(ord(before), point)


def last_border(text: str, offset: int, *, since: int) -> int:
    """Return the last border of visible characters in (since, offset]; `since`, itself one, where there is none."""
    while offset > since and not is_between_characters(text, offset, since=since):
        offset -= 1
    return offset


def is_spaceless(character: str) -> bool:
    """Tell whether a character's script has no spaces between its words."""
    return any(ord(character) in points for points in _SPACELESS)


def _flag_letters_before(text: str, offset: int, since: int) -> int:
    first = offset
    while first > max(since, offset - _COUNTED_FLAG_LETTERS) and ord(text[first - 1]) in _FLAG_LETTERS:
        first -= 1
    return offset - first


def _is_inside_syllable(before: int, behind: int) -> bool:
    if before in _LEADING:
        return behind in _LEADING or behind in _VOWELS or behind in _SYLLABLES
    is_open = before in _SYLLABLES and (before - _SYLLABLES.start) % 28 == 0
    if before in _VOWELS or is_open:
        return behind in _VOWELS or behind in _FINAL
    return (before in _SYLLABLES or before in _FINAL) and behind in _FINAL
