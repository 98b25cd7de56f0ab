"""`[cutting]`, and what a source's own table says in its place: how documents of each kind are cut."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import Field

from bot.chosen import Chosen, chosen, without
from bot.registry import REGISTRY
from bot.tables import Table
from bot.validated import validated
from knowledge.chunk.sections import MAX_TOKENS
from knowledge.parse.formats import Kind

STRATEGIES: Mapping[Kind, str] = {"prose": "headings", "code": "code", "api": "api", "table": "table"}
KINDS: Sequence[Kind] = get_args(Kind)


class CuttingSettings(Table):
    """What holds for documents of every kind."""

    # The title and the headings above are indexed with each passage; its caption with a table's.
    context_line: bool = True
    # About how many tokens are read around a passage by a model that words an answer.
    section_tokens: int = Field(default=MAX_TOKENS, ge=100, le=20_000)


@dataclass(frozen=True, slots=True)
class CuttingChoice:
    """How the documents of one source are cut: the chunker for each kind, and what holds for all."""

    chunkers: Mapping[Kind, Chosen]
    common: CuttingSettings

    @property
    def key(self) -> str:
        """What tells this way of cutting from others."""
        kinds = [f"{kind} {one.kind} {one.settings!r}" for kind, one in sorted(self.chunkers.items())]
        return "; ".join([*kinds, repr(self.common)])


def cutting_of(table: Mapping[str, Any], source: Mapping[str, Any], name: str, problems: list[str]) -> CuttingChoice:
    """Return how a source is cut: what its own table leaves open is as in `[cutting]`, kind by kind."""
    own = source.get("cutting", {})
    place = f"[[sources]] {name} [cutting]" if own else "[cutting]"
    if not isinstance(own, Mapping):
        problems.append(f"{place}: {own!r} is no table; write [sources.cutting]")
        own = {}
    both = {**table, **own}
    common = validated(CuttingSettings, without(both, *KINDS), place, problems) or CuttingSettings()
    chunkers = {kind: _chunker(kind, both.get(kind, {}), f"{place} {kind}", problems) for kind in KINDS}
    return CuttingChoice({kind: one for kind, one in chunkers.items() if one}, common)


def _chunker(kind: Kind, table: object, place: str, problems: list[str]) -> Chosen | None:
    if not isinstance(table, Mapping):
        strategies = ", ".join(sorted(REGISTRY["chunker"]))
        problems.append(f'{place}: {table!r} is no table; write for instance {{strategy = "recursive"}} ({strategies})')
        return None
    named = {**without(table, "strategy"), "kind": table.get("strategy", STRATEGIES[kind])}
    return chosen("chunker", named, place, None, problems)
