"""How each format is read: its media type, the parser's module, and the kind of document that it makes."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Literal, NamedTuple

from knowledge.types import Document, Parsed

Kind = Literal["prose", "code", "api", "table"]
"""What a document is to whoever cuts it."""

Parser = Callable[[Document], Parsed]
"""Reads a document of one format; raises SourceProblem for what the format does not allow."""

PDF = "application/pdf"
_OFFICE = "application/vnd.openxmlformats-officedocument"
DOCX = f"{_OFFICE}.wordprocessingml.document"
PPTX = f"{_OFFICE}.presentationml.presentation"
XLSX = f"{_OFFICE}.spreadsheetml.sheet"


class Format(NamedTuple):
    """Where a format's parser is, imported when a document needs it, and what it makes."""

    module: str
    kind: Kind = "prose"


MARKDOWN = Format("knowledge.parse.markdown")
CODE = Format("knowledge.parse.code", "code")
API = Format("knowledge.parse.openapi", "api")
_CONFLUENCE = Format("knowledge.parse.confluence")
_CSV = Format("knowledge.parse.office.csv_table", "table")

FORMATS: Mapping[str, Format] = {
    "text/markdown": MARKDOWN,
    "text/plain": Format("knowledge.parse.text"),
    "text/html": Format("knowledge.parse.html"),
    "application/x-confluence-storage": _CONFLUENCE,
    "application/x-confluence-storage;site=data-center": _CONFLUENCE,
    "text/x-code": CODE,
    "application/yaml": API,
    "application/json": API,
    "text/x-openapi": API,
    "text/csv": _CSV,
    "text/tab-separated-values": _CSV,
    PDF: Format("knowledge.parse.office.pdf"),
    DOCX: Format("knowledge.parse.office.docx"),
    PPTX: Format("knowledge.parse.office.pptx"),
    XLSX: Format("knowledge.parse.office.xlsx", "table"),
}


def format_of(media_type: str) -> Format:
    """Return how a media type, with or without parameters, is read: what is not known as Markdown."""
    return FORMATS.get(media_type) or FORMATS.get(media_type.partition(";")[0]) or MARKDOWN


def parser_of(media_type: str) -> Parser:
    """Return the parser of a media type."""
    parser: Parser = import_module(format_of(media_type).module).parse_document
    return parser
