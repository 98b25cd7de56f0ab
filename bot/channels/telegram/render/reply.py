"""Replies as what Telegram is sent: pure functions from the core's values to payloads within its limits."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.channels.telegram.render.answer import answer_blocks, aside, following, note_blocks, source_blocks
from bot.channels.telegram.render.inline import literal
from bot.channels.telegram.render.keyboards import Keyboard, answer_keyboard, reply_markup
from bot.channels.telegram.render.names import quiet
from bot.channels.telegram.render.split import Block, Prose, packed
from bot.channels.telegram.render.text import LIMIT, MOST_ENTITIES, Room, Styled, clean, joined
from bot.channels.utf16 import length
from bot.core.messages import Reply, Sentence
from bot.core.phrases import phrase

WHOLE = Room(LIMIT, MOST_ENTITIES)
# "Part 12 of 34" in any language, the space above it, and its italics.
PART = Room(LIMIT - 64, MOST_ENTITIES - 1)
_MARKER = re.compile(r"\[\d{1,3}\]")


@dataclass(frozen=True, slots=True)
class Posting:
    """One message: its text, and the buttons below it."""

    text: Styled
    keyboard: Keyboard | None = None


def postings(reply: Reply, *, answer_id: str, heading: str | None = None) -> list[Posting]:
    """Return a reply as messages in their order; only the last one has something to press.

    `answer_id` tells the core what a press is about, `heading` stands above the first message in italics.
    """
    above: list[Block] = [Prose(aside(heading))] if heading and heading.strip() else []
    first, *others = _answer(reply) if reply.sentences else [Prose(literal(reply.text))]
    texts = _messages([*above, following(first) if above else first, *others], reply.language)
    keyboard = answer_keyboard(answer_id, reply.language) if reply.sentences else None
    return [Posting(text, keyboard if number == len(texts) else None) for number, text in enumerate(texts, start=1)]


def _answer(reply: Reply) -> Iterator[Block]:
    yield from answer_blocks(reply.sentences)
    yield from source_blocks(reply.sentences, reply.language)
    yield from note_blocks([*reply.notes, phrase("suggestion", reply.language)])


def _messages(blocks: Sequence[Block], language: str) -> list[Styled]:
    whole = packed(blocks, WHOLE)
    if len(whole) <= 1:
        return whole
    parts = packed(blocks, PART)
    places = (phrase("continued", language, part=number, parts=len(parts)) for number in range(1, len(parts) + 1))
    return [joined([part, aside(place)], "\n\n") for part, place in zip(parts, places, strict=True)]


def notices(text: str, *, is_own: bool = False) -> list[Posting]:
    """Return a refusal, a limit, an error: one message, unless it is too long for it.

    Nothing in there can be clicked, unless all of it is the bot's own, as a list of its commands.
    """
    words = Styled(clean(text).strip()) if is_own else literal(text)
    return [Posting(part) for part in packed([Prose(words)], WHOLE)]


def growing(sentences: Sequence[Sentence], language: str) -> Styled | None:
    """Return an answer and its sources while it grows; None where there is nothing yet, or more than one message."""
    blocks = [*answer_blocks(sentences), *source_blocks(sentences, language)]
    texts = packed(blocks, WHOLE)
    return texts[0] if len(texts) == 1 else None


def payload(posting: Posting) -> dict[str, object]:
    """Return what the Bot API is sent of a message, as JSON."""
    shown: dict[str, object] = {
        "text": posting.text.text,
        "entities": [entity.as_json() for entity in posting.text.entities],
    }
    return shown | ({"reply_markup": reply_markup(posting.keyboard)} if posting.keyboard else {})


def plain(payload: Mapping[str, object]) -> str:
    """Return what a payload says as one text, for when Telegram refuses its entities; it fits one message.

    The addresses of its sources stand behind their titles, and joiners keep what was code from being clicked, where
    there is room for them.
    """
    text = str(payload["text"])
    ways = (_told(text, payload, with_addresses=with_addresses) for with_addresses in (True, False))
    return next((told for told in ways if length(told) <= LIMIT), text)


def _told(text: str, payload: Mapping[str, object], *, with_addresses: bool) -> str:
    encoded = text.encode("utf-16-le")
    pieces: list[str] = []
    position = 0
    for start, end, url in _links(payload):
        words = encoded[start * 2 : end * 2].decode("utf-16-le")
        pieces += [quiet(encoded[position * 2 : start * 2].decode("utf-16-le")), words]
        if with_addresses and words != url and not _MARKER.fullmatch(words):
            pieces.append(f" ({url.replace(' ', '%20')})")
        position = end
    return "".join([*pieces, quiet(encoded[position * 2 :].decode("utf-16-le"))])


def _links(payload: Mapping[str, object]) -> Iterator[tuple[int, int, str]]:
    """Yield where links begin and end, in order, and where they lead; none of them overlap."""
    given = payload.get("entities")
    for entity in given if isinstance(given, list) else []:
        if entity["type"] == "text_link":
            yield entity["offset"], entity["offset"] + entity["length"], entity["url"]
