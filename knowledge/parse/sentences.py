"""Sentence borders, in any language, as offsets."""

from collections.abc import Iterator

from sentencex import segment


def sentence_spans(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each sentence in `text`, without the white space around it."""
    position = 0
    for sentence in segment(language, text):
        start = text.index(sentence, position)
        position = start + len(sentence)
        trimmed = sentence.strip()
        if trimmed:
            first = start + sentence.index(trimmed)
            yield first, first + len(trimmed)
