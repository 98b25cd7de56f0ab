"""Source code, by its grammar."""

from knowledge.parse.code.parser import (
    BROKEN,
    MINIFIED,
    TOO_LONG,
    TOO_SLOW,
    parse_document,
)

__all__ = ["BROKEN", "MINIFIED", "TOO_LONG", "TOO_SLOW", "parse_document"]
