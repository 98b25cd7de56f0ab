"""Sentences and model calls as they are stored: what is read is equal to what was written."""

from collections.abc import Sequence
from functools import cache

from psycopg.types.json import Jsonb
from pydantic import TypeAdapter, ValidationError

from bot.core.messages import Call, Sentence


def sentences_json(sentences: Sequence[Sentence]) -> Jsonb:
    """Return sentences with their citations and checks as a parameter."""
    return Jsonb(_sentences().dump_python(tuple(sentences), mode="json"))


def calls_json(calls: Sequence[Call]) -> Jsonb:
    """Return model calls as a parameter."""
    return Jsonb(_calls().dump_python(tuple(calls), mode="json"))


def read_sentences(stored: str) -> tuple[Sentence, ...] | None:
    """Return stored sentences; None for those of a release that knew other sentences."""
    try:
        return _sentences().validate_json(stored)
    except ValidationError:
        return None


@cache
def _sentences() -> TypeAdapter[tuple[Sentence, ...]]:
    return TypeAdapter(tuple[Sentence, ...])


@cache
def _calls() -> TypeAdapter[tuple[Call, ...]]:
    return TypeAdapter(tuple[Call, ...])
