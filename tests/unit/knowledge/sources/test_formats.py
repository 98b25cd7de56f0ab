"""What a file's name says of its format, and what an operator may say instead."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from knowledge.parse.formats import format_of
from knowledge.sources.folder import FolderSettings
from knowledge.sources.formats import media_type

OFFICE = "application/vnd.openxmlformats-officedocument"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a.md", "text/markdown"),
        ("a.MDX", "text/markdown"),
        ("README", "text/markdown"),
        ("a.adoc", "text/markdown"),
        ("a.TXT", "text/plain"),
        ("a.log", "text/plain"),
        ("a.htm", "text/html"),
        ("a.xhtml", "text/html"),
        ("a.csv", "text/csv"),
        ("a.tsv", "text/tab-separated-values"),
        ("a.PDF", "application/pdf"),
        ("a.docx", f"{OFFICE}.wordprocessingml.document"),
        ("a.pptx", f"{OFFICE}.presentationml.presentation"),
        ("a.xlsx", f"{OFFICE}.spreadsheetml.sheet"),
        ("a.yml", "application/yaml"),
        ("a.json", "application/json"),
        ("a.pyi", "text/x-code;language=python"),
        ("a.tsx", "text/x-code;language=typescript"),
        ("a.cjs", "text/x-code;language=javascript"),
        ("a.go", "text/x-code;language=go"),
        ("a.rs", "text/x-code;language=rust"),
        ("a.java", "text/x-code;language=java"),
        ("a.php", "text/x-code;language=php"),
        ("a.sql", "text/x-code;language=sql"),
        ("a.kt", "text/x-code"),
    ],
)
def test_a_name_says_the_format(path: str, kind: str) -> None:
    assert media_type(f"b.pdf/{path}") == kind
    assert kind.startswith("text/markdown") or format_of(kind) != format_of("text/markdown")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a/x.inc", "text/markdown"),
        ("a/x.yaml", "text/x-openapi"),
        ("api/x.yaml", "text/x-openapi"),
        ("a/x.tmpl", "text/x-code;language=go"),
        ("a/x.conf", "text/x-code"),
        ("a/x.csv", "text/plain"),
        ("a/x.md", "text/markdown"),
    ],
)
def test_a_pattern_says_more_than_a_name(path: str, kind: str) -> None:
    formats = {
        "**/*.inc": "markdown",
        "**/*.yaml": "openapi",
        "**/*.tmpl": "code:go",
        "**/*.conf": "code",
        "a/*.csv": "text",
        "a/**": "markdown",
    }

    assert FolderSettings(name="docs", path=Path("docs"), formats=formats).media_type(path) == kind


@pytest.mark.parametrize("name", ["", "md", "word", "code:", "code:cobol", "markdown:x", "text/markdown"])
def test_a_format_that_does_not_exist_is_refused_with_those_that_do(name: str) -> None:
    with pytest.raises(ValidationError, match=r"is no format; write one of markdown, text, .*code:LANGUAGE"):
        FolderSettings(name="docs", path=Path("docs"), formats={"**/*.x": name})
