"""The statements of SQL in a dialect that the grammar does not know, told apart by their first words."""

import re
from collections.abc import Iterator

from knowledge.parse.code.names import plain_name
from knowledge.parse.code.outline import DEFINITION, STATEMENTS, Region

# What is looked at of a statement for its name.
_HEAD_CHARACTERS = 500
_STARTER = re.compile(
    r"(?:alter|begin|call|comment|create|declare|delete|drop|exec|execute|grant|insert|lock|merge|replace|revoke|select"
    r"|set|truncate|unlock|update|use|with)\b",
    re.IGNORECASE,
)
_DELIMITER = re.compile(r"delimiter\s+(\S+)", re.IGNORECASE)
_BATCH_END = re.compile(r"(?:go|/)\s*(?:;\s*)?", re.IGNORECASE)
_MASK = re.compile(r"--|/\*|\$(?:[^\W\d]\w*)?\$")
_PART = r'(?:"[^"\n]+"|`[^`\n]+`|\[[^\]\n]+\]|[\w$#]+)'
_CREATE = re.compile(
    r"create\s+(?:[^\s(]+\s+){0,6}?(?P<kind>table|view|type|function|procedure|trigger|package(?:\s+body)?)\s+"
    rf"(?:if\s+not\s+exists\s+)?(?P<name>{_PART}(?:\.{_PART}){{0,3}})",
    re.IGNORECASE,
)
_BODY = re.compile(r"(?: as| \(|\(| as \$\S*)$", re.IGNORECASE)
_TYPES = frozenset({"table", "view", "type"})


def sql_outline(text: str, module: str) -> list[Region]:
    """Return the regions of an SQL file in order, without gaps; a statement begins a line with one of its verbs."""
    regions: list[Region] = []
    for start, begin in _statements(text):
        region = _region(text, start, begin, module)
        if not regions or region.name or (regions[-1].path, regions[-1].kind) != (region.path, region.kind):
            regions.append(region)
    if not regions or regions[0].start > 0:
        regions.insert(0, Region(0, (module,), STATEMENTS))
    return regions


def _region(text: str, start: int, begin: int, module: str) -> Region:
    head = text[begin : begin + _HEAD_CHARACTERS]
    created = _CREATE.match(head)
    if not created:
        return Region(start, (module,), STATEMENTS)
    name = plain_name(created["name"])
    path = (module, name) if created["kind"].lower() in _TYPES else (module,)
    signature = _BODY.sub("", " ".join(head.partition("\n")[0].split()))
    return Region(start, path, DEFINITION, name, signature)


def _statements(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each statement starts with the comment directly above it, and where its own words begin."""
    end_mark, open_mask = ";", ""
    is_ended = True
    comment: int | None = None
    position = 0
    for line in text.splitlines(keepends=True):
        was_masked = bool(open_mask)
        code, open_mask = _unmasked(line, open_mask, has_dollars="$" not in end_mark)
        seen = code.strip()
        if not seen:
            comment = (position if comment is None else comment) if line.strip() else None
        elif delimiter := _DELIMITER.match(seen):
            end_mark, is_ended, comment = delimiter[1], True, None
        else:
            if is_ended and not was_masked and _STARTER.match(line):
                yield (position if comment is None else comment), position
            is_ended = not open_mask and (seen.endswith(end_mark) or bool(_BATCH_END.fullmatch(seen)))
            comment = None
        position += len(line)


def _unmasked(line: str, mask: str, *, has_dollars: bool) -> tuple[str, str]:
    """Return a line without comments and dollar-quoted text, and what ends the mask that is open behind it."""
    code = ""
    position = 0
    while True:
        if mask:
            end = line.find(mask, position)
            if end < 0:
                return code, mask
            # A body in dollars is code, whatever it holds.
            code += "" if mask == "*/" else "$"
            position, mask = end + len(mask), ""
        found = _MASK.search(line, position)
        while found and found[0].startswith("$") and not has_dollars:
            found = _MASK.search(line, found.end())
        if not found:
            return code + line[position:], ""
        code += line[position : found.start()]
        if found[0] == "--":
            return code, ""
        code += "$" if found[0].startswith("$") else ""
        mask = "*/" if found[0] == "/*" else found[0]
        position = found.end()
