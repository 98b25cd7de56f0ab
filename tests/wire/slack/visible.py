"""What a person reads of a message: the words in its blocks or its text, without its buttons."""

import html
import re
from collections.abc import Iterator, Mapping

# The keys under which blocks and their elements hold words.
WORDS = ("text", "title", "label", "fields", "elements", "accessory", "rows", "details", "output", "tasks", "hint")
CLICKED = frozenset({"actions", "context_actions", "input"})
BUTTONS = frozenset({"button", "icon_button", "feedback_buttons", "workflow_button", "overflow"})
_LINK = re.compile(r"<((?:https?|mailto):[^|>]*)(?:\|([^>]*))?>")


def texts_of(value: object, *, with_buttons: bool = False) -> Iterator[str]:
    """Yield the raw texts of blocks in their order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts_of(item, with_buttons=with_buttons)
    elif isinstance(value, Mapping):
        if not with_buttons and value.get("type") in CLICKED | BUTTONS:
            return
        for name in WORDS:
            yield from texts_of(value.get(name), with_buttons=with_buttons)
        if with_buttons:
            for side in ("positive_button", "negative_button"):
                yield from texts_of(value.get(side), with_buttons=True)


def shown(text: str) -> str:
    """Return mrkdwn as it is read: links as their labels, entities as their signs."""
    return html.unescape(_LINK.sub(lambda link: link[2] or link[1], text))


def reading_of(payload: Mapping[str, object], streamed: str = "") -> str:
    """Return what a person reads: what was streamed and the blocks, else the text."""
    parts = [*([streamed] if streamed else []), *texts_of(payload.get("blocks"))]
    if not parts:
        parts = [str(payload.get("markdown_text") or payload.get("text") or "")]
    return "\n".join(shown(part) for part in parts)
