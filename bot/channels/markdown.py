"""Cuts Markdown into parts that a platform takes, so that each shows by itself and all of them show the whole text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.channels.markdown_cuts import Length
from bot.channels.markdown_pieces import Piece, code_pieces, fence_pieces, prose_pieces, quote_of, table_pieces

_LEAVES = frozenset({"paragraph_open", "heading_open", "fence", "code_block", "html_block", "hr", "table_open"})
_MARKERS = re.compile(r"[ \t>]*(?:\[\d{1,3}\])+")
_NEW_BLOCK = "\n\n"


def split(markdown: str, limit: int, length: Length = len) -> list[str]:
    """Return the text in ordered parts none of which is longer than `limit`; no part for a blank text.

    It is cut between blocks, list items and table rows. What is too long alone goes on in the next part: a fence is
    closed and opened again with its language, a table's header stands once more, a paragraph ends at a line, a
    sentence, a word. Within a link, code or emphasis, or a sign, it is cut only where that alone is longer than a part.
    """
    text = markdown.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    if length(text) <= limit:
        return [text] if text.strip() else []
    parts: list[list[Piece]] = []
    for piece in _pieces(text, limit, length):
        if parts and length(_joined([*parts[-1], piece])) <= limit:
            parts[-1].append(piece)
            continue
        held = _held(parts[-1]) if parts else []
        if held and length(_joined([*held, piece])) <= limit:
            del parts[-1][-len(held) :]
            parts.append([*held, piece])
        else:
            parts.append([piece])
    return [shown for part in parts if (shown := _joined(part).strip("\n")).strip()]


def _held(part: Sequence[Piece]) -> list[Piece]:
    """Return the headings that a part would end with: they go where their text goes."""
    held = len(part)
    while held > 0 and part[held - 1].holds_next:
        held -= 1
    return list(part[held:]) if held else []


def _joined(part: Sequence[Piece]) -> str:
    first, *others = part
    indent = _indent(first) if first.is_nested else 0
    texts = [_without_indent(first.head + first.text, indent)]
    for piece in others:
        # What stood deeper in a list begins a part at its left margin, and so does all that stood as deep.
        indent = min(indent, _indent(piece)) if piece.is_nested else 0
        texts.append(piece.glue + _without_indent(piece.text, indent))
    return "".join(texts) + _without_indent(part[-1].tail, indent)


def _indent(piece: Piece) -> int:
    line = (piece.head or piece.text).split("\n", 1)[0]
    bare = line.removeprefix(quote_of(line))
    return len(bare) - len(bare.lstrip(" "))


def _without_indent(text: str, indent: int) -> str:
    return "\n".join(_line_without(line, indent) for line in text.split("\n")) if indent else text


def _line_without(line: str, indent: int) -> str:
    prefix = quote_of(line)
    bare = line[len(prefix) :]
    return prefix + bare[min(indent, len(bare) - len(bare.lstrip(" "))) :]


@dataclass(frozen=True, slots=True)
class _Leaf:
    """Lines that hold one block and no other; `glue` stands between it and the block before."""

    kind: str
    text: str
    glue: str
    info: str = ""
    is_nested: bool = False


def _pieces(text: str, limit: int, length: Length) -> Iterator[Piece]:
    """Yield the pieces of a text, each of which fits into a part; the markers below a block stay with it."""
    leaves = list(_leaves(text))
    was_cut = False
    for index, leaf in enumerate(leaves):
        if index and _are_markers(leaf):
            continue
        glue = _NEW_BLOCK if was_cut and len(leaf.glue) < len(_NEW_BLOCK) else leaf.glue
        below = "".join(marks.glue + marks.text for marks in leaves[index + 1 : index + 2] if _are_markers(marks))
        *others, last = _pieces_of(replace(leaf, glue=glue), limit - length(below), length)
        yield from others
        yield replace(last, text=last.text + below)
        was_cut = bool(others)


def _are_markers(leaf: _Leaf) -> bool:
    return leaf.kind == "paragraph_open" and _MARKERS.fullmatch(leaf.text) is not None


def _pieces_of(leaf: _Leaf, limit: int, length: Length) -> Sequence[Piece]:
    is_nested = leaf.is_nested and leaf.kind != "code_block"
    if length(leaf.text) <= limit:
        return [Piece(leaf.text, leaf.glue, holds_next=leaf.kind == "heading_open", is_nested=is_nested)]
    match leaf.kind:
        case "fence":
            pieces = fence_pieces(leaf.text, limit, length)
        case "code_block":
            pieces = code_pieces(leaf.text, limit, length)
        case "table_open":
            pieces = table_pieces(leaf.text, limit, length)
        case _:
            pieces = prose_pieces(leaf.text, limit, length)
    first, *others = [replace(piece, is_nested=is_nested) for piece in pieces]
    return [replace(first, glue=leaf.glue), *others]


def _leaves(text: str) -> Iterator[_Leaf]:
    lines = text.split("\n")
    position = 0
    tokens = [*_parser().parse(text), Token("end", "", 0, map=[len(lines), len(lines)])]
    for token in tokens:
        if token.map is None or token.type not in {*_LEAVES, "end"}:
            continue
        first, last = max(token.map[0], position), token.map[1]
        while last > first and not lines[last - 1].strip():
            last -= 1
        # Lines that belong to no block: a list mark alone, the target of a reference.
        unread = [number for number in range(position, first) if lines[number].strip(" \t>")]
        if unread:
            yield _Leaf("unread", "\n".join(lines[unread[0] : unread[-1] + 1]), _glue(lines, position, unread[0]))
            position = unread[-1] + 1
        if last > first:
            shown = "\n".join(lines[first:last])
            yield _Leaf(token.type, shown, _glue(lines, position, first), token.info, is_nested=token.level > 0)
            position = last


def _glue(lines: Sequence[str], position: int, first: int) -> str:
    return "\n" + "".join(f"{line}\n" for line in lines[position:first])


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")
