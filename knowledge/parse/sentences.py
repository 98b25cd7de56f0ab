"""Sentence borders, in any language, as offsets."""

import re
from collections.abc import Iterator

from sentencex import segment

# The segmenter looks back from every mark: 1 MB of backticks at once would keep it busy for hours.
_WINDOW_CHARACTERS = 2_000
_HALF_PAIR = re.compile("[\ud800-\udfff]")


def sentence_spans(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each sentence in `text`, without the white space around it."""
    position = 0
    while position < len(text):
        window = _HALF_PAIR.sub("\ufffd", text[position : position + _WINDOW_CHARACTERS])
        spans = list(_spans(window, language))
        is_last = position + len(window) == len(text)
        # The window's end has cut its last sentence: the next window begins there.
        whole = spans if is_last or len(spans) < 2 else spans[:-1]
        yield from ((position + start, position + end) for start, end in whole)
        position += len(window) if whole == spans else spans[-1][0]


def _spans(window: str, language: str) -> Iterator[tuple[int, int]]:
    position = 0
    for sentence in segment(language, window):
        start = window.index(sentence, position)
        position = start + len(sentence)
        trimmed = sentence.strip()
        if trimmed:
            first = start + sentence.index(trimmed)
            yield first, first + len(trimmed)
