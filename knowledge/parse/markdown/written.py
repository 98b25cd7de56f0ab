"""A Markdown page as its author wrote it, turned into what its site generator shows: plain Markdown, line for line.

What only the generator reads (directives, fences of admonitions, includes, identifiers) is left out: a line of it is
blank, and every other line keeps its number. Code stays as it is. What is plain already does not change.
"""

from dataclasses import replace

from knowledge.parse.markdown.front import front_matter
from knowledge.parse.markdown.page import Page, Written

# What is left out may make a mark of a line above it; further than this nobody goes.
_MAX_ROUNDS = 4


def as_shown(text: str) -> Written:
    """Return the page as it is shown; never fails, and takes time in proportion to the text."""
    metadata, behind = front_matter(text)
    first = text.count("\n", 0, behind) + (behind > 0 and text[behind - 1] != "\n")
    page = Page(text)
    page.read(first)
    written = page.written(text)
    for _ in range(_MAX_ROUNDS):
        if not page.needs_another_reading or written.text == text:
            break
        text, page = written.text, Page(written.text)
        page.read(0)
        written = _joined(written, page.written(text))
    return replace(written, metadata=metadata)


def _joined(above: Written, below: Written) -> Written:
    """Return what two readings of one page have found, of which the second read what the first has left."""
    return replace(
        below,
        anchors={**below.anchors, **above.anchors},
        folds=(*above.folds, *below.folds),
        footnotes={**below.footnotes, **above.footnotes},
    )
