"""`answerdesk chunk` shows how a file is cut, and what could be wrong about it."""

import json
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


def test_people_see_sizes_headings_and_sections(commands: Commands, page: Path) -> None:
    done = commands.run("chunk", str(page))

    assert "section 1 · lines 1–14" in done.stdout
    assert "On-call duty › Отдых" in done.stdout
    assert "2 passages in 1 sections" in done.stdout


def test_another_strategy_with_settings_of_its_own_is_tried_without_a_configuration(
    commands: Commands, page: Path
) -> None:
    told = commands.json("chunk", str(page), "--strategy", "recursive", "--set", "size=40", "--set", "overlap=10")

    assert "recursive-40-10-tokens" in told["recipe"]
    assert len(told["passages"]) > 2


def test_the_semantic_strategy_is_drawn_with_its_curve(commands: Commands, page: Path) -> None:
    picture = page.with_suffix(".svg")

    commands.run("chunk", str(page), "--strategy", "semantic", "--set", "min_tokens=10", "--plot", str(picture))

    drawn = picture.read_text(encoding="utf-8")
    assert "Where meaning turns" in drawn
    assert "threshold" in drawn
    assert "duty.md" in drawn


def test_a_file_of_a_source_is_cut_as_the_source_is(commands: Commands) -> None:
    path = commands.folder / "docs" / "long.md"
    path.write_text(PAGE, encoding="utf-8")
    config = commands.folder / "answerdesk.toml"
    config.write_text(
        config.read_text(encoding="utf-8") + '\n[cutting]\nprose = {strategy = "headings", max_characters = 60}\n',
        encoding="utf-8",
    )

    told = commands.json("chunk", str(path))

    assert told["document"] == "long.md"
    assert "headings-60" in told["recipe"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nowhere.md",), "there is no file"),
        (("duty.md", "--strategy", "magic"), "'magic' is no chunker; choose one of"),
        (("duty.md", "--set", "size"), "--set 'size' sets nothing"),
        (("duty.md", "--set", "size=3"), "`size`: no such setting; known here: max_characters"),
        (("duty.md", "--plot", "cuts.docx"), "is no picture"),
        (("duty.md", "--plot", "no/where.svg"), "no such folder"),
    ],
)
def test_what_cannot_be_done_is_told_with_its_remedy(
    commands: Commands, page: Path, arguments: tuple[str, ...], told: str
) -> None:
    file, *others = arguments
    done = commands.run("chunk", str(page.parent / file), *others, "--json")

    assert done.returncode == 2
    assert told in json.loads(done.stdout)["error"]
