"""Markdown (CommonMark, tables, front matter) to blocks whose offsets point into the source text."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape

import yaml
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from knowledge.parse.html_text import OpenElements, markup_spans, visible_text
from knowledge.parse.lines import line_starts
from knowledge.types import Block, Parsed

# Links and brackets take the square of a paragraph's length: 200 kB of `![` in one would take minutes.
_MAX_INLINE_CHARACTERS = 20_000
_MAX_FRONT_MATTER_CHARACTERS = 20_000
# A table header longer than this says nothing more about a row.
_MAX_CONTEXT_CHARACTERS = 400
# Includes and code imports of site generators (`{* … *}`, `{!…!}`, `{% … %}`) and names of admonitions (`/// tip`).
_INCLUDES = ("{*", "{!", "{%")
_ADMONITION = re.compile(r"[\w-]*")
_NOT_IN_SLUG = re.compile(r"[^\w\- ]+")


def parse(text: str) -> Parsed:
    """Parse Markdown; never fails: what is not Markdown is a paragraph."""
    starts = line_starts(text)
    blocks: list[Block] = []
    metadata: Mapping[str, str] = {}
    taken: dict[str, int] = {}
    elements = OpenElements()
    for token, inside in _top_level(_tokens(text)):
        if token.type == "front_matter":
            metadata = _metadata(token.content)
            continue
        for block in _blocks(token, inside, starts, elements):
            blocks.append(_with_anchor(block, taken) if block.kind == "heading" else block)
    return Parsed(text, blocks=tuple(blocks), metadata=metadata)


def visible_pieces(pieces: Iterable[str]) -> Iterator[str]:
    """Yield what a reader sees of each piece of one block; an element left open in a piece reaches into the next."""
    elements = OpenElements()
    for piece in pieces:
        yield _text_of(_tokens(piece), elements)


def tag_spans(raw: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the HTML tags and comments in a block's running text."""
    position = 0
    for token in _tokens(raw):
        for child in token.children or ():
            start = raw.find(child.content, position) if child.type == "html_inline" else -1
            if start >= 0:
                position = start + len(child.content)
                yield from ((start + first, start + last) for first, last in markup_spans(child.content))


def _tokens(text: str) -> list[Token]:
    # A carriage return would be one more line to the parser, but not to `line_starts`.
    return _markdown().parse(text.replace("\r", " "))


@cache
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
    markdown.core.ruler.at("inline", _inline)
    return markdown


def _inline(state: StateCore) -> None:
    """Parse running text; of what is too long for that only the HTML is understood."""
    for token in state.tokens:
        if token.type == "inline" and len(token.content) > _MAX_INLINE_CHARACTERS:
            token.children = [Token("html_inline", "", 0, content=token.content)]
        elif token.type == "inline":
            token.children = []
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _metadata(front_matter: str) -> Mapping[str, str]:
    """Return the entries of front matter that are one text, as they are written: 1.10 stays "1.10"."""
    if len(front_matter) > _MAX_FRONT_MATTER_CHARACTERS:
        return {}
    try:
        loaded = yaml.load(front_matter, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError):
        return {}
    entries = loaded.items() if isinstance(loaded, dict) else ()
    return {key: value for key, value in entries if isinstance(key, str) and isinstance(value, str)}


def _top_level(tokens: Sequence[Token]) -> Iterator[tuple[Token, Sequence[Token]]]:
    """Yield each outermost token with the tokens inside it."""
    position = 0
    while position < len(tokens):
        end = _closing(tokens, position)
        yield tokens[position], tokens[position + 1 : end]
        position = max(end, position) + 1


def _closing(tokens: Sequence[Token], position: int) -> int:
    if tokens[position].nesting != 1:
        return position
    depth = tokens[position].level
    return next(
        index
        for index in range(position + 1, len(tokens))
        if tokens[index].nesting == -1 and tokens[index].level == depth
    )


def _blocks(token: Token, inside: Sequence[Token], starts: Sequence[int], elements: OpenElements) -> Iterator[Block]:
    match token.type:
        case "heading_open":
            text = " ".join(_inline_text(inside, elements).split())
            yield _block("heading", token, text, starts, level=int(token.tag[1]))
        case "bullet_list_open" | "ordered_list_open":
            for item, content in _top_level(inside):
                yield _block("item", item, _inline_text(content, elements), starts)
        case "table_open":
            yield from _rows(inside, starts, elements)
        case "fence" | "code_block":
            yield _block("code", token, "" if elements.hide else token.content.rstrip("\n"), starts)
        case "html_block":
            yield _block("html", token, _tidy(visible_text(token.content, elements)), starts)
            elements.leave_paragraphs()
        case "hr":
            return
        case _:
            yield _block("paragraph", token, _inline_text(inside, elements), starts)


def _rows(inside: Sequence[Token], starts: Sequence[int], elements: OpenElements) -> Iterator[Block]:
    """Yield a table's body rows, each with the header row as context; the header row itself comes first."""
    header: list[str] = []
    context = ""
    for token, cells in ((t, c) for part, rows in _top_level(inside) for t, c in _top_level(rows)):
        texts = [_inline_text(content, elements) for _, content in _top_level(cells)]
        if not context:
            header = texts
            context = " | ".join(texts)
            yield _block("header", token, context if any(texts) else "", starts)
            context = context[:_MAX_CONTEXT_CHARACTERS]
            continue
        row = "; ".join(f"{name}: {text}" if name else text for name, text in zip(header, texts, strict=False) if text)
        yield _block("row", token, row, starts, context=context)


def _block(kind: str, token: Token, text: str, starts: Sequence[int], *, level: int = 0, context: str = "") -> Block:
    first, last = token.map or (0, 0)
    return Block(kind=kind, start=starts[first], end=starts[last], text=text, level=level, context=context)


def _inline_text(tokens: Sequence[Token], elements: OpenElements) -> str:
    """Return what a reader sees of the tokens inside one block; an element opened in a block ends with it."""
    depth = elements.depth
    text = _text_of(tokens, elements)
    elements.leave_to(depth)
    return text


def _text_of(tokens: Sequence[Token], elements: OpenElements) -> str:
    pieces = []
    for token in tokens:
        if token.type == "inline":
            html = "".join(_child_html(child) for child in token.children or ())
            pieces.append(_tidy(visible_text(html, elements)))
        elif token.type in ("fence", "code_block") and not elements.hide:
            pieces.append(token.content.rstrip("\n"))
        elif token.type == "html_block":
            pieces.append(_tidy(visible_text(token.content, elements)))
    return "\n".join(piece for piece in pieces if piece)


def _child_html(child: Token) -> str:
    """Return a child as HTML, so that tags which open and close in separate tokens are seen as one element."""
    match child.type:
        case "text" | "code_inline" | "image":
            return escape(child.content, quote=False)
        case "html_inline":
            return child.content
        case "softbreak" | "hardbreak":
            return "\n"
        case _:
            return ""


def _tidy(text: str) -> str:
    """Drop the lines that only a site generator reads, and blank ones."""
    kept = (_without_generator_marks(line.strip()) for line in text.split("\n"))
    return "\n".join(line for line in kept if line)


def _without_generator_marks(line: str) -> str:
    """Return the line; of an include nothing, of an admonition's fence (`/// tip | Title`) its title."""
    if line.startswith(_INCLUDES) and line.find(line[1] + "}", 2) == len(line) - 2 > 0:
        return ""
    if line.startswith("///"):
        name, _, title = line.lstrip("/").partition("|")
        return title.strip() if _ADMONITION.fullmatch(name.strip()) else line
    return line


def _with_anchor(block: Block, taken: dict[str, int]) -> Block:
    """Give a heading its explicit `{ #anchor }`, or the slug that Git hosts make of its text."""
    text, anchor = _explicit_anchor(block.text)
    if anchor is None:
        anchor = _unused(_NOT_IN_SLUG.sub("", text.lower()).replace(" ", "-"), taken)
    else:
        taken.setdefault(anchor, 0)
    return Block(block.kind, block.start, block.end, text, level=block.level, anchor=anchor or None)


def _explicit_anchor(text: str) -> tuple[str, str | None]:
    """Return the heading without its attributes, and the anchor among them."""
    before, brace, attributes = text.rpartition("{")
    if not brace or not attributes.endswith("}"):
        return text, None
    anchors = [word[1:] for word in attributes[:-1].split() if word.startswith("#") and len(word) > 1]
    return (before.rstrip(), anchors[0]) if anchors else (text, None)


def _unused(slug: str, taken: dict[str, int]) -> str:
    """Return the slug, numbered where headings above have taken it."""
    if not slug or slug not in taken:
        taken[slug] = 0
        return slug
    number, candidate = taken[slug], slug
    while candidate in taken:
        number += 1
        candidate = f"{slug}-{number}"
    taken[slug], taken[candidate] = number, 0
    return candidate
