"""The files of the same source that a description in YAML or JSON refers to with `$ref`."""

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import unquote

from knowledge.parse.templates.includes import within

MAX_FILES = 200
MAX_CHARACTERS = 10 * 1024 * 1024
MAX_PATH_CHARACTERS = 500
# `$ref: x.yaml`, `"$ref": "x.json#/y"`: the value in quotes, or up to what ends a plain one.
_REFERENCE = re.compile(
    r"\$ref[\"']?[ \t]*:[ \t]*(?:'(?P<single>[^'\n]*)'|\"(?P<double>[^\"\n]*)\"|(?P<plain>[^\s,}\]\"'][^\s,}\]]*))"
)
_ELSEWHERE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|[^\n]*[\\\x00-\x1f\x7f]")


def referenced(text: str, path: str, read: Callable[[str], str | None]) -> Mapping[str, str]:
    """Return the text of each file that the one at `path` refers to, and of those that they refer to, by path.

    Paths start at the source's root. What lies outside of it, or on another machine, is left out, and so is what goes
    beyond 200 files or 10 million characters; `read` gives None for what is missing.
    """
    found: dict[str, str] = {}
    asked = {path}
    left = MAX_CHARACTERS
    waiting = deque([(path, text)])
    while waiting:
        including, holding = waiting.popleft()
        for target in _targets(holding, including):
            if target in asked or len(asked) > MAX_FILES:
                continue
            asked.add(target)
            content = read(target)
            if content is None or len(content) > left:
                continue
            left -= len(content)
            found[target] = content
            waiting.append((target, content))
    return found


def _targets(text: str, path: str) -> Iterator[str]:
    """Yield the paths that references in a file lead to, as far as they lie inside."""
    if "$ref" not in text:
        return
    folder = path.rpartition("/")[0]
    for reference in _REFERENCE.finditer(text):
        written = (reference["single"] or reference["double"] or reference["plain"] or "").partition("#")[0].strip()
        if not written or len(written) > MAX_PATH_CHARACTERS or _ELSEWHERE.match(written):
            continue
        # A reference is an address (RFC 3986): what is encoded in it is judged as what it means.
        meant = unquote(written.partition("?")[0])
        if _ELSEWHERE.match(meant):
            continue
        target = within("" if meant.startswith("/") else folder, meant)
        if target:
            yield target
