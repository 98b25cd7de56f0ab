"""Which files a description takes along."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.sources.references import MAX_FILES, referenced

PETSTORE = Path(__file__).parents[4] / "../shared/data/kb/openapi"
FILES = {"spec/Pet.yaml": "type: object", "common/Error.yaml": "$ref: 'Code.yaml'", "common/Code.yaml": "a: 1"}
PIECES = ["$ref", ":", " ", "'", '"', "\n", "a.yaml", "../", "/", "#/x", "%2e", "\\", "{", "}", "http://x/", "\0"]


def found(text: str) -> set[str]:
    return set(referenced(text, "spec/api.yaml", FILES.get))


@pytest.mark.parametrize(
    "written",
    [
        *("$ref: Pet.yaml", "$ref: 'Pet.yaml'", '$ref: "Pet.yaml#/Pet"', "{ $ref: Pet.yaml }", '{"$ref":"Pet.yaml"}'),
        *(
            "- $ref: ./Pet.yaml#",
            "$ref: ../spec/Pet.yaml",
            "'$ref': Pet.yaml",
            "$ref: Pet.ya%6dl",
            "$ref: /spec/Pet.yaml",
        ),
    ],
)
def test_a_reference_takes_its_file_along(written: str) -> None:
    assert found(written) == {"spec/Pet.yaml"}


def test_references_are_followed_from_file_to_file() -> None:
    assert found("$ref: ../common/Error.yaml") == {"common/Error.yaml", "common/Code.yaml"}


@pytest.mark.parametrize(
    "written",
    [
        *("$ref: '#/definitions/Pet'", "$ref: https://host.example/Pet.yaml", "$ref: //host.example/Pet.yaml"),
        *("$ref: file:///etc/passwd", "$ref: ../../etc/passwd", "$ref: %2e%2e/%2e%2e/etc/passwd", "$ref: ..\\Pet.yaml"),
        *("$ref: urn:x", "$ref: api.yaml", "$ref: ''", "ref: Pet.yaml", "$ref: .env", "$ref: none.yaml"),
    ],
)
def test_what_lies_elsewhere_is_left_out(written: str) -> None:
    assert found(written) == set()


def test_files_in_a_circle_and_very_many_come_to_an_end() -> None:
    circle = {"a.yaml": "$ref: b.yaml", "b.yaml": "$ref: a.yaml"}
    chain = {f"{n}.yaml": f"$ref: {n + 1}.yaml" for n in range(1_000)}

    assert set(referenced(circle["a.yaml"], "a.yaml", circle.get)) == {"b.yaml"}
    assert len(referenced(chain["0.yaml"], "0.yaml", chain.get)) == MAX_FILES


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_only_files_inside_are_asked_for(text: str) -> None:
    asked: list[str] = []

    referenced(text, "spec/api.yaml", lambda path: asked.append(path))

    assert all(part not in ("", ".", "..") for path in asked for part in path.split("/"))


def test_time_grows_with_the_text() -> None:
    started = time.process_time()

    for piece in ("$ref: ", "$ref: '", "$ref:", "$", "$ref: a\n", " "):
        found(piece * (1_000_000 // len(piece)))

    assert time.process_time() - started < 5.0


@pytest.mark.skipif(not PETSTORE.is_dir(), reason="the evaluation data is not beside the project")
def test_a_description_in_several_files_is_whole() -> None:
    path = "v2.0/yaml/petstore-separate/spec/swagger.yaml"

    files = referenced(
        (PETSTORE / path).read_text(encoding="utf-8"),
        path,
        lambda inside: (PETSTORE / inside).read_text(encoding="utf-8") if (PETSTORE / inside).is_file() else None,
    )

    assert {Path(name).name for name in files} == {"Error.yaml", "NewPet.yaml", "Pet.yaml", "parameters.yaml"}
