"""The sentences of an answer and its sources as blocks: items, rows and code stay what they are, all else is words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from bot.channels.markdown_cuts import between_signs, farthest
from bot.channels.markdown_rows import cells_of, is_rule
from bot.channels.telegram.render.inline import formatted
from bot.channels.telegram.render.names import is_linkable, quiet
from bot.channels.telegram.render.split import Block, Preformatted, Prose
from bot.channels.telegram.render.table import Row, marked, table
from bot.channels.telegram.render.text import NOTHING, Styled, clean, joined, styled
from bot.channels.utf16 import length
from bot.core.cite import Footnote, footnotes, title_of, updated
from bot.core.messages import Citation, Sentence

MAX_TITLE_UNITS = 300
TAB_COLUMNS = 4
NEW_PARAGRAPH = "\n\n"
_ITEM = re.compile(r"- +(?=\S)")
_BULLET = Styled("• ")
_FENCE_LANGUAGE = re.compile(r"\s*(?:`{3,}|~{3,})[ \t]*([\w+#.-]{1,32})", re.ASCII)


def answer_blocks(sentences: Sequence[Sentence]) -> Iterator[Block]:
    """Yield what is said, with the markers of its sources behind each sentence."""
    for columns, lines in groupby(_lines(sentences), key=lambda line: len(line.cells) if isinstance(line, Row) else 0):
        if columns:
            yield from table([line for line in lines if isinstance(line, Row)])
        else:
            yield from (line for line in lines if not isinstance(line, Row))


def _lines(sentences: Sequence[Sentence]) -> Iterator[Block | Row]:
    is_below_row = False
    for sentence in sentences:
        if sentence.is_code:
            yield _code(sentence)
            is_below_row = False
            continue
        *texts, last = [line.strip() for line in sentence.text.splitlines() if line.strip()] or [""]
        for text, markers in [*((text, NOTHING) for text in texts), (last, _markers(sentence))]:
            if is_below_row and is_rule(text) and not markers.text:
                continue
            cells = cells_of(text)
            is_below_row = cells is not None
            yield Row(cells, markers) if cells else Prose(marked(_words(text), markers))


def _words(text: str) -> Styled:
    item = _ITEM.match(text)
    return _BULLET + formatted(text[item.end() :]) if item else formatted(text)


def _code(sentence: Sentence) -> Block:
    quotes = (citation.quote for citation in sentence.citations)
    found = next(filter(None, map(_FENCE_LANGUAGE.match, quotes)), None)
    lines = clean(sentence.text.strip("\n").expandtabs(TAB_COLUMNS)).split("\n")
    return Preformatted(tuple(lines), language=found[1] if found else None, below=_markers(sentence))


def _markers(sentence: Sentence) -> Styled:
    """Return the markers behind a sentence, each a link to what it quotes first, where that has an address."""
    first: dict[int, Citation] = {}
    for citation in sentence.citations:
        first.setdefault(citation.marker, citation)
    return joined(_linked(f"[{marker}]", citation.url) for marker, citation in first.items())


def _linked(text: str, url: str | None) -> Styled:
    return styled(text, "text_link", url=url) if is_linkable(url) else Styled(text)


def source_blocks(sentences: Sequence[Sentence], language: str) -> Iterator[Block]:
    """Yield the footnotes of an answer, a paragraph of their own."""
    for number, footnote in enumerate(footnotes(sentences)):
        yield Prose(_footnote(footnote, language), "\n" if number else NEW_PARAGRAPH)


def _footnote(footnote: Footnote, language: str) -> Styled:
    """Return a source: its marker, its title and heading as a link, its date."""
    citation = footnote.first
    title, date = _shortened(title_of(citation, language).strip()), updated(citation, language)
    source = joined([Styled(f"[{footnote.marker}]"), _linked(quiet(title), citation.url)], " ")
    return source + Styled(f" · {date}") if date else source


def _shortened(title: str) -> str:
    """Return a title in one line of bearable length; what was left out is marked."""
    line = " ".join(clean(title).split())
    if length(line) <= MAX_TITLE_UNITS:
        return line
    return f"{line[: between_signs(line, 0, farthest(line, 0, MAX_TITLE_UNITS, length))].rstrip()}…"


def note_blocks(notes: Sequence[str]) -> Iterator[Block]:
    """Yield the bot's own remarks, in italics and a paragraph of their own."""
    for number, note in enumerate(notes):
        yield Prose(aside(note), "\n" if number else NEW_PARAGRAPH)


def aside(text: str) -> Styled:
    """Return words that are not part of the answer, in italics."""
    return styled(quiet(clean(text).strip()), "italic")


def following(block: Block) -> Block:
    """Return a block that begins a paragraph."""
    return replace(block, glue=NEW_PARAGRAPH)
