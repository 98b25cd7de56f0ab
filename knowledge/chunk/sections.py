"""The sections around passages: what is read with a small passage, cut at headings."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from knowledge.chunk.token_estimate import estimated_tokens
from knowledge.parse.lines import line_of, line_starts
from knowledge.types import Parsed, Passage, Section

MAX_TOKENS = 1_500


def with_sections(
    parsed: Parsed, passages: Sequence[Passage], *, max_tokens: int = MAX_TOKENS
) -> tuple[list[Passage], list[Section]]:
    """Return the passages with the numbers of their sections, and the sections.

    A section is as much of the document as fits under one heading, or under neighbouring ones of the same level; where
    the passages under one heading alone are too many, a run of them.
    """
    starts = line_starts(parsed.text)
    headings = [block.start for block in parsed.blocks if block.kind == "heading" and block.end > block.start]
    sizes = [estimated_tokens(passage.text) for passage in passages]
    numbered: list[Passage] = []
    sections: list[Section] = []
    end = 0
    for first, last in _runs(passages, sizes, max_tokens):
        begin = passages[first].start
        start = min((heading for heading in headings if end <= heading < begin), default=begin)
        end = max(passage.end for passage in passages[first:last])
        numbered += [replace(passage, section=len(sections)) for passage in passages[first:last]]
        sections.append(Section(start, end, line_of(starts, start), line_of(starts, end - 1)))
    return numbered, sections


Run = tuple[int, int]


def _runs(passages: Sequence[Passage], sizes: Sequence[int], limit: int) -> list[Run]:
    """Return the first and the last number (exclusive) of the passages of each section."""
    return list(_split(passages, sizes, (0, len(passages)), 0, limit)) if passages else []


def _split(passages: Sequence[Passage], sizes: Sequence[int], run: Run, depth: int, limit: int) -> Iterator[Run]:
    """Yield a run whole if it fits, else what stands under each of its headings; small neighbours are joined."""
    first, last = run
    if sum(sizes[first:last]) <= limit or last - first == 1:
        yield run
        return
    joined: Run | None = None
    for below in _below(passages, run, depth):
        if joined and sum(sizes[joined[0] : below[1]]) <= limit:
            joined = joined[0], below[1]
            continue
        if joined:
            yield joined
        joined = below if sum(sizes[below[0] : below[1]]) <= limit else None
        if joined is None:
            yield from _split(passages, sizes, below, depth + 1, limit)
    if joined:
        yield joined


def _below(passages: Sequence[Passage], run: Run, depth: int) -> Iterator[Run]:
    """Yield what stands under each heading of the next level; where there is none, each passage."""
    numbers = range(*run)
    if all(len(passages[number].heading) <= depth for number in numbers):
        yield from ((number, number + 1) for number in numbers)
        return
    for _, group in groupby(numbers, key=lambda number: passages[number].heading[: depth + 1]):
        members = list(group)
        yield members[0], members[-1] + 1
