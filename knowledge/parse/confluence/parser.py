"""Confluence's storage format (XHTML with macros) to its readable text: what a reader of the page sees of it."""

import re
from dataclasses import replace
from html.entities import name2codepoint
from xml.parsers.expat import ExpatError, ParserCreate

from knowledge.errors import SourceProblem
from knowledge.parse import html
from knowledge.parse.confluence.elements import StorageElements
from knowledge.parse.confluence.names import HeadingAnchors
from knowledge.parse.readable import ReadableText
from knowledge.types import Document, Parsed

# How a document says what it is: the two kinds of site make different anchors.
CLOUD_STORAGE = "application/x-confluence-storage"
DATA_CENTER_STORAGE = f"{CLOUD_STORAGE};site=data-center"
MAX_CHARACTERS = 10_000_000
MAX_DEPTH = 1_000
# Macros whose text stands on other pages; only the rendered page has it.
INCLUDING_MACROS = (
    "include",
    "excerpt-include",
    "multiexcerpt-include",
    "multiexcerpt-include-macro",
    "multiexcerpt-fast-include-block-macro",
    "multiexcerpt-fast-include-inline-macro",
    "shared-block-include",
    "detailssummary",
)
_INCLUDING_MACRO = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)"
    rf"|<ac:(?:structured-)?macro\s[^<>]*\bac:name=[\"'](?P<name>{'|'.join(INCLUDING_MACROS)})[\"']",
    re.DOTALL,
)
# XML knows five names of characters, storage format all of XHTML's. The page itself may declare none.
CHARACTER_NAMES = "<!DOCTYPE page [{}]>".format(
    "".join(
        f'<!ENTITY {name} "&#{point};">'
        for name, point in name2codepoint.items()
        if name not in ("lt", "gt", "amp", "quot")
    )
)
_DECLARATIONS = (b"<!DOCTYPE", b"<!ENTITY")
_DECLARED = "the page declares a DOCTYPE or entities, which are not read; remove the declaration or exclude the page"
_FLAW_WINDOW_BYTES = 9


def parse_document(document: Document) -> Parsed:
    """Parse a page; one of Data Center has the anchors that its title is a part of."""
    is_data_center = document.media_type == DATA_CENTER_STORAGE
    return parse(document.text, page_title=document.title if is_data_center else None)


def parse(xhtml: str, *, page_title: str | None = None) -> Parsed:
    """Parse storage format.

    Headings have the anchors of Confluence Cloud, with a page title those of Data Center. What is not well-formed is
    read as a browser would. Raise SourceProblem for what declares entities, or is nested or long beyond what any page
    needs.
    """
    if len(xhtml) > MAX_CHARACTERS:
        raise SourceProblem(f"the page has {len(xhtml):,} characters, {MAX_CHARACTERS:,} are read; split or exclude it")
    anchors = HeadingAnchors(page_title)
    page = ReadableText(anchors.of_heading)
    elements = StorageElements(page, anchors, max_depth=MAX_DEPTH)
    parser = ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = elements.start
    parser.EndElementHandler = elements.end
    parser.CharacterDataHandler = elements.text
    written = f"{CHARACTER_NAMES}<page>{xhtml}</page>".encode("utf-8", "replace")
    try:
        parser.Parse(written, True)
    except ExpatError as exc:
        flaw = written[max(parser.ErrorByteIndex - _FLAW_WINDOW_BYTES, 0) : parser.ErrorByteIndex + _FLAW_WINDOW_BYTES]
        if any(declaration in flaw for declaration in _DECLARATIONS):
            raise SourceProblem(_DECLARED) from exc
        return _parse_malformed(xhtml, page_title=page_title)
    return replace(page.parsed(), problems=elements.problems)


def _parse_malformed(xhtml: str, *, page_title: str | None) -> Parsed:
    """Parse what only resembles storage format; declarations do nothing."""
    anchors = HeadingAnchors(page_title)
    page = ReadableText(anchors.of_heading)
    elements = StorageElements(page, anchors, max_depth=html.MAX_OPEN_ELEMENTS)
    elements.start("page", {})
    html.read(xhtml, elements, is_xml=True)
    elements.end("page")
    return replace(page.parsed(), problems=elements.problems)


def needs_view(xhtml: str) -> bool:
    """Tell whether macros show text of other pages here, so that the page must be read as it is rendered."""
    return any(match["name"] for match in _INCLUDING_MACRO.finditer(xhtml))
