"""`answerdesk chunk` shows how a file is cut, and what could be wrong about it."""

from pathlib import Path

import pytest

from tests.scenario.conftest import Commands

PAGE = """\
# On-call duty

## Pay

The engineer receives €200 a week. Each call-out at night adds €35.

## Отдых

После ночного вызова рабочий день начинается через одиннадцать часов.

| Shift | Pay |
|---|---|
| day | 200 |
| night | 235 |
"""


@pytest.fixture
def page(commands: Commands) -> Path:
    """A page in a folder that no source reads."""
    path = commands.folder / "apart" / "duty.md"
    path.parent.mkdir()
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_passages_and_sections_are_told_as_data(commands: Commands, page: Path) -> None:
    told = commands.json("chunk", str(page))

    assert [passage["heading"] for passage in told["passages"]] == [["On-call duty", "Pay"], ["On-call duty", "Отдых"]]
    assert all(PAGE[one["start"] : one["end"]] == one["text"] for one in told["passages"])
    assert all(passage["tokens"] > 10 for passage in told["passages"])
    assert [(one["start_line"], one["end_line"]) for one in told["sections"]] == [(1, 14)]
    assert (told["document"], told["language"], told["problems"]) == ("duty.md", "en", [])


def test_people_see_sizes_headings_and_sections_and_meaning_is_drawn(commands: Commands, page: Path) -> None:
    picture = page.with_suffix(".svg")

    done = commands.run("chunk", str(page), "--strategy", "semantic", "--set", "min_tokens=10", "--plot", str(picture))

    assert "section 1 · lines 1–14" in done.stdout
    assert "On-call duty › Pay" in done.stdout
    assert "in 1 section;" in done.stdout
    drawn = picture.read_text(encoding="utf-8")
    assert all(said in drawn for said in ("Where meaning turns", "threshold", "duty.md"))


def test_a_file_of_a_source_is_cut_as_the_source_is(commands: Commands) -> None:
    path = commands.folder / "docs" / "long.md"
    path.write_text(PAGE, encoding="utf-8")
    commands.configure(
        '[[sources]]\nname = "docs"\nkind = "folder"\npath = "docs"\n[cutting]\nprose = {max_characters = 60}\n'
    )

    told = commands.json("chunk", str(path))

    assert told["document"] == "long.md"
    assert "headings-60" in told["recipe"]
