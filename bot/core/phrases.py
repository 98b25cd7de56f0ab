"""The bot's own sentences, in the asker's language: one TOML file a language beside this one."""

import tomllib
from functools import cache
from importlib import resources

FALLBACK_LANGUAGE = "en"


def phrase(name: str, language: str, **values: object) -> str:
    """Return a sentence in `language`, or in English where there is no such file; KeyError for an unknown name."""
    sentences = _sentences(language) or _sentences(FALLBACK_LANGUAGE)
    return sentences[name].format(**values)


def spoken(language: str) -> str | None:
    """Return the code of a language that the bot speaks, for any way of writing it ("RU", "ru-RU"); None for others."""
    primary = language.strip().lower().replace("_", "-").split("-")[0]
    return primary if primary in languages() else None


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that the bot speaks, in the order of their codes."""
    folder = resources.files("bot.core") / "sentences"
    return tuple(sorted(path.name.removesuffix(".toml") for path in folder.iterdir() if path.name.endswith(".toml")))


@cache
def _sentences(language: str) -> dict[str, str]:
    path = resources.files("bot.core") / "sentences" / f"{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
