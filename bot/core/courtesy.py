"""Tells thanks from questions: who only thanks is not to be answered, and no person has to be asked about it."""

import re
import tomllib
from functools import cache
from importlib import resources

# How chats write an emoji without showing it.
_EMOJI_NAME = re.compile(r":[\w+'-]+:")
_WORD = re.compile(r"[^\W_]+")


def is_courtesy(text: str) -> bool:
    """Tell whether a text says nothing but thanks and the like, in any of our languages, perhaps with an emoji."""
    if not text.strip() or "?" in text:
        return False
    said = " ".join(_WORD.findall(_EMOJI_NAME.sub(" ", text).casefold()))
    return _courtesies().fullmatch(said) is not None


@cache
def _courtesies() -> re.Pattern[str]:
    file = resources.files("bot.core") / "courtesies.toml"
    phrases = [phrase for listed in tomllib.loads(file.read_text(encoding="utf-8")).values() for phrase in listed]
    longest_first = "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))
    return re.compile(rf"(?:(?:{longest_first})(?: |$))*")
