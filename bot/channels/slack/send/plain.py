"""Blocks as plain text, for when Slack refuses them: the same words, with nothing but their look lost."""

import re
from collections.abc import Iterator, Mapping

from bot.channels.markdown import split
from bot.channels.slack.render.text import entities
from bot.channels.slack.send.parcels import blocks_of, text_of
from bot.channels.slack.translate.read import items
from bot.channels.utf16 import length

# `chat.update` refuses a text of more than 4,000 (docs.slack.dev/reference/methods/chat.update).
MAX_PLAIN_CHARACTERS = 3_500
_CODE = re.compile(r"^(`{3,})\n.*?\n\1$", re.DOTALL | re.MULTILINE)
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
            yield _mrkdwn(str(block.get("text") or ""))
        case "section":
            yield from _said(block.get("text"))
        case "context":
            for element in items(block, "elements"):
                yield from _said(element)


def _mrkdwn(markdown: str) -> str:
    """Return Markdown of ours as mrkdwn: prose without its backslashes, code as it stands.

    Entities are the same in both; but in mrkdwn, what stands between `<` and `>` is run in code as well.
    """
    shown, position = "", 0
    for code in _CODE.finditer(markdown):
        shown += _BACKSLASH.sub(r"\1", markdown[position : code.start()]) + entities(code[0])
        position = code.end()
    return shown + _BACKSLASH.sub(r"\1", markdown[position:])


def _said(element: object) -> Iterator[str]:
    if isinstance(element, dict) and isinstance(element.get("text"), str):
        yield element["text"]
