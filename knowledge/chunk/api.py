"""API descriptions: one passage for each operation and each shared schema, the long ones cut between their entries."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic import BaseModel, ConfigDict, Field

from knowledge.chunk.headings import Headings

MAX_CHARACTERS = 4_000


class ApiSettings(BaseModel):
    """How long the passage of one operation may be."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_characters: int = Field(default=MAX_CHARACTERS, ge=200, le=20_000)


@asynccontextmanager
async def build(settings: ApiSettings) -> AsyncIterator[Headings]:
    """Open the chunker: an operation stands under a heading of its own."""
    yield Headings(settings.max_characters, strategy="api")
