"""How people begin and end what they write, and name what is numbered, in all of our languages at once."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from bot.core.courtesy import is_courtesy

_BREAK = r"[\s,.!:;)(…–—\u263a\U0001f300-\U0001faff-]"
_LOOSE = " ,;–—-\n"
# A name, or two: words with a capital.
_NAME = r"[^\W\d_a-zа-яєіїґё][^\W\d_]+(?:[ ][^\W\d_a-zа-яєіїґё][^\W\d_]+)?"
_MARKS_OF_A_NUMBER = re.compile(r"\s*(?:№|#|nº|n°)(?=\s*(?:[\s,.!?;:)]|$))")
_SPACE_BEFORE_MARK = re.compile(r"\s+([,.!?;:)])")
_EMPTY_BRACKETS = re.compile(r"\(\s*\)|\[\s*\]|<\s*>")
_SPACES = re.compile(r"[^\S\n]+")


@dataclass(frozen=True, slots=True)
class _Patterns:
    """What is polite, and what is numbered, in any of our languages."""

    greeting: re.Pattern[str]
    aside: re.Pattern[str]
    closing: re.Pattern[str]
    introduction: re.Pattern[str]
    numbered: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    named = rf"(?P<name>{_NAME})"
    ends = r"(?=\s*[,.!:;)–—]|\s*$)"
    return _Patterns(
        greeting=re.compile(
            rf"\s*(?i:{_listed('greetings')})(?:(?:\s*,)?\s+(?:(?i:{_listed('addressed')})(?!\w)|{named}{ends}))?"
            rf"(?:{_BREAK}+|$)"
        ),
        aside=re.compile(rf"\s*(?i:{_listed('asides')})(?:\s*[,.!:;?–—-]+\s*|\s+(?=\w)|\s*$)"),
        closing=re.compile(
            rf"(?:^|(?<=[.!?…,;)\n]))\s*(?i:{_listed('closings')})(?:\s*[,.!]*\s*(?:{_NAME})?)?{_BREAK}*$"
        ),
        introduction=re.compile(
            rf"(?<!\w)(?i:{_listed('introductions')})\s+{named}(?:{ends}|\s+(?:and|і|й|и|y)(?=\s))"
        ),
        # With letters too, if there are digits among them.
        numbered=re.compile(
            rf"(?:(?<!\w)(?i:{_listed('numbered')})(?!\w)\s*(?:№|#|nº|n°|no\.?|nr\.?|:)?\s*|№\s*|(?<!\w)#)"
            r"(?P<number>(?=[\w/-]*\d{3})[^\W\d_]{0,5}[-/]?\d[\w/-]*\w)(?!\w)"
        ),
    )


def _listed(kind: str) -> str:
    """Return what is listed under a kind in any language, the longest first, as an alternative of a pattern."""
    tables = tomllib.loads((resources.files(__package__) / "manners.toml").read_text(encoding="utf-8"))
    phrases = sorted({phrase for table in tables.values() for phrase in table[kind]}, key=lambda one: (-len(one), one))
    return "|".join(r"[\s,]+".join(map(re.escape, phrase.split())) for phrase in phrases)


def numbered(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the number of something stands, as that of an order."""
    return (match.span("number") for match in _patterns().numbered.finditer(text))


def addressed(text: str) -> Iterator[str]:
    """Yield the names of people by which a text greets somebody, or says who wrote it."""
    matches = [_patterns().greeting.match(text), *_patterns().introduction.finditer(text)]
    yield from (match["name"] for match in matches if match and match["name"])


def without_manners(text: str) -> str:
    """Return what is asked, or said, without greeting, introduction and thanks; "" where it is nothing else."""
    text = _begun(text)
    for match in reversed([*_patterns().introduction.finditer(text)]):
        text = f"{text[: match.start()].rstrip(_LOOSE)} {text[match.end() :].lstrip(_LOOSE + '.!')}".strip()
    text = _begun(text)
    while closing := _patterns().closing.search(text):
        text = text[: closing.start()].rstrip()
    return "" if is_courtesy(text) else text.strip()


def _begun(text: str) -> str:
    """Return a text from where it comes to the point."""
    text = text.strip()
    while match := _patterns().greeting.match(text) or _patterns().aside.match(text):
        text = text[match.end() :].strip()
    return text


def tidy(text: str) -> str:
    """Return a text whose gaps are closed, with a capital at its beginning."""
    text = _EMPTY_BRACKETS.sub("", _MARKS_OF_A_NUMBER.sub("", text))
    text = _SPACE_BEFORE_MARK.sub(r"\1", _SPACES.sub(" ", text)).strip(_LOOSE)
    return text[:1].upper() + text[1:]
