"""The words of each language that the mutations change: `mutation_words/*.toml`."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "mutation_words"
LANGUAGES = ("en", "ru", "uk", "es")

Rule = tuple[re.Pattern[str], str]


@dataclass(frozen=True)
class Words:
    """What `en.toml` explains, compiled; `lists` are those that are only looked up."""

    language: str
    changes: Mapping[str, tuple[Rule, ...]]
    lists: Mapping[str, tuple[str, ...]]
    numerals: tuple[tuple[str, ...], ...]
    ordinals: tuple[tuple[str, ...], ...]
    units: tuple[tuple[str, ...], ...]
    months: tuple[str, ...]
    percent: str
    swapped_condition: str


@cache
def words_of(language: str) -> Words:
    """Return the words of a language, read once."""
    stored = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    changes = {kind: tuple(_rule(*row) for row in rows) for kind, rows in stored["changes"].items()}
    if verbs := stored.get("verbs"):
        changes["negation_added"] += (_negated(verbs, stored["negation"]),)
    return Words(
        language,
        changes,
        lists={name: tuple(value) for name, value in stored.items() if _is_list_of_words(value)},
        numerals=_table(stored["numerals"]),
        ordinals=_table(stored["ordinals"]),
        units=_table(stored["units"]),
        months=tuple(stored["months"]),
        percent=stored["percent"],
        swapped_condition=stored["swapped_condition"],
    )


def _table(rows: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row) for row in rows)


def _rule(pattern: str, replacement: str) -> Rule:
    end = "" if pattern.endswith((" ", ")")) else r"(?![\w'’-])"
    return re.compile(rf"(?<![\w'’-])(?:{pattern}){end}"), replacement


def _negated(verbs: list[str], negation: str) -> Rule:
    reflexive = "(?:se )?" if negation == "no " else ""
    among = "|".join(sorted(verbs, key=len, reverse=True))
    not_yet = r"(?<!\bне )(?<!\bні )(?<!\bни )(?<!\bno )(?<!\bse )(?<!\bte )(?<!\ble )(?<!\blo )(?<!\bla )(?<!\bnos )"
    return re.compile(rf"(?<![\w'’-]){not_yet}({reflexive}(?:{among}))(?![\w'’-])"), rf"{negation}\1"


def _is_list_of_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)
