"""Sentence borders, in any language."""

from knowledge.parse.sentences.splitter import sentence_spans

__all__ = ["sentence_spans"]
