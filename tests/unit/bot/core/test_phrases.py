"""The bot's own sentences."""

import re
import tomllib
from importlib import resources

import pytest

from bot.core.phrases import languages, phrase, spoken

FOLDER = resources.files("bot.core") / "sentences"
FIELD = re.compile(r"\{(\w+)\}")


def sentences(language: str) -> dict[str, str]:
    loaded = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    return {name: str(text) for name, text in loaded.items()}


def test_the_four_first_languages_are_there() -> None:
    assert {"en", "ru", "uk", "es"} <= set(languages())


@pytest.mark.parametrize("language", languages())
def test_every_language_has_every_sentence_with_the_same_fields(language: str) -> None:
    fields = {name: set(FIELD.findall(text)) for name, text in sentences(language).items()}

    assert fields == {name: set(FIELD.findall(text)) for name, text in sentences("en").items()}


def test_an_unknown_language_gets_english() -> None:
    assert phrase("sources", "sw") == phrase("sources", "en")


def test_an_unknown_sentence_is_an_error() -> None:
    with pytest.raises(KeyError):
        phrase("no such sentence", "en")


@pytest.mark.parametrize(
    ("given", "expected"),
    [("ru", "ru"), ("RU", "ru"), ("es-MX", "es"), ("uk_UA", "uk"), ("sw", None), ("../en", None), ("", None)],
)
def test_a_language_is_recognised_however_it_is_written(given: str, expected: str | None) -> None:
    assert spoken(given) == expected
