"""Pages that show text of other pages: whose text that is, and whether every reader of the page may read it there.

A site renders a page as its caller sees it, so the text of a page that the token's account may read would come along
for readers who may not. Confluence itself shows each reader only what that reader may view.
"""

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from xml.parsers.expat import ExpatError, ParserCreate

from knowledge.parse.confluence import CHARACTER_NAMES, needs_view
from knowledge.sources.confluence.api import Hidden
from knowledge.sources.confluence.model import Page
from knowledge.sources.confluence.site import Site
from knowledge.types import NOBODY, Audience

MAX_INCLUDED = 20
# What is added to a revision: tokens of the included pages between two signs, then a digest. Their text is shown, or it
# is only watched whether it may be.
_SHOWN, _WATCHED = "+", "~"
_MARK = re.compile(r"(?P<own>[^+~]*)(?:(?P<sign>[+~])(?P<tokens>[^+~]*)[+~].*)?", re.DOTALL)
_MACROS = frozenset({"ac:structured-macro", "ac:macro"})
_INCLUDING = frozenset({"include", "excerpt-include"})
# Macros that show nothing but what stands on the page itself.
_OWN = (
    frozenset({"anchor", "code", "column", "details", "excerpt", "expand", "info", "multimedia", "noformat"})
    | {"note", "panel", "section", "status", "tip", "toc", "toc-zone", "view-file"}
    | {"viewdoc", "viewpdf", "viewppt", "viewxls", "warning"}
)
# Elements that only write or link; whatever else has a prefix may show anything.
_PLAIN = (
    frozenset({"ac:structured-macro", "ac:macro", "ac:parameter", "ac:rich-text-body", "ac:plain-text-body"})
    | {"ac:link", "ac:link-body", "ac:plain-text-link-body", "ac:image", "ac:caption", "ac:emoticon"}
    | {"ac:layout", "ac:layout-section", "ac:layout-cell", "ac:placeholder", "ac:inline-comment-marker"}
    | {"ac:task-list", "ac:task", "ac:task-id", "ac:task-uuid", "ac:task-status", "ac:task-body"}
    | {"ri:page", "ri:attachment", "ri:user", "ri:url", "ri:space", "ri:content-entity", "ri:shortcut", "ri:blog-post"}
)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reference:
    """A page named by its title, in the same space unless another is said."""

    space: str | None
    title: str


@dataclass(frozen=True, slots=True)
class Inclusion:
    """What a page includes, as tokens, and whether all of what it shows may be read by all of its readers."""

    tokens: tuple[str, ...]
    is_permitted: bool


@dataclass(frozen=True, slots=True)
class Library:
    """The listed pages and who may read them, by id."""

    pages: Mapping[str, Page]
    audiences: Mapping[str, Audience]
    by_token: Mapping[str, str]

    @classmethod
    def of(cls, pages: Iterable[Page], audiences: Mapping[str, Audience]) -> "Library":
        """Make it of listed pages."""
        pages = list(pages)
        by_token = {_token(page.space, page.title): page.id for page in pages}
        return cls({page.id: page for page in pages}, audiences, by_token)

    def mark(self, page: str, references: Iterable[str], *, is_shown: bool) -> str:
        """Return what is added to a page's revision for the references (tokens) on it.

        It changes with the pages that they mean, with the text of those and with who may read them.
        """
        tokens = sorted(references)
        if not tokens:
            return ""
        sign = _SHOWN if is_shown else _WATCHED
        states = [self._state(page), *(self._meaning(token) for token in tokens)]
        return f"{sign}{','.join(tokens)}{sign}{sha256(chr(0).join(states).encode()).hexdigest()[:8]}"

    def mark_as_in(self, page: str, revision: str) -> str:
        """Return the mark of today for the references in the mark of a stored revision."""
        stored = _parts(revision)
        return self.mark(page, stored.tokens, is_shown=stored.is_shown)

    def may_read_as_in(self, revision: str) -> Audience:
        """Return who may read all pages whose text is shown in what was stored at a revision."""
        stored, audience = _parts(revision), Audience()
        for token in stored.tokens if stored.is_shown else ():
            audience = audience & self.audiences.get(self.by_token.get(token, ""), NOBODY)
        return audience

    def _meaning(self, token: str) -> str:
        page = self.by_token.get(token)
        return f"{page} {self.pages[page].version} {self._state(page)}" if page else ""

    def _state(self, content: str) -> str:
        return self.audiences[content].key.hex() if content in self.audiences else ""


@dataclass(frozen=True, slots=True)
class _Parts:
    own: str
    tokens: tuple[str, ...] = ()
    is_shown: bool = False


def without_mark(revision: str) -> str:
    """Return what a revision tells of the page itself."""
    return _parts(revision).own


def _parts(revision: str) -> _Parts:
    found = _MARK.fullmatch(revision)
    if found is None:
        return _Parts(revision)
    return _Parts(found["own"], tuple(filter(None, (found["tokens"] or "").split(","))), found["sign"] == _SHOWN)


async def included(site: Site, library: Library, page: Page, storage: str) -> Inclusion:
    """Return what a page includes, and what that includes in turn; what cannot be told is not permitted."""
    readers = library.audiences[page.id]
    found: dict[str, None] = {}
    is_permitted = True
    waiting = [(page, storage)]
    while waiting:
        including, text = waiting.pop()
        references = shown_references(text)
        is_permitted &= references is not None
        for reference in references or ():
            token = _token(reference.space or including.space, reference.title)
            target = library.by_token.get(token)
            if target == page.id or token in found:
                continue
            found[token] = None
            body = await _storage(site, target) if target and _may(readers, library.audiences[target]) else None
            is_permitted &= target is not None and body is not None
            if len(found) > MAX_INCLUDED or not is_permitted:
                return _told(page, found, is_permitted=False)
            if target and body and needs_view(body):
                waiting.append((library.pages[target], body))
    return _told(page, found, is_permitted=is_permitted)


def _may(readers: Audience, read: Audience) -> bool:
    return readers & read == readers


def _token(space: str, title: str) -> str:
    """Return what stands for a page named by its title; only the very same title is sure to mean the same page."""
    return sha256(f"{space.lower()}\0{title}".encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _told(page: Page, found: Iterable[str], *, is_permitted: bool) -> Inclusion:
    if not is_permitted:
        log.info("the text of other pages is left out of a page: not all readers may see it", extra={"page": page.id})
    return Inclusion(tuple(found), is_permitted)


async def _storage(site: Site, page: str) -> str | None:
    try:
        return (await site.body(page, "storage")).text
    except Hidden:
        return None


def shown_references(storage: str) -> list[Reference] | None:
    """Return the pages whose text macros show; None when a macro may show what nobody can tell from here."""
    macros = _Macros()
    parser = ParserCreate("utf-8")
    parser.StartElementHandler = macros.start
    parser.EndElementHandler = macros.end
    try:
        # Titles may be written with names of characters, which XML would not know.
        parser.Parse(f"{CHARACTER_NAMES}<page>{storage}</page>".encode("utf-8", "replace"), True)
    except ExpatError:
        return None
    return macros.references if macros.is_known else None


class _Macros:
    """Walks through a page's macros; an including one must name one page, in its one parameter without a name."""

    def __init__(self) -> None:
        self.references: list[Reference] = []
        self.is_known = True
        self._open: list[str] = []
        self._parameter: str | None = None
        self._named = 0

    def start(self, element: str, attributes: dict[str, str]) -> None:
        """Take note of macros, of the pages that including ones name, and of what nobody can judge."""
        self.is_known &= ":" not in element or element in _PLAIN
        if element in _MACROS:
            self._begin(attributes.get("ac:name", ""))
        elif self._includes and element == "ac:parameter":
            self._parameter = attributes.get("ac:name", "")
        elif self._includes and element.startswith("ri:") and element != "ri:space":
            self._named += 1
            self.is_known &= element == "ri:page" and self._parameter == ""
            self.references.append(Reference(attributes.get("ri:space-key"), attributes.get("ri:content-title", "")))

    def end(self, element: str) -> None:
        """Take note when an including macro has named no page, or several, or in an older form of writing."""
        if element in _MACROS:
            self.is_known &= not self._includes or self._named == 1
            self._open.pop()
        elif element == "ac:parameter":
            self._parameter = None

    @property
    def _includes(self) -> bool:
        return bool(self._open) and self._open[-1] in _INCLUDING

    def _begin(self, name: str) -> None:
        # What an including macro holds besides its parameters could hide what it shows.
        self.is_known &= not self._includes and (name in _INCLUDING or name in _OWN)
        self._open.append(name)
        self._named = 0
