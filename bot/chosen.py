"""One implementation that a deployment chose, with its validated table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from bot.registry import UnknownKind, settings_model
from bot.validated import validated

# What a table without a kind might have been meant to be.
_KIND_EXAMPLES = {"source": "folder", "desk": "chat"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """One implementation with its validated table."""

    port: str
    kind: str
    settings: BaseModel


def chosen(port: str, table: Mapping[str, Any], place: str, default: str | None, problems: list[str]) -> Chosen | None:
    """Return what a table chooses; None where it has problems, which are added to those there are."""
    kind = table.get("kind", default)
    if not kind:
        problems.append(f'{place}: `kind` is missing; write for instance kind = "{_KIND_EXAMPLES[port]}"')
        return None
    try:
        model = settings_model(port, str(kind))
    except UnknownKind as exc:
        problems.append(f"{place}: {exc}")
        return None
    given = dict(table) if "kind" in model.model_fields else without(table, "kind")
    settings = validated(model, given, place, problems)
    return Chosen(port, str(kind), settings) if settings else None


def without(table: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """Return a table without some of its keys."""
    return {name: value for name, value in table.items() if name not in keys}
