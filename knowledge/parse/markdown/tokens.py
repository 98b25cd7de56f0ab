"""Markdown as the tokens of CommonMark with tables, each with the lines of the text that it stands on."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

# Links and brackets take the square of a paragraph's length: 200 kB of `![` in one would take minutes.
_MAX_INLINE_CHARACTERS = 20_000
_SPREAD_ROWS = re.compile(r"\|[ \t]*\n(?:[ \t]*\n)+[ \t]*\|")
_DELIMITER = re.compile(r"[ \t>]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*")
_PLAIN = re.compile(r"[^\\`*_\[\]!<>&\n]*")


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a text."""
    # A carriage return would be one more line to the parser, but not to `line_starts`.
    return _markdown().parse(text.replace("\r", " ") if "\r" in text else text)


def with_rows_joined(text: str, starts: Sequence[int]) -> tuple[str, Sequence[int]]:
    """Return the text without the blank lines between rows of one table, and where the lines left begin in the text.

    `starts` is where all lines begin, and the text's length. Tables are written so where each row keeps its line.
    """
    if not _SPREAD_ROWS.search(text):
        return text, starts
    lines = text.split("\n")
    dropped = set(_blank_between_rows(lines))
    kept = [number for number in range(len(lines)) if number not in dropped]
    return "\n".join(lines[number] for number in kept), [
        *(starts[number] for number in kept if number < len(starts) - 1),
        starts[-1],
    ]


def top_level(tokens: Sequence[Token]) -> Iterator[tuple[Token, Sequence[Token]]]:
    """Yield each outermost token with the tokens inside it."""
    position = 0
    while position < len(tokens):
        end = _closing(tokens, position)
        yield tokens[position], tokens[position + 1 : end]
        position = max(end, position) + 1


def _blank_between_rows(lines: Sequence[str]) -> Iterator[int]:
    is_table, blank = False, []
    for number, line in enumerate(lines):
        stripped = line.strip(" \t>")
        if not stripped:
            blank.append(number)
            continue
        is_row = stripped.startswith("|") and stripped.endswith("|")
        is_header = is_row and _DELIMITER.fullmatch(lines[number + 1]) if number + 1 < len(lines) else False
        if is_table and is_row and not is_header:
            yield from blank
        elif not is_row:
            is_table = False
        is_table = is_table or (is_row and _DELIMITER.fullmatch(line) is not None)
        if is_header:
            is_table = False
        blank = []


@cache
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark").enable("table")
    markdown.core.ruler.at("inline", _inline)
    # Only the text is read: neighbouring pieces of it need not be joined, nor addresses checked and rewritten.
    markdown.disable(["text_join", "fragments_join"])
    markdown.validateLink = _is_link  # type: ignore[method-assign, assignment]  # where the library's documentation says to
    markdown.normalizeLink = str  # type: ignore[method-assign, assignment]
    return markdown


def _is_link(address: str) -> bool:
    return True


def _inline(state: StateCore) -> None:
    """Parse running text; of what is too long for that only the HTML is understood."""
    for token in state.tokens:
        if token.type != "inline":
            continue
        if _PLAIN.fullmatch(token.content):
            token.children = [Token("text", "", 0, content=token.content)]
        elif len(token.content) > _MAX_INLINE_CHARACTERS:
            token.children = [Token("html_inline", "", 0, content=token.content)]
        else:
            token.children = []
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _closing(tokens: Sequence[Token], position: int) -> int:
    if tokens[position].nesting != 1:
        return position
    depth = tokens[position].level
    for index in range(position + 1, len(tokens)):
        if tokens[index].nesting == -1 and tokens[index].level == depth:
            return index
    return len(tokens)
