"""Sentence borders, in any language, as offsets.

What ends a paragraph or begins a list item is a border; a line break alone is none. In Latin, Cyrillic and most other
scripts a mark ends a sentence only before white space; the marks of Chinese, Japanese and Indian scripts need none.
"""

import re
from collections.abc import Iterator

from knowledge.parse.sentences.ends import Mark, ends_sentence

# Their marks end a sentence wherever they stand.
_SPACELESS = "。！？｡।॥۔။។።"
_CLOSING = r"[\"'”’»›)\]}*_~」』）】》]|\[\^?\w{1,8}\]|[ \u00a0\u202f]»(?!\w)"
_MARK = re.compile(rf"(?:[.!?…؟։]++|(?P<spaceless>[{_SPACELESS}]++))(?P<closing>(?:{_CLOSING})*+)")
_BULLET = r"[-*+•‣◦▪·]|\(?(?:\d{1,3}|[^\W\d_])\)|\d{1,3}\."
_HARD_BORDER = re.compile(rf"\n[ \t\r]*+\n|\n(?=[ \t]*+(?:{_BULLET})[ \t])")
_SPACE = re.compile(r"\s*+")
_GOES_ON = re.compile(r"[,;:!?.…](?!\w)")
_HIRAGANA = re.compile("[\u3041-\u309f]")


def sentence_spans(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each sentence in `text`, without the white space around it."""
    position = 0
    for border in _HARD_BORDER.finditer(text):
        yield from _spans_between(text, language, position, border.start())
        position = border.end()
    yield from _spans_between(text, language, position, len(text))


def _spans_between(text: str, language: str, position: int, stop: int) -> Iterator[tuple[int, int]]:
    line = start = _after_space(text, position, stop)
    for found in _MARK.finditer(text, line, stop):
        end = found.end()
        following = _after_space(text, end, stop)
        if following == stop or _GOES_ON.match(text, following):
            continue
        if found["spaceless"]:
            # What somebody said in Japanese is part of the sentence that tells it.
            is_end = not (found["closing"] and _HIRAGANA.match(text, following))
        else:
            mark = Mark(text, language, line, start, found.start(), found.start("closing"), end, stop)
            is_end = following > end and ends_sentence(mark)
        if is_end:
            yield start, end
            start = following
    if start < stop:
        yield start, start + len(text[start:stop].rstrip())


def _after_space(text: str, position: int, stop: int) -> int:
    space = _SPACE.match(text, position, stop)
    return space.end() if space else position
