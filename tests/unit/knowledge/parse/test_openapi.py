"""API descriptions become a section for each operation and each shared schema."""

from itertools import pairwise
from pathlib import Path

import pytest

from knowledge.parse import openapi
from knowledge.types import Document, Parsed

DATA = Path(__file__).parents[3] / "data" / "openapi"
FILES = {path.relative_to(DATA).as_posix(): path.read_text() for path in DATA.rglob("*.yaml")}


def parsed(name: str) -> Parsed:
    return openapi.parse(FILES[name], name, FILES)


def section(page: Parsed, anchor: str) -> str:
    """Return the text of a section with its heading."""
    headings = [block for block in page.blocks if block.kind == "heading"]
    number = next(number for number, block in enumerate(headings) if block.anchor == anchor)
    end = headings[number + 1].start if number + 1 < len(headings) else len(page.text)
    return page.text[headings[number].start : end].strip()


def test_an_operation_reads_as_a_section_of_its_own() -> None:
    page = parsed("petstore.yaml")

    assert section(page, "createPets").splitlines() == [
        "POST /pets — Create a pet",
        "",
        "Create a pet: HTTP method (verb) POST, path /pets",
        "",
        "- Address: http://petstore.swagger.io/v1/pets",
        "- Operation: createPets",
        "- Tags: pets",
        "",
        "Request body (required):",
        "- application/json (Pet)",
        "  - id (integer, int64, required)",
        "  - name (string, required)",
        "  - tag (string)",
        "",
        "Responses:",
        "- 201: Null response",
        "- default: unexpected error",
        "  - application/json (Error, see schema Error): Has code, message.",
    ]


@pytest.mark.parametrize(
    ("anchor", "expected"),
    [
        ("overview", "- Address: https://api.example.com/v1"),
        ("overview", "- sales (Sales, nav)\n  - returns: Goods that come back"),
        ("overview", "Shop 1.10"),
        ("overview", "Sells things"),
        ("security", "- key (API key X-Key in header): Ask the office for one"),
        ("paging", "a: 1; b: 2"),
        ("patch-orders-id", "PATCH /orders/{id} — changes orders"),
        ("patch-orders-id", "- Deprecated: do not use it"),
        ("patch-orders-id", "- Security: key (API key X-Key in header); or none"),
        ("patch-orders-id", "- id (string, in path, required): own"),
        ("patch-orders-id", "  - a (string or null): One of: x, y."),
        ("patch-orders-id", "- application/json, application/xml (Animal)"),
        ("patch-orders-id", "    - kind (string, required)\n    - lives (integer): Always 9."),
        ("patch-orders-id", "- owner (Owner, see schema Owner): Whose dog. Has dogs, home, tags."),
        ("patch-orders-id", "- 2XX: Fine\n  - application/json (Animal or null)"),
        ("patch-orders-id", "(a/b%c, see schema a/b%c): Has why."),
        ("query-orders-id", "application/jsonl, a stream, each entry (Node)\n    - next (Node, see schema Node)"),
        ("query-orders-id", "- id (integer, in path, required): Minimum 1."),
        ("copyOrder", "COPY /orders/{id} — copy order"),
        ("delete-empty", "- Security: none needed"),
        ("post-ordershipped", "webhook orderShipped, sent to you with the HTTP method (verb) POST."),
        ("post-ordershipped", "An order has left the warehouse"),
        ("schema-dog", "- tricks (array of string): No entry twice. Of an entry: One of: sit."),
        ("schema-animal", "- which one it is says kind (cat: Cat)"),
        ("schema-node", "- point (array of number, number, in this order)"),
        ("shared-responses", "- Good: Fine\n  - application/json (Animal or null, see schema Animal)"),
    ],
)
def test_all_that_a_description_says_is_shown(anchor: str, expected: str) -> None:
    assert expected in section(parsed("shop.yaml"), anchor)


@pytest.mark.parametrize(
    "expected",
    [
        "- Address: https://books.example.com/api/books",
        "- dry_run (boolean, in query, optional): Only check the book. Default: false.",
        "Request body (required): The book:\n- application/json (book)\n  - title (string, required)\n",
        "  - author (Author)\n    - name (string)\n",
        "    - name (string)\n    - books (array of book, see schema book)",
        "  - header Location (string): Where it is",
        '- 409: Known already\n  - Example (application/json): {"code": 7}',
        "- trace (defined elsewhere: https://elsewhere.example.com/parameters.yaml#/trace)",
    ],
)
def test_references_are_followed_through_the_files_of_the_source(expected: str) -> None:
    assert expected in parsed("two/api.yaml").text


def test_references_to_nowhere_are_reported_once() -> None:
    page = openapi.parse(FILES["two/api.yaml"], "two/api.yaml", {})

    (problem,) = page.problems
    assert all(name in problem for name in ("parts/book.yaml", "parts/parameters.yaml#/dryRun", "https://elsewhere"))


def test_a_reader_sees_no_comments_and_no_markup() -> None:
    text = parsed("shop.yaml").text

    assert "hidden" not in text
    assert "`" not in text


def test_blocks_are_in_order_and_hold_their_text() -> None:
    page = parsed("shop.yaml")

    assert all(page.text[block.start : block.end] == block.text for block in page.blocks)
    assert all(first.end <= second.start for first, second in pairwise(page.blocks))
    assert not page.keeps_lines


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("a: 1\nb:\n  c: 2\n", ["a", "b"]),
        ("# about a\na: 1\n---\n'b c': |\n  text\n", ["a", "b c"]),
        ('{\n  "a": {"x": 1},\n  "b": 2\n}\n', ["a", "b"]),
        ('{"a": 1, "b": 2}', ["a"]),
        ("- 1\n- 2\n", []),
        ("type: object\nproperties: {}\n", ["type", "properties"]),
        ("openapi: true\n", ["openapi"]),
        ("", []),
    ],
)
def test_other_yaml_and_json_is_shown_as_written(text: str, headings: list[str]) -> None:
    page = openapi.parse(text, "settings.yaml", {})

    assert [block.text for block in page.blocks if block.kind == "heading"] == headings
    shown = "".join(page.text[block.start : block.end] for block in page.blocks)
    assert shown.strip("{ \n") == text.strip("{ \n")
    assert page.keeps_lines


def test_a_document_is_parsed_with_its_path() -> None:
    document = Document("docs", "petstore.yaml", FILES["petstore.yaml"], "1", media_type="application/yaml")

    page = openapi.parse_document(document)

    assert page.metadata == {"title": "Swagger Petstore 1.0.0"}
    assert page.problems == ()
