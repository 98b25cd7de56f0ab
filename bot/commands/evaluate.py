"""`answerdesk evaluate`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from bot.cli import DONE, error_console, print_json
from bot.compose import Desk, open_desk
from bot.core.handle import Draft
from bot.core.messages import Asked, Citation
from bot.settings import Settings
from knowledge.errors import SettingsProblem
from knowledge.evaluate.labelled import Labelled, Outcome, read_labelled
from knowledge.types import Evidence

EXTRA = 'install it with `pip install "answerdesk[evaluate]"`'


async def evaluate(settings: Settings, file: Path, *, as_json: bool) -> int:
    """Draft a reply to every labelled question (nobody is told) and print what came of it."""
    try:
        from knowledge.evaluate.metrics import report
    except ImportError as exc:
        raise SettingsProblem(f"`answerdesk evaluate` needs the package {exc.name}; {EXTRA}") from exc
    questions = read_labelled(file)
    async with open_desk(settings) as desk:
        rows = [
            await outcome_of(desk, labelled) for labelled in track(questions, "evaluating", console=error_console())
        ]
        document = {
            **report(rows),
            "file": str(file),
            "fingerprint": desk.fingerprint,
            "threshold": settings.answer.threshold,
        }
    if as_json:
        print_json(document)
    else:
        Console().print(_table(document))
    return DONE


async def outcome_of(desk: Desk, labelled: Labelled) -> Outcome:
    """Draft a reply to one labelled question and judge it."""
    draft = await desk.handler.draft(Asked(labelled.question))
    gold = {place.document for place in labelled.gold}
    quotes = [place.quote for place in labelled.gold if place.quote]
    evidence = draft.retrieved.evidence
    answered = draft.answer.sentences if draft.answer else ()
    return Outcome(
        id=labelled.id,
        language=labelled.language,
        answerable=labelled.answerable,
        has_quote=bool(quotes),
        found_rank=_first(evidence, lambda piece: piece.hit.document in gold),
        quote_rank=_first(evidence, lambda piece: any(_folded(quote) in _folded(piece.hit.text) for quote in quotes)),
        score=evidence[0].relevance if evidence else None,
        is_right=labelled.answerable and bool(evidence) and evidence[0].hit.document in gold,
        answered=draft.answer is not None,
        citations=await _judged(desk, draft, gold),
        contains_answer=_contains(draft, labelled),
        sentences=tuple(bool(said.citations) and said.checks.supported for said in answered),
        characters=len(draft.answer.text) if draft.answer else None,
        latency_ms=draft.timings_ms["total"],
    )


def _first(evidence: tuple[Evidence, ...], matches: Callable[[Evidence], bool]) -> int | None:
    return next((rank for rank, piece in enumerate(evidence, 1) if matches(piece)), None)


async def _judged(desk: Desk, draft: Draft, gold: set[str]) -> tuple[tuple[bool, bool], ...]:
    sentences = draft.answer.sentences if draft.answer else ()
    citations = [citation for sentence in sentences for citation in sentence.citations]
    return tuple([(await _is_valid(desk, cited), cited.document in gold) for cited in citations])


async def _is_valid(desk: Desk, cited: Citation) -> bool:
    """Tell whether the quote stands in the stored document on the lines that the citation names."""
    text = await desk.base.documents.text(cited.source, cited.document) or ""
    lines = text.split("\n")[cited.start_line - 1 : cited.end_line]
    return cited.quote in "\n".join(lines)


def _contains(draft: Draft, labelled: Labelled) -> bool | None:
    """Tell whether one of the expected answers stands in the reply; None where none is labelled."""
    if not labelled.answers or draft.answer is None:
        return None
    return any(_folded(answer) in _folded(draft.answer.text) for answer in labelled.answers)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _table(document: dict[str, Any]) -> Table:
    groups = {"overall": document["overall"], **document["languages"]}
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("")
    for name in groups:
        table.add_column(Text(name), justify="right")
    for figure in document["overall"]:
        table.add_row(figure, *(_shown(group[figure]) for group in groups.values()))
    return table


def _shown(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
