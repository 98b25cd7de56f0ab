"""Templates and includes of site generators, resolved."""

from knowledge.parse.templates.resolve import (
    MAX_DEPTH,
    MAX_FILES,
    MAX_INCLUDED_CHARACTERS,
    MAX_INCLUDES,
    MAX_LINES,
    Resolved,
    Rules,
    resolve,
)

__all__ = [
    "MAX_DEPTH",
    "MAX_FILES",
    "MAX_INCLUDED_CHARACTERS",
    "MAX_INCLUDES",
    "MAX_LINES",
    "Resolved",
    "Rules",
    "resolve",
]
