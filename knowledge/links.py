"""Deep links: a document's address has places that each passage fills in."""

import re
from urllib.parse import quote

ANCHOR, START_LINE, END_LINE = "{anchor}", "{start_line}", "{end_line}"
# Characters that an address may hold after `#` as they are (RFC 3986, section 3.5).
_SAFE_IN_FRAGMENT = "!$&'()*+,;=:@/?-._~"
_LINES = re.compile(r"#[^#]*\{(?:start|end)_line\}.*")


def passage_link(url: str | None, *, anchor: str | None, start_line: int, end_line: int) -> str | None:
    """Return the address of one passage; without an anchor the address ends before the `#` that would lead to it."""
    if url is None:
        return None
    if ANCHOR in url:
        url = url.replace(ANCHOR, quote(anchor, safe=_SAFE_IN_FRAGMENT)) if anchor else url.replace(f"#{ANCHOR}", "")
    return url.replace(START_LINE, str(start_line)).replace(END_LINE, str(end_line))


def without_lines(url: str | None) -> str | None:
    """Return an address without the lines of a passage: those of its text are not those of its source."""
    return url and _LINES.sub("", url)
