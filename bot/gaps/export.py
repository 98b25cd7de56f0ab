"""Gaps as a table for spreadsheets."""

import csv
import io
from collections.abc import Sequence

from bot.gaps.gap import Gap

# A spreadsheet takes a cell that begins with one of these for a formula, and some also the wide forms of Chinese and
# Japanese keyboards (OWASP, "CSV Injection").
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_TITLES = (
    "id",
    "status",
    "questions",
    "questions before",
    "askers",
    "question",
    "in other languages",
    "words",
    "nearest source",
    "nearest document",
    "nearest title",
    "nearest link",
    "owner",
    "first asked",
    "last asked",
    "answered since",
)


def csv_text(gaps: Sequence[Gap]) -> str:
    """Return gaps as CSV, one a row; no cell is a formula, whatever people asked."""
    written = io.StringIO(newline="")
    rows = csv.writer(written)
    rows.writerow(_TITLES)
    rows.writerows([[neutral(cell) for cell in _cells(gap)] for gap in gaps])
    return written.getvalue()


def neutral(cell: str) -> str:
    """Return a cell's text with a mark before what a spreadsheet would compute."""
    return f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell


def _cells(gap: Gap) -> list[str]:
    _, *others = gap.examples.items()
    page = gap.page
    return [
        gap.id,
        gap.status,
        str(gap.count),
        str(gap.before),
        "" if gap.askers is None else str(gap.askers),
        gap.label,
        " | ".join(f"{language}: {question}" for language, question in others),
        " | ".join(f"{language}: {', '.join(words)}" for language, words in gap.words.items()),
        *([page.source, page.document, page.title, page.url or "", page.owner or ""] if page else [""] * 5),
        gap.first_at.isoformat(timespec="seconds"),
        gap.last_at.isoformat(timespec="seconds"),
        gap.answered_at.isoformat(timespec="seconds") if gap.answered_at else "",
    ]
