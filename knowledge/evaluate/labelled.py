"""Labelled questions, one JSON object a line, and what came of each."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from knowledge.errors import SettingsProblem


class Gold(BaseModel):
    """A place that answers: a document, and perhaps the very words."""

    model_config = ConfigDict(frozen=True)

    document: str
    quote: str | None = None


class Turn(BaseModel):
    """An earlier message of the conversation."""

    model_config = ConfigDict(frozen=True)

    role: str
    text: str


class Labelled(BaseModel):
    """One question with what a right reply may stand on; unanswerable ones have no gold."""

    model_config = ConfigDict(frozen=True)

    id: str
    question: str = Field(pattern=r"\S")
    language: str
    answerable: bool
    gold: tuple[Gold, ...] = ()
    answers: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to one labelled question.

    `found_rank` and `quote_rank` (from 1, None: not found) say where the gold document and the gold quote first
    stand; `is_right` tells whether the best passage is a gold one, `score` is its relevance. `citations` holds, for
    each citation of the reply, (stands verbatim in the stored document, comes from a gold document).
    """

    id: str
    language: str
    answerable: bool
    has_quote: bool
    found_rank: int | None
    quote_rank: int | None
    score: float | None
    is_right: bool
    answered: bool
    citations: tuple[tuple[bool, bool], ...] = ()
    contains_answer: bool | None = None
    # Of each sentence of the reply: whether it was cited and borne out; and the reply's length with its markers.
    sentences: tuple[bool, ...] = ()
    characters: int | None = None
    latency_ms: float = 0.0


def read_labelled(path: Path) -> list[Labelled]:
    """Read a file of labelled questions; SettingsProblem names the line that is wrong and what it lacks."""
    try:
        # Not splitlines(): JSON allows U+2028 and the like inside a string.
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as exc:
        raise SettingsProblem(f"{path} cannot be read: {exc}; give a UTF-8 file with one JSON object a line") from exc
    questions = list(_parsed(path, lines))
    if not questions:
        raise SettingsProblem(f"{path} holds no question; write one JSON object a line")
    return questions


def _parsed(path: Path, lines: list[str]) -> Iterator[Labelled]:
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            labelled = Labelled.model_validate_json(line)
        except ValidationError as exc:
            first = exc.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise SettingsProblem(f"{path} line {number}: {place} {first['msg'].lower()}; correct that line") from exc
        if labelled.id in seen:
            raise SettingsProblem(f"{path} line {number}: the id {labelled.id!r} stands twice; ids must differ")
        seen.add(labelled.id)
        yield labelled
