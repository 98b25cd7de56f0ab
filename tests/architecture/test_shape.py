"""Sizes, nesting, settings and commands are what style and README say."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from bot.cutting_tables import KINDS, CuttingSettings
from bot.registry import REGISTRY, settings_model
from bot.store.spending import BudgetSettings
from bot.tables import (
    AnswerSettings,
    HandoverSettings,
    LearningSettings,
    LinkingSettings,
    LogSettings,
    MessageSettings,
    MetricsSettings,
    PlaceSettings,
    SyncSettings,
    SyncTimes,
)
from knowledge.fuse import FusionSettings

ROOT = Path(__file__).parents[2]
MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 50
MAX_PARAMETERS = 6
MAX_NESTING = 3
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)

SOURCES = sorted(
    path for package in ("bot", "knowledge", "bench", "examples") for path in (ROOT / package).rglob("*.py")
)
README = (ROOT / "README.md").read_text(encoding="utf-8")


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) and len(function.body) > 1 else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1


def nesting(node: ast.AST) -> int:
    """Return how deep blocks stand in blocks; an `elif` is as deep as its `if`."""
    deepest = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        is_elif = isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
        deepest = max(deepest, nesting(child) + (isinstance(child, BLOCKS) and not is_elif))
    return deepest


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_one_idea_and_a_function_one_step(path: Path) -> None:
    too_long = [f.name for f in functions(path) if body_lines(f) > MAX_FUNCTION_LINES]
    too_wide = [f.name for f in functions(path) if len(f.args.args) + len(f.args.kwonlyargs) > MAX_PARAMETERS + 1]
    too_deep = [f.name for f in functions(path) if nesting(f) > MAX_NESTING]

    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_FILE_LINES
    assert (too_long, too_wide, too_deep) == ([], [], [])


def test_there_is_no_drawer_for_odds_and_ends() -> None:
    assert [path for path in SOURCES if path.stem in ("utils", "helpers", "common", "manager")] == []


# What has many settings has a page of its own; there, sources have the times that all of them share.
ELSEWHERE = {
    ("source", "git"): "git",
    ("source", "confluence"): "confluence",
    ("answerer", "claude"): "claude",
    ("summarizer", "claude"): "claude",
    ("entailment", "onnx"): "entailment",
    ("transcriber", "onnx"): "speech",
    ("channel", "slack"): "slack",
    ("channel", "telegram"): "telegram",
    ("desk", "webhook"): "webhook-desk",
}


@pytest.mark.parametrize(("port", "kind"), ELSEWHERE)
def test_a_page_of_its_own_has_a_row_for_every_setting_and_no_other(port: str, kind: str) -> None:
    page = ROOT / "docs" / f"{ELSEWHERE[port, kind]}.md"
    table = page.read_text(encoding="utf-8").partition("| setting |")[2].partition("\n\n")[0]
    rows = [re.findall(r"`(\w+)`", row.split("|")[1]) for row in table.splitlines() if row.startswith("| `")]
    common = set(SyncTimes.model_fields) if port == "source" else set()

    assert {name for row in rows for name in row} == set(settings_model(port, kind).model_fields) | common


def documented_settings() -> set[tuple[str, str]]:
    return set(re.findall(r"^\| `\[+(\w+)\]+ (\w+)` \|", README, re.MULTILINE))


def existing_settings() -> set[tuple[str, str]]:
    tables = {
        "source": "sources",
        "desk": "desks",
        "embedder": "embedder",
        "reranker": "reranker",
        "answerer": "answer",
        "channel": "",
    }
    found = {
        (tables[port], field)
        for port, kinds in REGISTRY.items()
        for kind in kinds
        if (port, kind) not in ELSEWHERE and port != "chunker"
        for field in settings_model(port, kind).model_fields
    }
    fixed: dict[str, type[BaseModel]] = {
        "answer": AnswerSettings,
        "budget": BudgetSettings,
        "cutting": CuttingSettings,
        "sync": SyncSettings,
        "log": LogSettings,
        "messages": MessageSettings,
        "linking": LinkingSettings,
        "learning": LearningSettings,
        "handover": HandoverSettings,
        "metrics": MetricsSettings,
        "places": PlaceSettings,
        "retrieval": FusionSettings,
    }
    found |= {("sources", field) for field in [*SyncTimes.model_fields, "cutting"]}
    found |= {("cutting", kind) for kind in KINDS}
    found |= {(table, field) for table, model in fixed.items() for field in model.model_fields}
    return found | {(table, "kind") for table in ("desks", "embedder", "reranker", "entailment", "transcriber")}


def test_every_setting_has_its_row_in_the_readme_and_every_row_its_setting() -> None:
    assert documented_settings() == existing_settings()


def test_every_setting_of_a_chunker_has_its_row_and_every_row_its_setting() -> None:
    page = (ROOT / "docs" / "cutting.md").read_text(encoding="utf-8")
    settings = {(kind, field) for kind in REGISTRY["chunker"] for field in settings_model("chunker", kind).model_fields}

    assert set(re.findall(r"^\| `(\w+)` \| `(\w+)` \|", page, re.MULTILINE)) == settings


def test_every_command_has_its_row_in_the_readme_and_every_row_its_command() -> None:
    from bot.__main__ import app

    names = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    names |= {str(group.name) for group in app.registered_groups}

    assert set(re.findall(r"^\| `answerdesk (\w+)", README, re.MULTILINE)) == names


def test_no_line_of_sql_is_formatted_outside_the_stores() -> None:
    outside = [path for path in SOURCES if "store" not in path.parts and "bench" not in path.parts]
    pattern = re.compile(r'"""\s*(select|insert into|update|delete from)\b', re.IGNORECASE)

    assert [path for path in outside if pattern.search(path.read_text(encoding="utf-8"))] == []
