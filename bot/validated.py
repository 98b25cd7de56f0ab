"""Tables of answerdesk.toml, validated: what is wrong with them is told with a remedy."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

M = TypeVar("M", bound=BaseModel)


def validated(model: type[M], raw: Mapping[str, Any], place: str, problems: list[str]) -> M | None:
    """Return a table as its model has it; None where it has problems, which are added to those there are."""
    try:
        return model.model_validate(raw)
    except ValidationError as exc:
        for error in exc.errors(include_url=False):
            problems.append(f"{place} {_explained(model, error)}".strip())
        return None


def _explained(model: type[BaseModel], error: Mapping[str, Any]) -> str:
    key = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"`{key}`: no such setting; known here: {', '.join(sorted(model.model_fields))}"
    if error["type"] == "missing":
        return f"`{key}`: is missing; add it"
    message = error["msg"].removeprefix("Value error, ").replace("valid tuple", 'list, for instance ["a", "b"]')
    # Somebody may have put the secret itself where the name of its variable belongs.
    shown = "" if key.endswith("_env") else f" = {error['input']!r}"
    return f"`{key}`{shown}: {message[0].lower()}{message[1:]}"
