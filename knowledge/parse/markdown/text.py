"""What a reader sees of the tokens inside one block of Markdown."""

from collections.abc import Iterator, Sequence
from html import escape

from markdown_it.token import Token

from knowledge.parse.html.text import OpenElements, visible_text
from knowledge.parse.markdown.tokens import top_level
from knowledge.parse.rows import BETWEEN_CELLS, named


def text_inside(tokens: Sequence[Token], elements: OpenElements) -> str:
    """Return what is seen; an element opened in a block ends with it."""
    depth = elements.depth
    text = text_of(tokens, elements)
    elements.leave_to(depth)
    return text


def text_of(tokens: Sequence[Token], elements: OpenElements) -> str:
    """Return what is seen, each paragraph and each row of a table on lines of its own."""
    pieces = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token.type == "inline":
            pieces.append(_running_text(token, elements))
        elif token.type in ("fence", "code_block") and not elements.hide:
            pieces.append(token.content.rstrip("\n"))
        elif token.type == "html_block":
            pieces.append(tidy(visible_text(token.content, elements)))
        elif token.type == "table_open":
            end = next(index for index in range(position, len(tokens)) if tokens[index].type == "table_close")
            pieces.extend(text for _, text in rows_of(tokens[position:end], elements))
            position = end
    return "\n".join(piece for piece in pieces if piece)


def rows_of(inside: Sequence[Token], elements: OpenElements) -> Iterator[tuple[Token, str]]:
    """Yield each row of a table: the names of its columns, then rows whose cells bear them."""
    names: list[str] | None = None
    for token, cells in ((t, c) for part, rows in top_level(inside) for t, c in top_level(rows)):
        texts = [" ".join(text_inside(content, elements).split("\n")) for _, content in top_level(cells)]
        if names is None:
            names = texts
            yield token, BETWEEN_CELLS.join(texts) if any(texts) else ""
            continue
        yield token, "; ".join(named(name, text) for name, text in zip(names, texts, strict=False) if text)


def tidy(text: str) -> str:
    """Return the lines without margins, and without blank ones."""
    if "\n" not in text:
        return text.strip()
    return "\n".join(line for line in map(str.strip, text.split("\n")) if line)


def _running_text(token: Token, elements: OpenElements) -> str:
    children = token.children or ()
    if not any(child.type == "html_inline" for child in children):
        return "" if elements.hide else tidy("".join(map(_child_text, children)))
    return tidy(visible_text("".join(map(_child_html, children)), elements))


def _child_text(child: Token) -> str:
    return "\n" if child.type in ("softbreak", "hardbreak") else child.content


def _child_html(child: Token) -> str:
    """Return a child as HTML, so that tags which open and close in separate tokens are seen as one element."""
    return child.content if child.type == "html_inline" else escape(_child_text(child), quote=False)
