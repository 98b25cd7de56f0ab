"""Names of people are found by whatever model the operator chose; here by a tiny one, made in the test."""

from pathlib import Path

import pytest

from bot.spacy_names import SpacyNames
from knowledge.errors import SettingsProblem

spacy = pytest.importorskip("spacy", reason="the extra `names` is not installed")


def model(folder: Path, language: str, label: str, *names: str) -> str:
    """Save a model that knows these names, and return its folder."""
    made = spacy.blank(language)
    made.add_pipe("entity_ruler").add_patterns([{"label": label, "pattern": name} for name in (*names, "Kyiv")])
    made.get_pipe("entity_ruler").add_patterns([{"label": "GPE", "pattern": "Lviv"}])
    made.to_disk(folder / language)
    return str(folder / language)


async def found(finder: SpacyNames, text: str, language: str) -> list[str]:
    return [text[start:end] for start, end in await finder.names(text, language)]


async def test_each_text_goes_to_the_model_of_its_language(tmp_path: Path) -> None:
    finder = SpacyNames([model(tmp_path, "en", "PERSON", "Ann Lee"), model(tmp_path, "xx", "PER", "Олена Коваль")])

    assert await found(finder, "Ask Ann Lee in Lviv.", "en") == ["Ann Lee"]
    assert await found(finder, "Спитайте Олена Коваль", "uk") == ["Олена Коваль"]


async def test_without_a_model_for_the_language_nothing_is_found(tmp_path: Path) -> None:
    finder = SpacyNames([model(tmp_path, "en", "PERSON", "Ann Lee")])

    assert await found(finder, "Ann Lee", "uk") == []


def test_a_model_that_is_not_there_is_told_at_once() -> None:
    with pytest.raises(SettingsProblem, match="xx_no_such_model"):
        SpacyNames(["xx_no_such_model"])
