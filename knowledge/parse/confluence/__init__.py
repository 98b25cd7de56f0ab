"""Confluence's storage format."""

from knowledge.parse.confluence.parser import (
    CHARACTER_NAMES,
    CLOUD_STORAGE,
    DATA_CENTER_STORAGE,
    INCLUDING_MACROS,
    MAX_CHARACTERS,
    needs_view,
    parse,
    parse_document,
)

__all__ = [
    "CHARACTER_NAMES",
    "CLOUD_STORAGE",
    "DATA_CENTER_STORAGE",
    "INCLUDING_MACROS",
    "MAX_CHARACTERS",
    "needs_view",
    "parse",
    "parse_document",
]
