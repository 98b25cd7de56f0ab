"""What speaks against an entry is found, and told with its place."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.core.learning.checks import Checked, Checker, Findings
from bot.core.learning.entry import Entry
from bot.core.verify.check import Verifier
from knowledge.background import Background
from knowledge.likeness import Likeness
from knowledge.retrieve import Retriever
from knowledge.types import CURATED, Hit, Relevance
from tests.fakes.core import FakeIndex, FakeLevels, FakeReranker
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.evidence import hit

NOW = datetime(2026, 11, 30, tzinfo=UTC)
OTHER = Entry(
    7, "approved", "When does the office open?", "The office opens at eight.", "en", (), ("public",), "u", "Ann", "u",
    None, 1, NOW, NOW, None, None, NOW,
)  # fmt: skip


class SameLikeness(Likeness):
    """Takes all questions for the same, or none."""

    def __init__(self, sure: float) -> None:
        super().__init__(FakeEmbedder(), Background(FakeEmbedder()))
        self._sure = Relevance(sure)

    async def compare(self, question: str, others: Sequence[str]) -> list[Relevance]:
        return [self._sure for _ in others]


async def found(
    answer: str, *, others: Sequence[Entry] = (), pages: Sequence[Hit] = (), sure: float = 0.1, relevance: float = 0.1
) -> Findings:
    index, reranker = FakeIndex(pages), FakeReranker(relevance)
    checker = Checker(
        likeness=SameLikeness(sure),
        retriever=Retriever(embedder=FakeEmbedder(), levels=FakeLevels(), index=index, reranker=reranker),
        verifier=Verifier(),
        sources=["docs"],
        threshold=Relevance(0.65),
    )
    return await checker.check(Checked("When does the office open?", answer, ("public",)), others)


async def test_another_entry_with_the_same_answer_is_a_duplicate() -> None:
    findings = await found("the office opens at eight", others=[OTHER], sure=0.9)

    assert [(one.place.entry, one.text) for one in findings.duplicates] == [(7, "The office opens at eight.")]
    assert findings.contradictions == ()


ANSWERS = [
    ("The office opens at nine.", "The office opens at eight."),
    ("Ask the guard, he has the key.", "The office opens at eight."),
]


@pytest.mark.parametrize(("ours", "theirs"), ANSWERS)
async def test_two_answers_to_one_question_contradict_each_other(ours: str, theirs: str) -> None:
    findings = await found(ours, others=[OTHER], sure=0.9)

    assert [(one.place.entry, one.ours, one.theirs) for one in findings.contradictions] == [(7, ours, theirs)]


async def test_the_same_question_in_the_same_words_needs_no_model() -> None:
    findings = await found("The office opens at eight.", others=[replace(OTHER, question="when does the office open")])

    assert [one.relevance for one in findings.duplicates] == [1.0]


async def test_an_entry_about_something_else_is_not_told() -> None:
    other = replace(OTHER, question="Where do I park?")

    assert await found("The office opens at nine.", others=[other]) == Findings()


async def test_a_page_that_answers_already_is_told() -> None:
    findings = await found("At eight.", pages=[hit("The office opens at eight.")], relevance=0.8)

    assert [(one.place.kind, one.place.document) for one in findings.duplicates] == [("passage", "vpn.md")]


async def test_a_page_that_says_otherwise_is_told_however_relevant_it_is() -> None:
    page = hit("We are glad to see you. The office opens at eight.")

    findings = await found("The office opens at nine.", pages=[page])

    assert [(one.ours, one.theirs) for one in findings.contradictions] == [
        ("The office opens at nine.", "The office opens at eight.")
    ]


async def test_entries_are_not_taken_for_documents() -> None:
    page = replace(hit("The office opens at eight."), source=CURATED)

    assert await found("The office opens at nine.", pages=[page], relevance=0.9) == Findings()
