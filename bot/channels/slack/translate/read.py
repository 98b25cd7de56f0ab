"""Reads payloads that may be of any shape: what is not there, or of another kind, is empty."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation

from bot.core.incoming import Company

Payload = Mapping[str, object]
# Slack's name for a message, wherever it stands: the time that it was sent at.
MESSAGE = re.compile(r"\d+\.\d+")
_COMPANIES: Mapping[str, Company] = {"im": "direct", "mpim": "group", "group": "private", "channel": "public"}


def part(payload: Payload, *path: str) -> Payload:
    """Return the object at a path."""
    found: object = payload
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def word(payload: Payload, *path: str) -> str:
    """Return the text at a path."""
    found = part(payload, *path[:-1]).get(path[-1])
    return found if isinstance(found, str) else ""


def items(payload: Payload, name: str) -> list[Payload]:
    """Return the objects in a list."""
    found = payload.get(name)
    return [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []


def number(text: str) -> int | None:
    """Return the number of a stored thing; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def at(ts: str) -> datetime | None:
    """Return the time that one of Slack's names for messages stands for, which are seconds with six decimals."""
    try:
        return datetime.fromtimestamp(float(Decimal(ts)), UTC)
    except (InvalidOperation, ValueError, OverflowError, OSError):
        return None


def place_pressed(body: Payload) -> str:
    """Return the channel that a button was pressed in."""
    return word(body, "channel", "id") or word(body, "container", "channel_id")


def message_pressed(body: Payload) -> str:
    """Return the message that a button stands below."""
    return word(body, "container", "message_ts") or word(body, "message", "ts")


def thread_pressed(body: Payload) -> str | None:
    """Return the thread that a button stands in."""
    return word(body, "container", "thread_ts") or word(body, "message", "thread_ts") or None


def company_of(body: Payload, channel: str, channel_type: str) -> Company:
    """Return who reads along; "shared", the most careful, where it is not said."""
    if channel_type == "im" or (channel.startswith("D") and not channel_type):
        return "direct"
    event = part(body, "event")
    if body.get("is_ext_shared_channel") or event.get("is_ext_shared") or event.get("is_shared"):
        return "shared"
    return _COMPANIES.get(channel_type, "shared")
