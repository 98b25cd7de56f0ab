"""OpenAPI descriptions, and other YAML and JSON."""

from knowledge.parse.openapi.parser import parse, parse_document

__all__ = ["parse", "parse_document"]
