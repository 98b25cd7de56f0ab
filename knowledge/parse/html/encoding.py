"""The encoding of a page that comes as bytes: what it states, as browsers find it (HTML standard, 13.2.3)."""

import codecs
import re

# Browsers look for the encoding in so many bytes.
_SEARCHED_BYTES = 1_024
_STATED = re.compile(
    rb"<(?:meta|\?xml)\b[^>]{0,300}?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE
)
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# What browsers take for pages that state nothing and are no UTF-8.
_FALLBACK = "cp1252"


def decoded(content: bytes) -> str:
    """Return the text of a page; what no encoding explains is replaced, so any bytes give some text."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content.decode(encoding, "replace")
    stated = _STATED.search(content, 0, _SEARCHED_BYTES)
    for encoding in (stated[1].decode("ascii", "replace") if stated else "utf-8", "utf-8"):
        try:
            return content.decode(encoding)
        except (LookupError, UnicodeError):
            continue
    return content.decode(_FALLBACK, "replace")
