"""The passage of one operation is understood alone."""

from math import log
from pathlib import Path

import pytest

from knowledge.chunk.api import ApiSettings, build
from knowledge.chunk.headings import Headings
from knowledge.chunk.passages import Spans
from knowledge.parse import openapi
from knowledge.terms import index_terms, question_terms
from knowledge.types import Parsed, Passage

PETSTORE = (Path(__file__).parents[3] / "data" / "openapi" / "petstore.yaml").read_text()


def parsed() -> Parsed:
    return openapi.parse(PETSTORE, "petstore.yaml", {})


def passages(page: Parsed, limit: int) -> list[Passage]:
    return list(Spans(page, Headings(limit).cut(page, language="en")).passages("Petstore"))


def test_an_operation_is_one_piece_with_its_anchor() -> None:
    found = passages(parsed(), 4000)

    assert [passage.anchor for passage in found[1:]] == [
        "listPets",
        "createPets",
        "showPetById",
        "schema-pet",
        "schema-pets",
        "schema-error",
    ]
    assert found[2].heading == ("Swagger Petstore 1.0.0", "POST /pets — Create a pet")


def test_a_later_part_says_what_it_belongs_to() -> None:
    found = [passage for passage in passages(parsed(), 200) if passage.anchor == "listPets"]

    assert len(found) > 2
    assert all("GET /pets — List all pets" in passage.search_text for passage in found)
    assert "Responses of GET /pets" in found[-1].search_text


def test_a_label_stays_with_its_first_entry() -> None:
    for limit in range(200, 500, 7):
        page = parsed()
        ends = [page.text[start:end] for start, end in Headings(limit).cut(page, language="en")]

        assert not [text for text in ends if text.endswith(("Responses:", "Parameters:"))]


@pytest.mark.parametrize(
    ("question", "anchor"),
    [
        ("Which verb creates a pet?", "createPets"),
        ("How do I list all pets?", "listPets"),
        ("Which path gives info on one specific pet?", "showPetById"),
        ("¿Con qué verbo HTTP se hace create a pet?", "createPets"),
        ("What code does an error have?", "schema-error"),
    ],
)
def test_the_words_of_a_question_find_the_operation(question: str, anchor: str) -> None:
    found = passages(parsed(), 4000)
    terms = [index_terms(passage.search_text, "en") for passage in found]
    asked = question_terms(question, "en")
    weight = {term: log(1 + len(found) / (1 + sum(term in known for known in terms))) for term in asked}

    scores = [sum(weight[term] / log(8 + known.total()) for term in asked if term in known) for known in terms]

    assert found[scores.index(max(scores))].anchor == anchor


async def test_the_strategy_is_named_with_its_settings() -> None:
    async with build(ApiSettings(max_characters=1500)) as chunker:
        assert chunker.name == "api-1500"
