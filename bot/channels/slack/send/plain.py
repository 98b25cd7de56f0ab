"""Blocks as plain text, for when Slack refuses them: the same words, with nothing but their look lost."""

import re
from collections.abc import Iterator, Mapping

from bot.channels.markdown import split
from bot.channels.slack.render.text import length
from bot.channels.slack.send.parcels import blocks_of, text_of
from bot.channels.slack.translate.read import items

# `chat.update` refuses a text of more than 4,000 (docs.slack.dev/reference/methods/chat.update).
MAX_PLAIN_CHARACTERS = 3_500
_BACKSLASH = re.compile(r"\\([!-/:-@\[-`{-~])")


def plain_parts(payload: Mapping[str, object]) -> list[str]:
    """Return what a payload says as texts of mrkdwn, in order, each of which is one message."""
    texts = [text for block in blocks_of(payload) for text in _texts(block)]
    said = "\n".join(texts) or text_of(payload)
    return split(said, MAX_PLAIN_CHARACTERS, length)


def _texts(block: Mapping[str, object]) -> Iterator[str]:
    """Yield the words of a block; what can only be clicked has none here."""
    match block.get("type"):
        case "markdown":
            # Entities are the same in both languages of Slack's, and what would run was defused before.
            yield _BACKSLASH.sub(r"\1", str(block.get("text") or ""))
        case "section":
            yield from _said(block.get("text"))
        case "context":
            for element in items(block, "elements"):
                yield from _said(element)


def _said(element: object) -> Iterator[str]:
    if isinstance(element, dict) and isinstance(element.get("text"), str):
        yield element["text"]
