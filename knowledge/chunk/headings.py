"""The default cut: passages of up to about 800 characters under one heading, at block borders."""

from collections.abc import Iterator, Sequence

from knowledge.chunk.tear import torn
from knowledge.parse.lines import line_of, line_starts
from knowledge.types import Block, Parsed, Passage

MAX_CHARACTERS = 800


def cut(parsed: Parsed, *, title: str, language: str) -> list[Passage]:
    """Cut a parsed document; each passage's text is a verbatim slice of the document's.

    A block is torn only when it alone is longer than `MAX_CHARACTERS`: at sentences, then at words.
    """
    text = parsed.text
    starts = line_starts(text)
    passages = []
    path: list[Block] = []
    for heading, blocks in _sections(parsed.blocks):
        if heading:
            path = [above for above in path if above.level < heading.level] + [heading]
        for group in _packed(_small(blocks, text, language)):
            passages.append(_passage(text, starts, title, path, group))
    return passages


def _sections(blocks: Sequence[Block]) -> Iterator[tuple[Block | None, list[Block]]]:
    """Yield each heading with the blocks up to the next one; empty blocks are left out."""
    heading: Block | None = None
    under: list[Block] = []
    for block in blocks:
        if block.kind == "heading":
            yield heading, under
            heading, under = block, []
        elif block.text:
            under.append(block)
    yield heading, under


def _small(blocks: Sequence[Block], text: str, language: str) -> Iterator[Block]:
    for block in blocks:
        if block.end - block.start <= MAX_CHARACTERS:
            yield block
        else:
            yield from torn(block, text, language=language, limit=MAX_CHARACTERS)


def _packed(blocks: Iterator[Block]) -> Iterator[list[Block]]:
    """Group neighbours while they fit; a table's header row goes with its first body row."""
    group: list[Block] = []
    for block in blocks:
        if group and block.end - group[0].start > MAX_CHARACTERS:
            header = _header_of(block, group)
            if full := group[: len(group) - len(header)]:
                yield full
            group = header
        group.append(block)
    if group:
        yield group


def _header_of(row: Block, group: Sequence[Block]) -> list[Block]:
    """Return the header that ends the group and fits with this row into another one."""
    last = group[-1]
    is_its_header = len(group) > 1 and last.kind == "header" and row.kind == "row"
    return [last] if is_its_header and row.end - last.start <= MAX_CHARACTERS else []


def _passage(text: str, starts: list[int], title: str, path: list[Block], group: list[Block]) -> Passage:
    raw = text[group[0].start : group[-1].end]
    start = group[0].start + len(raw) - len(raw.lstrip("\n"))
    end = group[0].start + len(raw.rstrip())
    headings = tuple(heading.text for heading in path if heading.text)
    # A page's title and its first heading are often the same words: said twice, they would weigh twice.
    above = headings if headings[:1] == (title,) else (title, *headings)
    context = [group[0].context] if group[0].kind == "row" else []
    search_text = "\n".join([" > ".join(above), *context, *(block.text for block in group)])
    return Passage(
        text=text[start:end],
        search_text=search_text,
        heading=headings,
        anchor=path[-1].anchor if path else None,
        start_line=line_of(starts, start),
        end_line=line_of(starts, end - 1),
    )
