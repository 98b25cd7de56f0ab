"""Tables of Markdown to blocks: the header row, then each row with its caption and header as context."""

import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from knowledge.parse.html.text import OpenElements
from knowledge.parse.markdown.text import rows_of, text_inside
from knowledge.parse.rows import MAX_CONTEXT_CHARACTERS
from knowledge.types import Block

# A longer caption says nothing more about a row.
_MAX_CAPTION_CHARACTERS = 200
_CAPTION = re.compile(
    r"(?:table|tab\.|tabla|cuadro|tabelle|tableau|tabela|tabella|таблица|таблиця|табл\.|表)[\s\xa0]*"
    r"(?:№?[\s\xa0]*\d[\w.]*(?:[\s\xa0]*[—–:.-].*)?|[—–:-][\s\xa0].*)",
    re.IGNORECASE,
)
_CAPTION_BELOW = re.compile(r"(?:table)?:[ \t]+\S.*", re.IGNORECASE)


def table_blocks(
    inside: Sequence[Token],
    starts: Sequence[int],
    elements: OpenElements,
    caption: str,
) -> Iterator[Block]:
    """Yield a table's header row, then its body rows."""
    context = ""
    is_header = True
    for token, text in rows_of(inside, elements):
        first, last = token.map or (0, 0)
        if is_header:
            names = text[:MAX_CONTEXT_CHARACTERS]
            context = f"{caption}\n{names}" if caption and names else caption or names
            yield Block("header", starts[first], starts[last], text, context=caption)
        else:
            yield Block("row", starts[first], starts[last], text, context=context)
        is_header = False


def caption_above(block: Block | None, *, is_marked: bool) -> str:
    """Return the caption that the block above a table is; none where it is ordinary text."""
    if block is None or block.kind != "paragraph" or len(block.text) > _MAX_CAPTION_CHARACTERS:
        return ""
    return block.text if is_marked or _CAPTION.fullmatch(block.text) else ""


def caption_below(inside: Sequence[Token], elements: OpenElements) -> str:
    """Return the caption that the paragraph below a table is (`: Caption`, `Table: Caption`)."""
    written = inside[0].content if inside and inside[0].type == "inline" else ""
    if elements.hide or len(written) > _MAX_CAPTION_CHARACTERS or not _CAPTION_BELOW.fullmatch(written):
        return ""
    return text_inside(inside, OpenElements()).removeprefix(":").strip()
