"""Markdown (CommonMark, tables, front matter) to blocks whose offsets point into the source text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from knowledge.parse.html_text import visible_text
from knowledge.parse.lines import line_starts
from knowledge.types import Block, Parsed

# Lines that a site generator consumes: includes and code imports (`{* … *}`, `{!…!}`), admonition fences (`/// tip`).
_GENERATOR_LINE = re.compile(r"^\s*(?:\{[*!%].*[*!%]\}|/{3,}\s*[\w-]*\s*(?:\|\s*(?P<title>.*))?)\s*$")
_HEADING_ATTRIBUTES = re.compile(r"\s*\{\s*#(?P<anchor>[^\s}]+)[^}]*\}\s*$")
_NOT_IN_SLUG = re.compile(r"[^\w\- ]+")


def parse(text: str) -> Parsed:
    """Parse Markdown; never fails: what is not Markdown is a paragraph."""
    starts = line_starts(text)
    blocks: list[Block] = []
    metadata: Mapping[str, object] = {}
    slugs: dict[str, int] = {}
    tokens = _markdown().parse(text)
    for token, children in _top_level(tokens):
        if token.type == "front_matter":
            metadata = _metadata(token.content)
            continue
        for block in _blocks(token, children, starts):
            blocks.append(_with_anchor(block, slugs) if block.kind == "heading" else block)
    return Parsed(blocks=tuple(blocks), metadata=metadata)


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table").use(front_matter_plugin)


def _metadata(front_matter: str) -> Mapping[str, object]:
    try:
        loaded = yaml.safe_load(front_matter)
    except yaml.YAMLError:
        return {}
    return loaded if isinstance(loaded, dict) else {}


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


def _blocks(token: Token, inside: Sequence[Token], starts: Sequence[int]) -> Iterator[Block]:
    match token.type:
        case "heading_open":
            yield _block("heading", token, _inline_text(inside), starts, level=int(token.tag[1]))
        case "bullet_list_open" | "ordered_list_open":
            for item, content in _top_level(inside):
                yield _block("item", item, _inline_text(content), starts)
        case "table_open":
            yield from _rows(inside, starts)
        case "fence" | "code_block":
            yield _block("code", token, token.content.rstrip("\n"), starts)
        case "html_block":
            yield _block("html", token, _tidy(visible_text(token.content)), starts)
        case "hr":
            return
        case _:
            yield _block("paragraph", token, _inline_text(inside), starts)


def _rows(inside: Sequence[Token], starts: Sequence[int]) -> Iterator[Block]:
    """Yield a table's body rows, each with the header row as context; the header row itself comes first."""
    header: list[str] = []
    for token, cells in ((t, c) for part, rows in _top_level(inside) for t, c in _top_level(rows)):
        texts = [_inline_text(content) for _, content in _top_level(cells)]
        if not header:
            header = texts
            yield _block("header", token, " | ".join(texts), starts)
            continue
        row = "; ".join(f"{name}: {text}" if name else text for name, text in zip(header, texts, strict=False) if text)
        yield _block("row", token, row, starts, context=" | ".join(header))


def _block(kind: str, token: Token, text: str, starts: Sequence[int], *, level: int = 0, context: str = "") -> Block:
    first, last = token.map or (0, 0)
    return Block(kind=kind, start=starts[first], end=starts[last], text=text, level=level, context=context)


def _inline_text(tokens: Sequence[Token]) -> str:
    """Return what a reader sees of the inline and code content among `tokens`."""
    pieces = []
    for token in tokens:
        if token.type == "inline":
            pieces.append(_seen(token.children or []))
        elif token.type in ("fence", "code_block"):
            pieces.append(token.content.rstrip("\n"))
        elif token.type == "html_block":
            pieces.append(visible_text(token.content))
    return _tidy("\n".join(pieces))


def _seen(children: Sequence[Token]) -> str:
    html = "".join(_child_html(child) for child in children)
    return visible_text(html)


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
    lines = []
    for line in text.split("\n"):
        generator = _GENERATOR_LINE.match(line)
        kept = (generator["title"] or "") if generator else line
        if kept.strip():
            lines.append(kept.strip())
    return "\n".join(lines)


def _with_anchor(block: Block, slugs: dict[str, int]) -> Block:
    """Give a heading its explicit `{ #anchor }`, or the slug that Git hosts make of its text."""
    explicit = _HEADING_ATTRIBUTES.search(block.text)
    text = block.text[: explicit.start()] if explicit else block.text
    if explicit:
        anchor = explicit["anchor"]
    else:
        slug = _NOT_IN_SLUG.sub("", text.lower()).strip().replace(" ", "-")
        seen = slugs.get(slug, 0)
        slugs[slug] = seen + 1
        anchor = f"{slug}-{seen}" if seen else slug
    return Block(block.kind, block.start, block.end, text, level=block.level, anchor=anchor or None)
