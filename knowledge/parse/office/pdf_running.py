"""What repeats on the pages of a PDF, or leads to others, is no part of its text: headers, footers, contents."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

from knowledge.parse.office.pdf_lines import Line
from knowledge.parse.office.pdf_page import PageText

# Running headers and footers stand in these parts of a page's height, and on at least so many of its pages.
_MARGIN = 0.12
_SHARE = 0.3
_MIN_PAGES = 2
# Letters of headings are larger than those of the text by so much.
LARGER = 1.15
_MAX_KEY_CHARACTERS = 200
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"\W*(?:\w{1,8}\.?\s+)?#(?:\s*(?:/|\w{2,3})\s*#)?\W*|[ivxlc]{1,7}")
_LAST_NUMBER = re.compile(r"(?:^|\s)\W?(\d{1,5})\W?\Z")
_FIRST_NUMBER = re.compile(r"\W?(\d{1,5})(?:\s|\Z)")
_NUMBER = "a page's number alone"
# The dots that lead from an entry of the contents to its page.
_LEADERS = (". . . .", ".....", "……", "·····")


def without_running_lines(pages: Sequence[PageText]) -> list[list[Line]]:
    """Return the lines of each page without those at its edges that other pages repeat, and without contents."""
    marks = [[_marks(line, page, number) for line in page.lines] for number, page in enumerate(pages)]
    counts = Counter(mark for page in marks for mark in {mark for line in page for mark in line})
    needed = max(_MIN_PAGES, _SHARE * len(pages))
    body = body_size(line for page in pages for line in page.lines)

    def is_kept(line: Line, own: Sequence[Hashable]) -> bool:
        if is_contents(line):
            return False
        is_running = any(counts[mark] >= needed or mark == _NUMBER for mark in own)
        return line.size >= LARGER * body or not is_running

    return [
        [line for line, own in zip(page.lines, page_marks, strict=True) if is_kept(line, own)]
        for page, page_marks in zip(pages, marks, strict=True)
    ]


def _marks(line: Line, page: PageText, number: int) -> list[Hashable]:
    """Return by what a line at the edge of a page may be known on others: its text, or the page's number in it."""
    edge = page.height * _MARGIN
    if page.bottom + edge <= line.top and line.bottom <= page.bottom + page.height - edge:
        return []
    text = line.text[:_MAX_KEY_CHARACTERS].strip().lower()
    key = _DIGITS.sub("#", text)
    if _PAGE_NUMBER.fullmatch(key):
        return [_NUMBER]
    numbers = [found[1] for found in (_FIRST_NUMBER.match(text), _LAST_NUMBER.search(text)) if found]
    return [key, *((int(found) - number, line.top < page.bottom + edge) for found in numbers)]


def is_contents(line: Line) -> bool:
    """Tell whether a line is an entry of the table of contents, with dots before its page."""
    text = line.text
    last = text.rpartition(" ")[2].strip(".")
    return any(leader in text for leader in _LEADERS) and (last.isdecimal() or set(last.lower()) <= set("ivxlc"))


def body_size(lines: Iterable[Line]) -> float:
    """Return the size that most letters have."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return max(sizes, key=lambda size: sizes[size], default=0.0)
