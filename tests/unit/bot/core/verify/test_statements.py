"""What a model may say of a sentence, in four languages: lies that keep most of its words, and other ways to say it."""

import itertools
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from bot.core.verify.check import Verifier
from bot.core.verify.facts.check import missing_facts
from bot.core.verify.polarity.across import disagreement_across
from bot.core.verify.seen import Seen

STATEMENTS = Path(__file__).parents[5] / "tests/data/statements"
LANGUAGES = ("en", "es", "ru", "uk")
PAIRS = tuple(itertools.permutations(LANGUAGES, 2))
LIES_REJECTED = 0.94
TRUTHS_ACCEPTED = 0.93
# The first statement's first lies deny it as a whole; no vector sees that.
DENIALS = 7


@cache
def _statements(language: str) -> Sequence[Mapping[str, str | list[str]]]:
    read = tomllib.loads((STATEMENTS / f"{language}.toml").read_text(encoding="utf-8"))
    statements: list[Mapping[str, str | list[str]]] = read["statement"]
    return statements


async def _accepted(language: str, kind: str) -> tuple[list[str], list[str]]:
    """Return the sentences of a kind that the verifier accepts, and the others."""
    sentences: tuple[list[str], list[str]] = ([], [])
    for statement in _statements(language):
        pieces = tuple(re.split(r"(?<=\.) ", str(statement["says"])))
        seen = Seen(language, ("Kestrel",), pieces, tuple(range(len(pieces))))
        for text in statement[kind]:
            checks = await Verifier().check(text, language=language, cited=[seen])
            sentences[not checks.supported].append(text)
    return sentences


@pytest.mark.parametrize("language", LANGUAGES)
async def test_rejects_lies_that_keep_most_words_of_a_sentence(language: str) -> None:
    accepted, rejected = await _accepted(language, "lies")

    assert len(rejected) >= LIES_REJECTED * len(accepted + rejected), accepted


@pytest.mark.parametrize("language", LANGUAGES)
async def test_accepts_a_sentence_told_in_other_words(language: str) -> None:
    accepted, rejected = await _accepted(language, "truths")

    assert len(accepted) >= TRUTHS_ACCEPTED * len(accepted + rejected), rejected


@pytest.mark.parametrize(("language", "other"), PAIRS)
def test_sees_a_denial_of_what_a_passage_in_another_language_says(language: str, other: str) -> None:
    denials = list(_statements(language)[0]["lies"])[:DENIALS]
    passage = str(_statements(other)[0]["says"])

    assert [text for text in denials if disagreement_across(text, language, passage, other) is None] == []


@pytest.mark.parametrize(("language", "other"), PAIRS)
def test_asks_no_passage_in_another_language_for_more_than_translations_keep(language: str, other: str) -> None:
    pairs = zip(_statements(language), _statements(other), strict=True)
    truths = [(text, str(other_way["says"])) for own, other_way in pairs for text in own["truths"]]
    missing = [text for text, passage in truths if missing_facts(text, language, [(passage, other)])]

    assert missing == []
