"""The pieces of a passage that can be quoted alone: what a reader sees of it, each with its verbatim source."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from knowledge.links import passage_link
from knowledge.machine_orders import addresses_machine
from knowledge.parse import markdown
from knowledge.parse.html.text import visible_text
from knowledge.parse.sentences import sentence_spans
from knowledge.passage_blocks import blocks_of
from knowledge.types import Block, Hit

# A list item or table row longer than this is not one sentence's worth, and is cut into its sentences.
MAX_UNIT_CHARACTERS = 600
# One answer cuts the same few passages for whoever words it and for whoever judges it; a cut takes a millisecond.
REMEMBERED_PASSAGES = 64
_TAG = re.compile(r"<[^<>]*>")
_WORD = re.compile(r"\w+")
_CLOSED_EMPHASIS = re.compile(r"(?:\*{1,3}|_{1,3})\s+")
# Lines that only a site generator reads: the fence of an admonition, a template's tag.
_GENERATOR_MARK = re.compile(r"///.*|:::.*|\{[^{}]*\}")


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, list item, table row or code block; `quote` stands verbatim in the passage at `offset`.

    `text` is what a reader sees of the quote. `is_item`: a whole list item or table row.
    """

    hit: Hit
    text: str
    quote: str
    offset: int
    is_code: bool
    is_item: bool = False

    @property
    def lines(self) -> tuple[int, int]:
        """The document's first and last line that the quote stands on, counted from 1."""
        first = self.hit.start_line + self.hit.text.count("\n", 0, self.offset)
        return first, first + self.quote.count("\n")

    @property
    def url(self) -> str | None:
        """Where a reader opens the document at the quote."""
        first, last = self.lines
        return passage_link(self.hit.url, anchor=self.hit.anchor, start_line=first, end_line=last)


@lru_cache(maxsize=REMEMBERED_PASSAGES)
def units_of(hit: Hit) -> tuple[Unit, ...]:
    """Return the quotable pieces of a passage in reading order: those that a reader sees, and nothing hidden in them.

    Of a block that gives orders to machines, what stands before the order is left.
    """
    return tuple(_quotable(hit))


def _quotable(hit: Hit) -> Iterator[Unit]:
    seen = set(_WORD.findall(hit.search_text))
    for block in blocks_of(hit):
        for unit in _units(hit, block):
            if addresses_machine(unit.text):
                break
            if seen.issuperset(_WORD.findall(unit.text)) and hides_nothing(unit.quote):
                yield unit


def _units(hit: Hit, block: Block) -> Iterator[Unit]:
    if block.kind in ("heading", "header") or not block.text:
        return
    raw = hit.text[block.start : block.end]
    if block.kind in ("code", "item", "row") and len(raw) <= MAX_UNIT_CHARACTERS:
        offset = block.start + len(raw) - len(raw.lstrip())
        yield Unit(hit, block.text, raw.strip(), offset, is_code=block.kind == "code", is_item=block.kind != "code")
    else:
        yield from _sentences(hit, block, raw)


def _sentences(hit: Hit, block: Block, raw: str) -> Iterator[Unit]:
    for start, end in sentence_spans(raw, hit.language):
        # Emphasis that a sentence closes ends behind its full stop, where the next one begins.
        closing = _CLOSED_EMPHASIS.match(raw, start, end)
        first = closing.end() if closing else start
        quote = raw[first:end]
        text = _text_of(quote)
        if any(character.isalnum() for character in text) and not _GENERATOR_MARK.fullmatch(quote):
            yield Unit(hit, text, quote, block.start + first, is_code=False)


def _text_of(sentence: str) -> str:
    """Return what a reader sees of a sentence, without emphasis that begins or ends in another one."""
    text = " ".join(" ".join(block.text for block in markdown.blocks_of(sentence)).split())
    for mark in "*_":
        if sentence.startswith(mark):
            text = text.lstrip(mark)
        if sentence.endswith(mark):
            text = text.rstrip(mark)
    return text


def hides_nothing(quote: str) -> bool:
    """Tell whether a reader sees all of a quote: without its tags it says no more than what is visible of it."""
    return "<!--" not in quote and _folded(_TAG.sub(" ", quote)) == _folded(visible_text(quote))


def _folded(text: str) -> str:
    return "".join(text.split())
