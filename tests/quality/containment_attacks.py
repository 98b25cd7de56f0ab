"""Attacks: instructions and markup that people write into questions and pages, and strings that break programs."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SAMPLE = Path(__file__).parents[1] / "data" / "adversarial"
# What breaks programs that were written for plain English.
NAUGHTY = (
    *(
        "NULL",
        "undefined",
        "-1",
        "1/0",
        "０",
        "٠١٢",
        "½",
        "true",
        "' OR ''='",
        "${HOME}",
        "{0}",
        "%s%n",
        "../../etc/passwd",
    ),
    *(
        "Ω≈ç√∫˜µ",
        "田中さん",
        "🏳️‍🌈🇺🇸",
        "الكل",
        "ﷺ",
        "Ⱥ",
        "İ",
        "ᚠᛇᚻ",
        "﻿",
        "\u200b",
        "\u202etest\u202c",
        "T\u0489\u0321o\u0334",
        "\x01\x7f\x85",
    ),
    *(
        "<script>alert(0)</script>",
        "<img src=x onerror=alert(1)>",
        "http://a/%%30%30",
        "`touch x`",
        "DROP TABLE ticket;",
    ),
)


@dataclass(frozen=True, slots=True)
class Attack:
    """One text, and whether it comes in a question or from a page."""

    id: str
    text: str
    channel: str
    category: str
    language: str = "en"

    @property
    def is_document(self) -> bool:
        """Whether it may stand in a page."""
        return self.channel != "message"

    @property
    def is_message(self) -> bool:
        """Whether somebody may ask it."""
        return self.channel != "document"

    @property
    def line(self) -> str:
        """The text on one line, for places that have one."""
        return " ".join(self.text.split())


def attacks(folder: Path = SAMPLE) -> list[Attack]:
    """Return all attacks of the sets in a folder."""
    return [attack for path in sorted(folder.glob("*.jsonl")) for attack in _read(path)]


def _read(path: Path) -> Iterator[Attack]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Attack(row["id"], row["text"], row["channel"], row["category"], row.get("lang", "en"))


def naughty(folder: Path = SAMPLE) -> list[str]:
    """Return strings that break programs: all of a list that stands in the folder, or our few."""
    whole = folder / "blns.json"
    return list(json.loads(whole.read_text(encoding="utf-8"))) if whole.is_file() else list(NAUGHTY)
