"""An entry as a document."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.core.learning.entry import Entry
from bot.curated import document_of, is_given_whole
from knowledge.prepare import prepare
from knowledge.quotable import units_of
from tests.fakes.evidence import hit

NOW = datetime(2026, 11, 30, tzinfo=UTC)
ENTRY = Entry(
    7, "approved", "How do I save?", "Press Save.\n\n1. Wait.\n2. See https://x.example/a.", "en",
    ("https://x.example/a", "https://x.example/b"), ("public",), "slack:U1", "Ann", "slack:U1", None, 3, NOW, NOW, None,
    None, NOW,
)  # fmt: skip


def test_an_entry_is_a_document_with_the_question_for_its_title() -> None:
    document = document_of(ENTRY)

    assert (document.path, document.title, document.author, document.updated_at, document.revision) == (
        "entry/7",
        "How do I save?",
        "Ann",
        NOW,
        "3",
    )


def test_all_of_the_answer_can_be_quoted_and_links_that_it_lacks_stand_below() -> None:
    (passage,) = prepare(document_of(ENTRY)).passages

    quoted = [unit.text for unit in units_of(hit(passage.passage.text, search_text=passage.passage.search_text))]

    assert quoted == ["Press Save.", "Wait.", "See https://x.example/a.", "https://x.example/b"]


def test_an_entry_of_nobody_known_has_no_author() -> None:
    assert document_of(replace(ENTRY, author_name="")).author is None


@pytest.mark.parametrize(("sentences", "is_whole"), [(1, True), (60, True), (400, False)])
def test_an_answer_that_would_be_given_in_part_is_known(sentences: int, is_whole: bool) -> None:
    assert is_given_whole("How do I save?", "Press the green button and wait. " * sentences) is is_whole


def test_an_answer_without_any_text_is_none() -> None:
    assert not is_given_whole("How do I save?", "<!-- -->")
