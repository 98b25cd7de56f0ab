"""Markdown (CommonMark, tables, and what site generators add) to blocks whose offsets point into the shown text."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace

from markdown_it.token import Token

from knowledge.parse.html.text import OpenElements, markup_spans, visible_text
from knowledge.parse.lines import line_starts
from knowledge.parse.markdown.anchors import Headings
from knowledge.parse.markdown.page import Written
from knowledge.parse.markdown.table import caption_above, caption_below, table_blocks
from knowledge.parse.markdown.text import text_inside, text_of, tidy
from knowledge.parse.markdown.tokens import tokens_of, top_level, with_rows_joined
from knowledge.parse.markdown.written import as_shown
from knowledge.types import Block, Document, Parsed


def parse_document(document: Document) -> Parsed:
    """Parse a page; never fails."""
    return parse(document.text)


def parse(text: str) -> Parsed:
    """Parse Markdown as it is written; never fails: what is not Markdown is a paragraph."""
    written = as_shown(text)
    return Parsed(written.text, blocks=tuple(_page_blocks(written)), metadata=written.metadata)


def blocks_of(shown: str) -> Sequence[Block]:
    """Return the blocks of a text, or of a piece of one, that holds nothing of a site generator any more."""
    return tuple(_page_blocks(Written(shown)))


def visible_pieces(pieces: Iterable[str]) -> Iterator[str]:
    """Yield what a reader sees of each piece of one block; an element left open in a piece reaches into the next."""
    elements = OpenElements()
    for piece in pieces:
        yield text_of(tokens_of(piece), elements)


def tag_spans(raw: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the HTML tags and comments in a block's running text."""
    position = 0
    for token in tokens_of(raw):
        for child in token.children or ():
            start = raw.find(child.content, position) if child.type == "html_inline" else -1
            if start >= 0:
                position = start + len(child.content)
                yield from ((start + first, start + last) for first, last in markup_spans(child.content))


def _page_blocks(written: Written) -> Iterator[Block]:
    """Yield the blocks with their anchors; behind a fold the heading above it goes on."""
    starts = line_starts(written.text)
    anchors = {starts[line]: anchor for line, anchor in written.anchors.items()}
    headings = Headings(starts, written.folds)
    notes = [(starts[line], note) for line, note in written.footnotes.items()]
    for block in _read(written.text, starts, anchors):
        if block.kind == "heading":
            yield headings.with_anchor(block, anchors.get(block.start))
            continue
        yield from headings.going_on_at(block.start)
        noted = _with_notes(block, notes) if notes and block.kind == "row" else block
        yield replace(noted, anchor=anchors[block.start]) if block.start in anchors else noted


def _with_notes(row: Block, notes: Sequence[tuple[int, str]]) -> Block:
    """Give a row the footnotes that it has marks of."""
    noted = visible_pieces(note for offset, note in notes if row.start <= offset < row.end)
    return replace(row, context="\n".join(filter(None, [row.context, *noted])))


def _read(text: str, starts: Sequence[int], anchors: Container[int]) -> Iterator[Block]:
    joined, starts = with_rows_joined(text, starts)
    elements = OpenElements()
    above: Block | None = None
    outermost = list(top_level(tokens_of(joined)))
    for index, (token, inside) in enumerate(outermost):
        caption = ""
        if token.type == "table_open":
            below = outermost[index + 1][1] if index + 1 < len(outermost) else ()
            caption = caption_above(above, is_marked=above is not None and above.start in anchors)
            caption = caption or caption_below(below, elements)
        above = None
        for block in _blocks(token, inside, starts, elements, caption):
            yield block
            above = block


def _blocks(
    token: Token, inside: Sequence[Token], starts: Sequence[int], elements: OpenElements, caption: str = ""
) -> Iterator[Block]:
    match token.type:
        case "heading_open":
            text = " ".join(text_inside(inside, elements).split())
            yield _block("heading", token, text, starts, level=int(token.tag[1]))
        case "bullet_list_open" | "ordered_list_open":
            for item, content in top_level(inside):
                yield from _item(item, content, starts, elements)
        case "table_open":
            yield from table_blocks(inside, starts, elements, caption)
        case "fence" | "code_block":
            yield _block("code", token, "" if elements.hide else token.content.rstrip("\n"), starts)
        case "html_block":
            yield _block("html", token, tidy(visible_text(token.content, elements)), starts)
            elements.leave_paragraphs()
        case "hr":
            return
        case _:
            yield _block("paragraph", token, text_inside(inside, elements), starts)


def _item(item: Token, content: Sequence[Token], starts: Sequence[int], elements: OpenElements) -> Iterator[Block]:
    """Yield a list item whole; where a table stands in it, what is before, its rows, and what is behind."""
    if not any(token.type == "table_open" for token in content):
        yield _block("item", item, text_inside(content, elements), starts)
        return
    first, last = item.map or (0, 0)
    texts: list[str] = []
    for token, inside in top_level(content):
        if token.type == "table_open" or any(below.type == "table_open" for below in inside):
            start, end = token.map or (0, 0)
            yield from _part_of_item(first, start, texts, starts)
            yield from _blocks(token, inside, starts, elements)
            first, texts = end, []
        else:
            texts.append(text_inside([token, *inside], elements))
    yield from _part_of_item(first, last, texts, starts)


def _part_of_item(first: int, last: int, texts: Sequence[str], starts: Sequence[int]) -> Iterator[Block]:
    if first < last and any(texts):
        yield Block("item", starts[first], starts[last], "\n".join(filter(None, texts)))


def _block(kind: str, token: Token, text: str, starts: Sequence[int], *, level: int = 0) -> Block:
    first, last = token.map or (0, 0)
    return Block(kind=kind, start=starts[first], end=starts[last], text=text, level=level)
