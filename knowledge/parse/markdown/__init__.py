"""Markdown as it is written for site generators, to blocks."""

from knowledge.parse.markdown.parser import (
    blocks_of,
    parse,
    parse_document,
    tag_spans,
    visible_pieces,
)

__all__ = ["blocks_of", "parse", "parse_document", "tag_spans", "visible_pieces"]
