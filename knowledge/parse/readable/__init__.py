"""The readable text of a page with markup: what the parsers of such formats write to."""

from knowledge.parse.readable.page import ReadableText

__all__ = ["ReadableText"]
