"""Sentences that give orders to machines instead of telling people something.

Defence in depth, not the defence: whoever words an order in another way passes. What keeps an order from being obeyed
is that every sentence of an answer is checked against the passages, and that no text of a page has any rights.
"""

import re
import tomllib
import unicodedata
from functools import cache
from importlib import resources
from typing import Literal

Place = Literal["opening", "anywhere"]
# What a reader does not see between two letters: soft hyphens, zero-width characters, marks of direction, tags.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")


def addresses_machine(text: str) -> bool:
    """Tell whether a sentence tells an assistant, bot or model what to do or say; orders in any language count."""
    shown = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold().replace("’", "'")
    folded = " ".join(shown.split())
    return bool(_orders("opening").match(folded) or _orders("anywhere").search(folded))


@cache
def _orders(place: Place) -> re.Pattern[str]:
    table = tomllib.loads((resources.files("knowledge") / "machine_orders.toml").read_text(encoding="utf-8"))
    patterns = [
        pattern.replace("{machine}", language["machine"]) for language in table.values() for pattern in language[place]
    ]
    either = "|".join(f"(?:{pattern})" for pattern in patterns)
    return re.compile(rf"\W*(?:{either})" if place == "opening" else either)
