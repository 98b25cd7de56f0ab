"""An operator sees what the documents lack, across languages."""

import asyncio
import csv

import pytest

from knowledge.store.pool import open_pool
from tests.scenario.conftest import Commands

PARKING = [
    ("en", "Where can I park my bicycle?"),
    ("ru", "Где можно поставить велосипед?"),
    ("es", "¿Dónde puedo aparcar mi bicicleta?"),
    ("en", "Is there a place to park a bike?"),
]
CAT = [("en", "=Who feeds the office cat?"), ("uk", "Хто годує офісного кота?")]


def ask(database_url: str, *, is_answered: bool = False) -> None:
    """Have questions asked that have no answer, or one by now."""

    async def store() -> None:
        async with open_pool(database_url) as pool, pool.connection() as connection:
            await connection.cursor().executemany(
                "insert into unanswered (question, language, reason, threshold, fingerprint)"
                " values (%s, %s, 'no_source', 0.65, 'f')",
                [(question, language) for language, question in [*PARKING, *CAT]],
            )

    async def answer() -> None:
        async with open_pool(database_url) as pool, pool.connection() as connection:
            await connection.execute("update unanswered set answerable_at = now() where question like '%bi%'")
            await connection.execute("update unanswered set answerable_at = now() where question like '%велос%'")

    asyncio.run(answer() if is_answered else store())


@pytest.fixture
def asked(commands: Commands, database_url: str) -> Commands:
    ask(database_url)
    return commands


def test_the_same_question_in_several_languages_is_one_gap(asked: Commands, database_url: str) -> None:
    parking, cat = asked.json("gaps", DATABASE_URL=database_url)["gaps"]

    assert (parking["count"], set(parking["examples"]), parking["status"]) == (4, {"en", "ru", "es"}, "open")
    assert (cat["count"], set(cat["examples"])) == (2, {"en", "uk"})


def test_gaps_are_written_for_spreadsheets_and_drawn(asked: Commands, database_url: str) -> None:
    done = asked.run("gaps", "--csv", "gaps.csv", "--plot", "gaps.svg", DATABASE_URL=database_url)

    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader((asked.folder / "gaps.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert [row["questions"] for row in rows] == ["4", "2"]
    assert not any(cell.startswith("=") for row in rows for cell in row.values())
    assert "<svg" in (asked.folder / "gaps.svg").read_text(encoding="utf-8")
    assert "bicycle" in done.stdout


def test_a_gap_closes_by_itself_and_is_dismissed_by_any_of_its_questions(asked: Commands, database_url: str) -> None:
    ask(database_url, is_answered=True)

    dismissed = asked.json("gaps", "dismiss", "u6", DATABASE_URL=database_url)
    after = asked.json("gaps", DATABASE_URL=database_url)["gaps"]
    restored = asked.run("gaps", "restore", "u5", DATABASE_URL=database_url)
    finally_open = asked.json("gaps", DATABASE_URL=database_url)["gaps"]

    assert set(dismissed["dismissed"]) == {"u5", "u6"}
    assert [gap["status"] for gap in after] == ["answered", "dismissed"]
    assert restored.returncode == 0
    assert [gap["status"] for gap in finally_open] == ["open", "answered"]


def test_wrong_use_is_told_with_its_remedy(asked: Commands, database_url: str) -> None:
    unknown = asked.run("gaps", "dismiss", "u99", DATABASE_URL=database_url)
    no_picture = asked.run("gaps", "--plot", "gaps.doc", DATABASE_URL=database_url)
    no_folder = asked.run("gaps", "--csv", "none/gaps.csv", DATABASE_URL=database_url)

    assert (unknown.returncode, no_picture.returncode, no_folder.returncode) == (2, 2, 2)
    assert "lists them" in unknown.stderr
    assert ".svg or .png" in no_picture.stderr
    assert "cannot write none/gaps.csv" in no_folder.stderr


@pytest.mark.parametrize(("package", "arguments"), [("networkx", []), ("matplotlib", ["--plot", "gaps.svg"])])
def test_a_package_that_is_not_there_is_named_with_its_extra(
    asked: Commands, database_url: str, package: str, arguments: list[str]
) -> None:
    absent = asked.folder / "absent"
    absent.mkdir()
    (absent / f"{package}.py").write_text(f"raise ModuleNotFoundError(name={package!r})", encoding="utf-8")

    done = asked.run("gaps", *arguments, DATABASE_URL=database_url, PYTHONPATH=str(absent))

    assert done.returncode == 2
    assert f'needs {package}: pip install "answerdesk[gaps]"' in " ".join(done.stderr.split())


def test_where_everything_was_answered_there_is_no_gap(commands: Commands, database_url: str) -> None:
    done = commands.run("gaps", DATABASE_URL=database_url)

    assert done.returncode == 0
    assert "no gaps" in done.stdout
