"""Slack's marked-up text as what a person typed (docs.slack.dev/messaging/formatting-message-text)."""

import re
from collections.abc import Callable

_MARKED = re.compile(r"<([^<>]*)>")
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">"}
_ENTITY = re.compile("|".join(_ENTITIES))
_SCHEME = re.compile(r"^(?:https?://|mailto:|tel:)", re.IGNORECASE)
# What stands between a name and what is said to it.
_AFTER_NAME = " \t\n,:;–—"


def plain(text: str, me: str) -> str:
    """Return a text without marks and without our own name."""
    said = _MARKED.sub(lambda mark: "" if _is_person(mark[1], me) else _typed(mark[1]), text)
    return _ENTITY.sub(lambda entity: _ENTITIES[entity[0]], _without_our_name(text, me, said)).strip()


def mentions(text: str, me: str) -> bool:
    """Tell whether a text names us."""
    return any(_is_person(mark[1], me) for mark in _MARKED.finditer(text))


def _is_person(inside: str, user: str) -> bool:
    return bool(user) and inside.partition("|")[0] == f"@{user}"


def _without_our_name(text: str, me: str, said: str) -> str:
    first = _MARKED.match(text.lstrip())
    return said.lstrip(_AFTER_NAME) if first and _is_person(first[1], me) else said


def _typed(inside: str) -> str:
    target, _, label = inside.partition("|")
    how = next((how for sign, how in _SIGNS.items() if target.startswith(sign)), _link)
    return how(target, label)


def _person(target: str, label: str) -> str:
    return f"@{label.removeprefix('@') or target.removeprefix('@')}"


def _channel(target: str, label: str) -> str:
    return f"#{label or target.removeprefix('#')}"


def _special(target: str, label: str) -> str:
    """Return a group, a date or a call to everybody."""
    return label or f"@{target.removeprefix('!').removeprefix('subteam^')}"


def _link(target: str, label: str) -> str:
    """Return an address as it was written: bare, or as the words that were linked with the address behind them."""
    address = _SCHEME.sub("", target) if target.lower().startswith(("mailto:", "tel:")) else target
    if not label or label == address:
        return address
    is_bare = _SCHEME.sub("", target).rstrip("/") == _SCHEME.sub("", label).rstrip("/")
    return label if is_bare else f"{label} ({address})"


_SIGNS: dict[str, Callable[[str, str], str]] = {"@": _person, "#": _channel, "!": _special}
