"""People who are mentioned on a page: storage format holds their ids, readers see their names."""

import re
from collections.abc import Mapping
from xml.sax.saxutils import escape

# Code keeps what is written in it; a link with a text of its own shows that.
_MENTION = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)"
    r"|<ri:user\b[^<>]*?\bri:(?:account-id|userkey)=\"(?P<id>[^\"<>&]+)\"[^<>]*?/>"
    r"(?!\s*<ac:(?:plain-text-)?link-body)",
    re.DOTALL,
)


def mentioned(storage: str) -> set[str]:
    """Return the ids of the accounts that a page mentions."""
    return {match["id"] for match in _MENTION.finditer(storage) if match["id"]}


def with_names(storage: str, names: Mapping[str, str]) -> str:
    """Return a page with the names of those it mentions where it is read, as far as they are known."""

    def named(match: re.Match[str]) -> str:
        name = names.get(match["id"] or "")
        return f"{match[0]}<ac:link-body>@{escape(name)}</ac:link-body>" if name else match[0]

    return _MENTION.sub(named, storage)
