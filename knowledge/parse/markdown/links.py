"""Links between the pages of one source: where each leads, and whether what it names is there."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from posixpath import dirname, normpath
from urllib.parse import unquote

from markdown_it.token import Token

from knowledge.parse.html.markup import MARKUP, attributes_of
from knowledge.parse.markdown.tokens import tokens_of
from knowledge.types import Parsed

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|<")
_SEPARATORS = re.compile(r"[\W_]+")
_PAGE = re.compile(r"(?:/|\.(?:md|mdx|markdown|html?))$")


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a page of the same source: `path` as it is written ("" for the page itself), and the place in it."""

    path: str
    anchor: str


def internal_links(parsed: Parsed) -> Iterator[Link]:
    """Yield the links that lead to no other site, in reading order."""
    for address in _addresses(tokens_of(parsed.text)):
        if not _SCHEME.match(address):
            path, _, anchor = address.partition("#")
            yield Link(unquote(path.partition("?")[0].strip()), unquote(anchor.strip()))


def anchors_of(parsed: Parsed) -> frozenset[str]:
    """Return all places of a page that a link may name: of its headings and captions, and of its HTML elements."""
    anchors = {block.anchor for block in parsed.blocks if block.anchor}
    if "<" in parsed.text:
        for tag in MARKUP.finditer(parsed.text):
            attributes = attributes_of(tag["attributes"] or "")
            anchors.update(attributes[name] for name in ("id", "name") if attributes.get(name))
    return frozenset(anchors)


def target_of(link: Link, page: str, pages: Collection[str]) -> str | None:
    """Return the path of the page that a link on `page` leads to; None where there is none.

    It may be written as the file (`../a.md`), as the address of its folder (`../a`, `/ru/a` for `a.md`, `a/a.md` or
    `a/index.md`), from the page's own folder, or from the address of the page, which counts as a folder.
    """
    if not link.path:
        return page
    stem = _PAGE.sub("", page)
    bases = [""] if link.path.startswith("/") else [dirname(page), stem, dirname(dirname(page))]
    for base in bases:
        place = normpath(f"{base}/{link.path.strip('/')}").lstrip("/")
        for candidate in _files(place):
            if candidate in pages:
                return candidate
    return None


def broken_links(pages: Mapping[str, Parsed]) -> Iterator[tuple[str, Link]]:
    """Yield each link to a page that is there, with its own page, of which the place that it names is not.

    Generators make anchors of titles with different separators: `a_b`, `a-b` and `a--b` are one place.
    """
    anchors = {path: frozenset(map(_plain, anchors_of(parsed))) for path, parsed in pages.items()}
    for path, parsed in pages.items():
        for link in internal_links(parsed):
            target = target_of(link, path, pages)
            if target is not None and link.anchor and _plain(link.anchor) not in anchors[target]:
                yield path, link


def _plain(anchor: str) -> str:
    return _SEPARATORS.sub("-", anchor.lower()).strip("-")


def _addresses(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "link_open":
            yield str(token.attrs.get("href", ""))
        elif token.type in ("html_inline", "html_block"):
            yield from _addresses_in_html(token.content)
        yield from _addresses(token.children or ())


def _addresses_in_html(html: str) -> Iterator[str]:
    for tag in MARKUP.finditer(html):
        if (tag["tag"] or "").lower() == "a" and not tag["end"]:
            address = attributes_of(tag["attributes"]).get("href")
            if address:
                yield address


def _files(place: str) -> Iterator[str]:
    yield place
    stem = _PAGE.sub("", place)
    yield f"{stem}.md"
    yield f"{stem}/{stem.rpartition('/')[2]}.md"
    yield f"{stem}/index.md"
    yield f"{stem}/README.md"
