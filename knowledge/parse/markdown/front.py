"""The front matter of a Markdown page: what its author says about it, and no part of what a reader sees."""

import re
import tomllib
from collections.abc import Mapping

import yaml

_MAX_CHARACTERS = 20_000
_FRONT_MATTER = {
    "---": re.compile(r"\ufeff?(---[ \t]*\n)(.*?)(?:^---[ \t]*(?:\n|\Z))", re.DOTALL | re.MULTILINE),
    "+++": re.compile(r"\ufeff?(\+\+\+[ \t]*\n)(.*?)(?:^\+\+\+[ \t]*(?:\n|\Z))", re.DOTALL | re.MULTILINE),
}


def front_matter(text: str) -> tuple[Mapping[str, str], int]:
    """Return the entries that are one text, as they are written (1.10 stays "1.10"), and the offset behind them."""
    mark = text[:4].lstrip("\ufeff")[:3]
    match = _FRONT_MATTER[mark].match(text) if mark in _FRONT_MATTER else None
    if not match:
        return {}, 0
    if len(match[2]) > _MAX_CHARACTERS:
        return {}, match.end()
    loaded = _yaml(match[2]) if mark == "---" else _toml(match[2])
    entries = loaded.items() if isinstance(loaded, dict) else ()
    return {key: value for key, value in entries if isinstance(key, str) and isinstance(value, str)}, match.end()


def _yaml(text: str) -> object:
    try:
        return yaml.load(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError):
        return None


def _toml(text: str) -> object:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
