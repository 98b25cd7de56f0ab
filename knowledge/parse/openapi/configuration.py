"""YAML and JSON that describe no API: shown as they are written, a section for each key at the top."""

import re
from collections.abc import Iterator

from knowledge.types import Block, Parsed

# More sections of one file than this are not told apart.
MAX_SECTIONS = 5_000
_MAX_KEY_CHARACTERS = 200
_YAML_KEY = re.compile(
    r"""^(?:"([^"\n]{1,200})"|'([^'\n]{1,200})'|([^\s#'"\[\]{}&*!|>%@`,?:-][^\n:#]{0,200}?))[ \t]{0,20}:(?=\s|$)""",
    re.M,
)
_JSON_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|[{}\[\]]')
_COMMENT = re.compile(r"[ \t]*#")


def parse(text: str, problems: tuple[str, ...] = ()) -> Parsed:
    """Return the text as code; never fails."""
    is_json = text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")
    borders = list(_json_keys(text) if is_json else _yaml_keys(text))
    return Parsed(text, tuple(_blocks(text, borders)), problems=problems)


def _yaml_keys(text: str) -> Iterator[tuple[int, str]]:
    for number, match in enumerate(_YAML_KEY.finditer(text)):
        if number >= MAX_SECTIONS:
            return
        yield _with_comments(text, match.start()), next(filter(None, match.groups()), "")


def _with_comments(text: str, start: int) -> int:
    """Return where the comment lines begin that stand directly above a key."""
    while start > 0:
        above = text.rfind("\n", 0, start - 1) + 1
        if not _COMMENT.match(text, above, start):
            break
        start = above
    return start


def _json_keys(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines on which the keys of the outermost object stand."""
    depth = found = line = 0
    for token in _JSON_TOKEN.finditer(text):
        if token[0] in "{[":
            depth += 1
        elif token[0] in "}]":
            depth -= 1
        elif depth == 1 and text[token.end() : token.end() + 20].lstrip()[:1] == ":":
            start = text.rfind("\n", line, token.start()) + 1
            # Several keys on one line are one section.
            if start > line or not found:
                yield start, token[1]
                found, line = found + 1, start
            if found >= MAX_SECTIONS:
                return


def _blocks(text: str, borders: list[tuple[int, str]]) -> Iterator[Block]:
    first = borders[0][0] if borders else len(text)
    if text[:first].strip() not in ("---", "{"):
        yield from _code(text, 0, first)
    ends = [start for start, _ in borders[1:]] + [len(text)]
    for (start, key), end in zip(borders, ends, strict=False):
        name = " ".join(key[:_MAX_KEY_CHARACTERS].split())
        yield Block("heading", start, start, name, level=1)
        yield from _code(text, start, end)


def _code(text: str, start: int, end: int) -> Iterator[Block]:
    shown = text[start:end].strip("\n").rstrip()
    if shown.strip("\ufeff \t\r\n"):
        yield Block("code", start, end, shown)
