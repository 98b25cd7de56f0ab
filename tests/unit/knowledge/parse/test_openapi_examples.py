"""Every operation of the example descriptions is one section that names all of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from knowledge.chunk.api import MAX_CHARACTERS
from knowledge.chunk.headings import Headings
from knowledge.parse import openapi
from knowledge.types import Parsed

EXAMPLES = Path(__file__).parents[5] / "shared" / "data" / "kb" / "openapi"
OWN = Path(__file__).parents[3] / "data" / "openapi"
VERBS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")


def all_files(root: Path) -> dict[str, str]:
    if not root.is_dir():
        pytest.skip("the example descriptions are not beside this project")
    return {path.relative_to(root).as_posix(): path.read_text() for path in sorted(root.rglob("*.yaml"))}


def descriptions(root: Path) -> Iterator[tuple[Parsed, dict[str, Any]]]:
    files = all_files(root)
    for name, text in files.items():
        loaded = yaml.safe_load(text)
        if "openapi" in loaded or "swagger" in loaded:
            yield openapi.parse(text, name, files), loaded


def operations(loaded: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in loaded.get("paths", {}).items():
        for verb, operation in item.items():
            if verb in VERBS:
                shared = item.get("parameters", [])
                yield (
                    f"{verb.upper()} {path}",
                    path,
                    operation | {"parameters": shared + operation.get("parameters", [])},
                )


def names_of(operation: dict[str, Any]) -> set[str]:
    """Return what a section must name: summary, parameters that are no references, response codes."""
    parameters = [found for parameter in operation["parameters"] if (found := parameter.get("name"))]
    codes = [f"- {code}" for code in operation.get("responses", {})]
    return {*filter(None, [operation.get("summary", "").rstrip(".")]), *parameters, *codes} - {"pet"}


@pytest.mark.parametrize("root", [OWN, EXAMPLES], ids=["own", "shared"])
def test_every_operation_has_one_heading_and_one_piece_that_names_it(root: Path) -> None:
    for page, loaded in descriptions(root):
        pieces = [page.text[start:end] for start, end in Headings(MAX_CHARACTERS).cut(page, language="en")]
        for name, path, operation in operations(loaded):
            headings = [block.text for block in page.blocks if block.text.startswith(f"{name} — ")]
            verb = name.split()[0]
            piece = [piece for piece in pieces if f"(verb) {verb}, path {path}\n" in f"{piece}\n"]

            assert (len(headings), len(piece)) == (1, 1), name
            assert {word for word in names_of(operation) if word not in piece[0]} == set(), name


def test_all_files_parse_without_problems() -> None:
    files = all_files(EXAMPLES)

    problems = {name: openapi.parse(text, name, files).problems for name, text in files.items()}

    assert len(files) == 22
    assert not any(problems.values())


@pytest.mark.parametrize("root", [OWN, EXAMPLES], ids=["own", "shared"])
def test_anchors_are_unique_and_named_schemas_have_a_section(root: Path) -> None:
    for page, loaded in descriptions(root):
        headings = [block for block in page.blocks if block.kind == "heading"]
        named = {**loaded.get("definitions", {}), **loaded.get("components", {}).get("schemas", {})}

        assert len({heading.anchor for heading in headings}) == len(headings)
        assert set(named) <= {heading.text for heading in headings if heading.level == 3}
