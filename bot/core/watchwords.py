"""Words that an operator watches for in what people write."""

import re
import unicodedata
from collections.abc import Iterable

from bot.core.verify.scripts import UNSPACED

_UNSPACED = re.compile(f"[{UNSPACED}]")


def mentions(text: str, words: Iterable[str]) -> bool:
    """Tell whether one of some words stands in a text, in whatever case and with whatever ending.

    A word is found where it begins one, so that "sue" is no part of "issue"; in scripts without blanks anywhere.
    """
    said = _folded(text)
    return any(re.search(pattern, said) for word in words if (pattern := _pattern(word)))


def _pattern(word: str) -> str:
    """Return what finds a word; "" for a blank one, which says nothing."""
    folded = " ".join(_folded(word).split())
    if not folded:
        return ""
    is_anywhere = _UNSPACED.match(folded) or not folded[0].isalnum()
    return ("" if is_anywhere else r"(?<!\w)") + re.escape(folded).replace(r"\ ", r"\s+")


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
