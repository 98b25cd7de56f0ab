"""HTML, and what of it a reader sees."""

from knowledge.parse.html.parser import (
    MAX_CHARACTERS,
    MAX_OPEN_ELEMENTS,
    parse,
    parse_document,
    read,
    write_html,
)

__all__ = ["MAX_CHARACTERS", "MAX_OPEN_ELEMENTS", "parse", "parse_document", "read", "write_html"]
