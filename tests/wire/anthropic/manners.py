"""How a server behaves: the vendor's own, or one of those that speak its protocol only in part."""

from dataclasses import dataclass
from typing import Literal

from tests.wire.anthropic.catalogue import KNOWN_MODELS


@dataclass(frozen=True, slots=True)
class Manners:
    """What a server takes and gives.

    `search_results` are accepted, refused as an unknown block, or dropped before the model sees them. `catalogue`: what
    GET /v1/models/{id} gives: all the vendor tells, a plain entry without capabilities, or 404. `writes_one_block`: all
    text comes in one block, without citations.
    """

    search_results: Literal["accept", "refuse", "ignore"] = "accept"
    catalogue: Literal["full", "plain", "missing"] = "full"
    needs_key: bool = True
    needs_version: bool = True
    allows_sampling: bool = False
    writes_one_block: bool = False
    sends_request_id: bool = True
    known_models: frozenset[str] | None = KNOWN_MODELS


ANTHROPIC = Manners()


def compatible(
    search_results: Literal["refuse", "ignore"] = "refuse", catalogue: Literal["plain", "missing"] = "missing"
) -> Manners:
    """Behave as llama.cpp, vLLM or Ollama: any model, no key, temperature allowed, no citations."""
    return Manners(
        search_results=search_results,
        catalogue=catalogue,
        needs_key=False,
        needs_version=False,
        allows_sampling=True,
        writes_one_block=True,
        sends_request_id=False,
        known_models=None,
    )
