"""Headings of a page: each gets its anchor, and behind a fold the heading above it goes on."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from knowledge.parse.markdown.page import Fold
from knowledge.types import Block

_NOT_IN_SLUG = re.compile(r"[^\w\- ]+")


class Headings:
    """The headings of one page, in reading order."""

    def __init__(self, starts: Sequence[int], folds: Sequence[Fold]) -> None:
        self._taken: dict[str, int] = {}
        self._path: tuple[Block, ...] = ()
        self._folds = {starts[fold.start]: (fold, starts[min(fold.end, len(starts) - 1)]) for fold in folds}
        # The folds around this place: where each ends, its level, and the headings above it.
        self._around: list[tuple[int, int, tuple[Block, ...]]] = []

    def with_anchor(self, heading: Block, explicit: str | None) -> Block:
        """Give a heading its explicit anchor, or the slug that Git hosts make of its text; a tab has none."""
        self._leave_folds(heading.start)
        self._path = tuple(above for above in self._path if above.level < heading.level)
        fold, end = self._folds.get(heading.start, (None, 0))
        if fold and fold.is_tab:
            anchor = self._path[-1].anchor if self._path else None
        elif explicit:
            self._taken.setdefault(explicit, 0)
            anchor = explicit
        else:
            anchor = self._unused(_NOT_IN_SLUG.sub("", heading.text.lower()).replace(" ", "-")) or None
        heading = replace(heading, anchor=anchor)
        if fold:
            self._around.append((end, heading.level, self._path))
        self._path = (*self._path, heading)
        return heading

    def going_on_at(self, start: int) -> Iterator[Block]:
        """Yield the heading that goes on at this place, if a fold has ended before it."""
        level = self._leave_folds(start)
        if level and self._path:
            yield replace(self._path[-1], start=start, end=start)
        elif level:
            yield Block("heading", start, start, "", level=level)

    def _leave_folds(self, start: int) -> int:
        """Leave the folds that end before this place; return the level of the outermost one, 0 for none."""
        level = 0
        while self._around and self._around[-1][0] <= start:
            _, level, self._path = self._around.pop()
        return level

    def _unused(self, slug: str) -> str:
        """Return the slug, numbered where headings above have taken it."""
        taken = self._taken
        if not slug or slug not in taken:
            taken[slug] = 0
            return slug
        number, candidate = taken[slug], slug
        while candidate in taken:
            number += 1
            candidate = f"{slug}-{number}"
        taken[slug], taken[candidate] = number, 0
        return candidate
