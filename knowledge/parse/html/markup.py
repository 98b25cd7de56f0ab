"""How HTML is written: what of it is markup, and what stands in a tag."""

import re
from html import unescape

# Everything that is not text, in one pass over any input: what is not closed reaches to the end, as in browsers.
# (The standard library's HTMLParser takes the square of the length for `<a <a <a` ...: an hour for 1 MB.)
MARKUP = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    r"|<!\[CDATA\[(?P<data>.*?)(?:\]\]>|\Z)"
    r"|<[!?][^>]*(?:>|\Z)"
    r"|<(?P<end>/?)(?P<tag>[a-zA-Z][^\s/>]*)(?P<attributes>(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+)(?:>|[\"'].*\Z|\Z)",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([^\s=/\"']+)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"']+))?")


def attributes_of(written: str) -> dict[str, str]:
    """Return the attributes written in a tag: names in lower case, entities resolved, the first of each name."""
    found = _ATTRIBUTE.findall(written) if written.strip("/ ") else []
    return {name.lower(): unescape(value.strip("\"'")) for name, value in reversed(found)}


def end_of_raw(html: str, tag: str, position: int) -> int:
    """Return where an element ends whose content is no markup."""
    end = re.compile(f"</{tag}", re.IGNORECASE).search(html, position)
    return end.start() if end else len(html)
