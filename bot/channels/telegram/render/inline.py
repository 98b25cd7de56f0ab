"""The words of an answer as text with entities: every sign stays, but for marks that are formatting without a doubt.

A verified sentence is literal: `snake_case`, `2*3*4`, `<b>` and `[x]` say what they say. Only code between backticks
and **strong** words, both with no word right beside them, are read as Markdown; all else is turned off in the parser.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, backtick
from markdown_it.rules_inline.state_inline import Delimiter
from markdown_it.token import Token

from bot.channels.telegram.render.names import Found, found_in, is_linkable, signs_in
from bot.channels.telegram.render.text import Entity, EntityType, Styled, clean
from bot.channels.utf16 import length
from bot.core.inert import WORD_JOINER

_STRONG_WIDTH = 2
# Beside the marks of a pattern for files, as in `**/*.py and src/**`.
_OF_PATTERNS = frozenset("/\\*")
_TAKEN = b"\1"
_FREE = re.compile(rb"\0+")
# What becomes of the addresses in a text: those that were cited are links, all can be copied, or none works.
Addresses = Literal["link", "code", "broken"]


@dataclass(frozen=True, slots=True)
class _Span:
    """Characters `start` to `end` of a text are of one kind."""

    start: int
    end: int
    kind: EntityType
    url: str | None = None


def formatted(text: str) -> Styled:
    """Return the words of an answer; the addresses in it are links, whatever else would be one is not."""
    words, spans = _read(clean(text).strip())
    return _quieted(words, spans, addresses="link")


def literal(text: str) -> Styled:
    """Return words from anywhere as they stand; nothing of them can be clicked."""
    return _quieted(clean(text).strip(), [], addresses="broken")


def copyable(text: str) -> Styled:
    """Return words from anywhere as they stand; nothing of them can be clicked, but addresses can be copied."""
    return _quieted(clean(text).strip(), [], addresses="code")


def words_of(text: str) -> str:
    """Return what is read of the words of an answer, for where there is no formatting."""
    return _read(clean(text).strip())[0]


def _read(text: str) -> tuple[str, list[_Span]]:
    """Return a text without its marks of formatting, and what they stood for."""
    words: list[str] = []
    spans: list[_Span] = []
    opened: list[int] = []
    position = 0
    for token in _tokens(text):
        match token.type:
            case "strong_open":
                opened.append(position)
            case "strong_close":
                spans.append(_Span(opened.pop(), position, "bold"))
            case _:
                words.append(token.content)
                if token.type == "code_inline":
                    spans.append(_Span(position, position + len(token.content), "code"))
                position += len(token.content)
    return "".join(words), spans


def _tokens(text: str) -> Iterator[Token]:
    for block in _parser().parseInline(text):
        yield from block.children or ()


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("zero").enable(["backticks", "emphasis"])
    parser.inline.ruler.at("backticks", _read_code)
    parser.inline.ruler.at("emphasis", _read_stars)
    return parser


def _read_code(state: StateInline, silent: bool) -> bool:
    """Read code as CommonMark does, where no word stands right beside it, for many write п`ять with a backtick."""
    start, tokens = state.pos, len(state.tokens)
    if not backtick(state, silent):
        return False
    token = state.tokens[-1] if len(state.tokens) > tokens else None
    if token is None or token.type != "code_inline":
        return True
    beside = state.src[start - 1 : start] + state.src[state.pos : state.pos + 1]
    is_escaped = state.src[start - 1 : start] == "\\"
    if is_escaped or any(sign.isalnum() for sign in beside) or not token.content.strip():
        state.tokens.pop()
        state.pending += token.markup
        state.pos = start + len(token.markup)
    return True


def _read_stars(state: StateInline, silent: bool) -> bool:
    """Read two stars as a mark of emphasis that cannot stand within a word; any other stars and lines are words."""
    if silent or state.src[state.pos] != "*":
        return False
    scanned = state.scanDelims(state.pos, False)
    end = state.pos + scanned.length
    before, after = state.src[max(0, state.pos - 1) : state.pos], state.src[end : end + 1]
    if scanned.length != _STRONG_WIDTH:
        state.pending += "*" * scanned.length
        state.pos = end
        return True
    for _ in range(_STRONG_WIDTH):
        token = state.push("text", "", 0)
        token.content = "*"
        state.delimiters.append(
            Delimiter(
                marker=ord("*"),
                length=scanned.length,
                token=len(state.tokens) - 1,
                end=-1,
                open=scanned.can_open and after not in _OF_PATTERNS and after != ".",
                close=scanned.can_close and before not in _OF_PATTERNS,
            )
        )
    state.pos = end
    return True


def _quieted(words: str, spans: list[_Span], *, addresses: Addresses) -> Styled:
    """Return the words with their spans, and with what keeps the rest of them from being clicked."""
    shown = [span for span in spans if span.kind == "code"]
    settled = _covered(words, shown)
    joiners: set[int] = set()
    for found in found_in(words):
        gaps = [gap.span() for gap in _FREE.finditer(settled, found.start, found.end)]
        how = _way(found, spans, addresses)
        if how == "broken":
            joiners.update(at for at in found.joiners(words) if not settled[at - 1])
        elif how == "code" or found.kind != "mail":
            is_link = how == "link" and gaps == [(found.start, found.end)]
            shown += [_span_of(found, words)] if is_link else [_Span(start, end, "code") for start, end in gaps]
        settled[found.start : found.end] = _TAKEN * (found.end - found.start)
    joiners.update(at for at in signs_in(words) if not settled[at - 1])
    return _built(words, [*_beside_code(words, spans, shown), *shown], joiners)


def _way(found: Found, spans: list[_Span], addresses: Addresses) -> Addresses:
    """Return what is done about something that would be clickable; names and numbers are no addresses."""
    if found.kind in ("name", "number"):
        return "link"
    is_cited = found.kind != "address" and _is_in_one_piece(found, spans)
    return "broken" if addresses == "link" and not is_cited else addresses


def _is_in_one_piece(found: Found, spans: list[_Span]) -> bool:
    """Tell whether an address stood in the text as it is now, without marks of formatting within it."""
    return not any(found.start < border < found.end for span in spans for border in (span.start, span.end))


def _covered(words: str, spans: Iterable[_Span]) -> bytearray:
    """Return a byte for each character that tells whether one of the spans is there."""
    covered = bytearray(len(words))
    for span in spans:
        covered[span.start : span.end] = _TAKEN * (span.end - span.start)
    return covered


def _span_of(found: Found, words: str) -> _Span:
    """Return a cited address as a link; what people copy, and what is no link on Telegram, as code."""
    address = words[found.start : found.end]
    if found.kind == "link" and is_linkable(address):
        return _Span(found.start, found.end, "text_link", address)
    return _Span(found.start, found.end, "code")


def _beside_code(words: str, spans: list[_Span], shown: list[_Span]) -> Iterator[_Span]:
    """Yield the strong words without the code among them: nothing else may be where code is."""
    codes = _covered(words, (span for span in shown if span.kind == "code"))
    for strong in (span for span in spans if span.kind == "bold"):
        for free in _FREE.finditer(codes, strong.start, strong.end):
            yield replace(strong, start=free.start(), end=free.end())


def _built(words: str, spans: list[_Span], joiners: set[int]) -> Styled:
    """Return the words with joiners at these places, and the spans counted as Telegram does."""
    cuts = sorted({0, len(words), *joiners})
    texts = [words[start:end] for start, end in pairwise(cuts)]
    borders = sorted({0, *(at for span in spans for at in (span.start, span.end)), *joiners})
    offsets = {0: 0}
    for start, end in pairwise(borders):
        offsets[end] = offsets[start] + length(words[start:end]) + (end in joiners)
    entities = [
        Entity(span.kind, offsets[span.start], offsets[span.end] - offsets[span.start], span.url)
        for span in sorted(spans, key=lambda span: (span.start, -span.end))
    ]
    return Styled(WORD_JOINER.join(texts), tuple(entities))
