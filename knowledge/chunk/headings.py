"""The default cut: passages of up to about 800 characters under one heading, at block borders."""

from collections.abc import Iterator, Sequence

from knowledge.parse.lines import line_of, line_starts
from knowledge.parse.sentences import sentence_spans
from knowledge.types import Block, Parsed, Passage

MAX_CHARACTERS = 800


def cut(text: str, parsed: Parsed, *, title: str, language: str) -> list[Passage]:
    """Cut a parsed document; each passage's text is a verbatim slice of `text`.

    A block is torn only when it alone is longer than `MAX_CHARACTERS`: at sentences, then at words.
    """
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
            yield from _torn(block, text, language)


def _torn(block: Block, text: str, language: str) -> Iterator[Block]:
    """Cut one long block: code and tables at lines, the rest at sentences; what is still too long at words."""
    raw = text[block.start : block.end]
    by_lines = block.kind in ("code", "html")
    spans = list(_line_spans(raw) if by_lines else sentence_spans(raw, language))
    start = end = 0
    for first, last in (piece for span in spans for piece in _short_spans(raw, span)):
        if last - start > MAX_CHARACTERS and end > start:
            yield _part(block, raw, start, end)
            start = first
        end = last
    if end > start:
        yield _part(block, raw, start, end)


def _line_spans(raw: str) -> Iterator[tuple[int, int]]:
    position = 0
    for line in raw.splitlines(keepends=True):
        yield position, position + len(line)
        position += len(line)


def _short_spans(raw: str, span: tuple[int, int]) -> Iterator[tuple[int, int]]:
    start, end = span
    while end - start > MAX_CHARACTERS:
        border = raw.rfind(" ", start + 1, start + MAX_CHARACTERS)
        border = border if border > start else start + MAX_CHARACTERS
        yield start, border
        start = border
    yield start, end


def _part(block: Block, raw: str, start: int, end: int) -> Block:
    piece = raw[start:end]
    return Block(block.kind, block.start + start, block.start + end, piece.strip(), context=block.context)


def _packed(blocks: Iterator[Block]) -> Iterator[list[Block]]:
    """Group neighbours while they fit; a table's header row stays with its first body row."""
    group: list[Block] = []
    for block in blocks:
        if group and block.end - group[0].start > MAX_CHARACTERS and group[-1].kind != "header":
            yield group
            group = []
        group.append(block)
    if group:
        yield group


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
