"""Descriptions made to break a parser take bounded time and room, and give a reason."""

import json
from collections.abc import Mapping
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.chunk.api import ApiSettings
from knowledge.chunk.headings import Headings
from knowledge.errors import SourceProblem
from knowledge.parse import openapi
from knowledge.parse.openapi.page import MAX_SECTION_CHARACTERS, MAX_TEXT_CHARACTERS
from knowledge.types import Parsed

LOOPS = {
    "itself": {"A": {"$ref": "#/components/schemas/A"}},
    "two": {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}},
    "chain": {f"S{n}": {"$ref": f"#/components/schemas/S{(n + 1) % 2000}"} for n in range(2000)},
    "property": {"A": {"properties": {"a": {"$ref": "#/components/schemas/A"}}}},
    "items": {"A": {"type": "array", "items": {"$ref": "#/components/schemas/A"}}},
    "all": {"A": {"allOf": [{"$ref": "#/components/schemas/A"}] * 2, "properties": {"a": {"type": "string"}}}},
    "one": {"A": {"oneOf": [{"$ref": "#/components/schemas/A"}, {"type": "null"}]}},
    "bomb": {
        f"S{n}": {key: [{"$ref": f"#/components/schemas/S{n + 1}"}] * 10 for key in ("allOf", "oneOf", "anyOf")}
        for n in range(20)
    },
}


def description(schemas: Mapping[str, object]) -> str:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{next(iter(schemas), 'A')}"}}}
    operation = {"summary": "Ask", "responses": {"200": {"description": "Fine", "content": content}}}
    parts = {"paths": {"/a": {"get": operation}}, "components": {"schemas": schemas}}
    return json.dumps({"openapi": "3.1.0", "info": {"title": "T", "version": "1"}} | parts)


def parsed(text: str) -> Parsed:
    return openapi.parse(text, "api.yaml", {})


@pytest.mark.parametrize("schemas", LOOPS.values(), ids=LOOPS)
def test_references_in_a_circle_end(schemas: Mapping[str, object]) -> None:
    page = parsed(description(schemas))

    assert "GET /a — Ask" in page.text
    assert len(page.text) < len(schemas) * (MAX_SECTION_CHARACTERS + 1000)


@pytest.mark.parametrize("place", ["{schema: *a9}", "{example: *a9, schema: {enum: *a9, default: *a9}}", "*a9"])
@pytest.mark.parametrize("level", ["[", "{properties: {"], ids=["lists", "properties"])
def test_aliases_are_not_unfolded(place: str, level: str) -> None:
    text = "openapi: 3.1.0\ninfo: {title: T}\na0: &a0 {type: string}\n"
    for number in range(1, 10):
        parts = ", ".join(f"p{n}: *a{number - 1}" if level != "[" else f"*a{number - 1}" for n in range(10))
        text += f"a{number}: &a{number} {level}{parts}{'}}' if level != '[' else ']'}\n"

    page = parsed(text + f"paths: {{/a: {{get: {{summary: Ask, parameters: [{place}]}}}}}}\n")

    assert "GET /a — Ask" in page.text
    assert len(page.text) < 2 * MAX_SECTION_CHARACTERS


def test_long_lists_of_values_and_properties_are_counted() -> None:
    properties = {f"p{number}": {"type": "string"} for number in range(1050)}
    page = parsed(description({"A": {"properties": properties}, "B": {"enum": list(range(1000))}}))

    assert page.text.count("… and 950 more") == 3


def test_a_long_section_ends_and_is_reported() -> None:
    properties = {f"p{number}": {"description": "long " * 300} for number in range(50)}
    page = parsed(description({"A": {"properties": properties}}))

    assert len(page.text) < 2.5 * MAX_SECTION_CHARACTERS
    assert "cut there" in page.problems[0]


def test_a_long_description_is_left_out_from_a_place_on() -> None:
    operation = {"description": "word " * 3000}
    paths = {f"/p{number}": {"get": operation} for number in range(1000)}
    page = parsed(json.dumps({"openapi": "3.0.0", "info": {}, "paths": paths}))

    assert len(page.text) < MAX_TEXT_CHARACTERS + MAX_SECTION_CHARACTERS
    assert "split the file" in page.problems[0]


@pytest.mark.parametrize("broken", ["paths: {/a: [", "paths:\n\t/a: 1", "paths: " + "{a: " * 10_000])
def test_a_broken_description_is_refused_with_a_remedy(broken: str) -> None:
    with pytest.raises(SourceProblem, match=r"line \d+: .*; correct the YAML or JSON, or exclude the file"):
        parsed(f"openapi: 3.0.0\n{broken}")


def test_other_broken_yaml_is_kept_as_text_with_a_reason() -> None:
    page = parsed("name: {{ .Values.name }}\nport: [1,\n")

    assert [block.text for block in page.blocks if block.kind == "code"]
    assert "indexed as it is written" in page.problems[0]


REFERENCES = st.sampled_from(
    ["#/components/schemas/A", "#/components/schemas/B", "#/x", "other.yaml", "#", "http://x/"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats()
WORDS = """$ref type properties items allOf oneOf anyOf required enum description additionalProperties parameters name
in get schema content responses requestBody 200 default callbacks links headers examples example security tags"""
KEYS = st.sampled_from(WORDS.split())
VALUES: st.SearchStrategy[object] = st.recursive(
    SCALARS | st.builds(lambda reference: {"$ref": reference}, REFERENCES),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.text(max_size=5), inner, max_size=5),
    max_leaves=25,
)
SPECS = st.fixed_dictionaries(
    {"openapi": st.sampled_from(["3.0.0", "3.1.0", "3.2.0"])},
    optional={
        "info": VALUES,
        "tags": VALUES,
        "servers": VALUES,
        "security": VALUES,
        "paths": VALUES | st.dictionaries(st.text(max_size=5), st.dictionaries(KEYS, VALUES, max_size=4), max_size=4),
        "webhooks": VALUES,
        "components": VALUES | st.fixed_dictionaries({"schemas": st.dictionaries(st.sampled_from("AB"), VALUES)}),
    },
)


@settings(max_examples=200, deadline=None)
@given(SPECS)
def test_any_description_is_read_the_same_way_twice(spec: dict[str, object]) -> None:
    text = json.dumps(spec)

    page = parsed(text)

    assert page == parsed(text)
    assert len(page.text) < MAX_TEXT_CHARACTERS
    assert all(page.text[block.start : block.end] == block.text for block in page.blocks)
    assert all(first.end <= second.start for first, second in pairwise(page.blocks))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200) | st.text(alphabet="ab:-{}[]\"'#&*|\n\t ,<>!", max_size=80), st.booleans())
def test_any_text_is_kept_or_refused(text: str, is_description: bool) -> None:
    try:
        page = parsed(f"openapi: 3.0.0\n{text}" if is_description else text)
    except SourceProblem:
        return

    shown = "".join(page.text[block.start : block.end] for block in page.blocks)
    assert page.keeps_lines is False or "".join(text.split()).strip("{-\ufeff") in "".join(shown.split())


@settings(max_examples=100, deadline=None)
@given(SPECS, st.integers(200, 600))
def test_pieces_hold_all_blocks_in_order_within_their_size(spec: dict[str, object], limit: int) -> None:
    page = parsed(json.dumps(spec))

    spans = Headings(ApiSettings(max_characters=limit).max_characters).cut(page, language="en")

    assert all(start < end <= start + limit for start, end in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    kept = "".join("".join(page.text[start:end].split()) for start, end in spans)
    assert kept == "".join("".join(block.text.split()) for block in page.blocks if block.kind != "heading")
