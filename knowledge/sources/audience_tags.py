"""Who may read, as operators write it in `audience` settings."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from knowledge.types import compared_address


def _as_compared(tags: Sequence[str]) -> tuple[str, ...]:
    """People write addresses as they like; groups keep their names."""
    return tuple(tag.strip() if tag.startswith("group:") else compared_address(tag) for tag in tags)


AudienceTags = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], AfterValidator(_as_compared)]
