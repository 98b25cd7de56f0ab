"""Who may read, as operators write it in `audience` settings."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator

from knowledge.types import PUBLIC, compared_address


def _understood(tags: Sequence[str]) -> tuple[str, ...]:
    """Refuse what no reader can ever be; addresses are compared in lower case, groups keep their names."""
    return tuple(_tag(tag.strip()) for tag in tags)


def _tag(tag: str) -> str:
    kind, colon, name = tag.partition(":")
    if kind.lower() == PUBLIC and not colon:
        return PUBLIC
    if kind.lower() == "user" and "@" in compared_address(name):
        return f"user:{compared_address(name)}"
    if kind.lower() == "group" and all(name.partition("/")):
        return f"group:{name}"
    raise ValueError(f"{tag!r} is nobody: write public, user:ann@example.org or group:SOURCE/GROUP")


AudienceTags = Annotated[tuple[str, ...], AfterValidator(_understood)]
