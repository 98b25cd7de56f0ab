"""Real pages: every sentence is borne out by its own paragraph, and no longer when a number in it changes."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.core.verify.facts.check import facts_of, missing_facts
from knowledge.parse import markdown
from knowledge.parse.sentences import sentence_spans

HANDBOOK = Path(__file__).parents[6] / "examples/handbook"
LANGUAGES = ("en", "es", "ru", "uk")
NUMBER = re.compile(r"(?<![\w.,:-])\d{1,3}(?![\w:]|[.,-]\d)")
NOWHERE = "977"


def sentences(language: str) -> Iterator[tuple[str, str]]:
    """Yield each sentence of the handbook with its paragraph."""
    for page in sorted((HANDBOOK / language).rglob("*.md")):
        for block in markdown.parse(page.read_text(encoding="utf-8")).blocks:
            for start, end in sentence_spans(block.text, language):
                yield block.text[start:end], block.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_borne_out_by_its_own_paragraph(language: str) -> None:
    missing = [
        (sentence, facts)
        for sentence, paragraph in sentences(language)
        if (facts := missing_facts(sentence, language, [(paragraph, language)]))
    ]

    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_changed_number_is_missed(language: str) -> None:
    changed = [
        (f"{sentence[: match.start()]}{NOWHERE}{sentence[match.end() :]}", paragraph)
        for sentence, paragraph in sentences(language)
        for match in NUMBER.finditer(sentence)
    ]

    assert len(changed) > 50
    assert [pair for pair in changed if not missing_facts(pair[0], language, [(pair[1], language)])] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_handbook_is_full_of_facts(language: str) -> None:
    kinds = {fact.kind for sentence, _ in sentences(language) for fact in facts_of(sentence, language)}

    assert kinds >= {"number", "name", "code"}
