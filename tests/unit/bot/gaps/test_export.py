"""Gaps leave as a spreadsheet that computes nothing, and as a picture that sets nothing as a formula."""

import csv
import io
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bot.gaps.export import csv_text, neutral
from bot.gaps.gap import Gap, Status
from bot.gaps.picture import draw
from bot.pictures import refuse_what_cannot_be_drawn
from bot.store.gaps import Page
from knowledge.errors import SettingsProblem

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def gap(label: str, *, status: Status = "open", count: int = 3) -> Gap:
    page = Page("docs", "+a.md", "-1+1", "https://docs.example/a", "@owner")
    return Gap(
        id="u1",
        label=label,
        status=status,
        count=count,
        before=1,
        askers=None,
        trend=(1, 3),
        examples={"en": label, "es": "¿Dónde, o «cuándo»?"},
        words={"en": ["kiln", "hot"], "es": ["horno"]},
        page=page,
        first_at=NOW,
        last_at=NOW,
        answered_at=None,
        questions=("u1",),
    )


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_no_cell_is_a_formula(start: str) -> None:
    assert neutral(f"{start}1+1") == f"'{start}1+1"


@pytest.mark.parametrize("cell", ["", "1", "a=b", "¿Dónde?", "Де піч?"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert neutral(cell) == cell


def test_each_gap_is_a_row_that_reads_back() -> None:
    title, row = csv.reader(io.StringIO(csv_text([gap('=HYPERLINK("http://x","y"), "quoted"')]), newline=""))
    told = dict(zip(title, row, strict=True))

    assert told["question"] == '\'=HYPERLINK("http://x","y"), "quoted"'
    assert told["in other languages"] == "es: ¿Dónde, o «cuándo»?"
    assert told["words"] == "en: kiln, hot | es: horno"
    assert (told["nearest document"], told["nearest title"], told["owner"]) == ("'+a.md", "'-1+1", "'@owner")
    assert (told["questions"], told["questions before"], told["askers"]) == ("3", "1", "")


def test_the_picture_shows_open_gaps_with_their_words_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "gaps.svg"

    draw([gap("Is it $5 or $6 & <b>?"), gap("Де піч? 窯"), gap("done", status="answered")], 30, file)

    texts = [element.text for element in ElementTree.parse(file).iter("{http://www.w3.org/2000/svg}text")]
    assert {"Is it $5 or $6 & <b>?", "Де піч? 窯", "last 30 days"} <= set(texts)
    assert "done" not in texts


@pytest.mark.parametrize("found", [[], [gap("Where is the kiln? 窯", count=1)]])
def test_a_picture_is_drawn_of_however_few_gaps(found: list[Gap], tmp_path: Path) -> None:
    file = tmp_path / "gaps.png"

    draw(found, 30, file)

    assert file.read_bytes().startswith(b"\x89PNG")


def test_what_is_no_picture_is_refused_before_any_work() -> None:
    with pytest.raises(SettingsProblem, match=r"\.svg or \.png"):
        refuse_what_cannot_be_drawn(Path("gaps.docx"), extra="gaps")
