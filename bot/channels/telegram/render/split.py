"""Packs the blocks of a text into messages: each within the limits, and nothing cut that belongs together.

What is too long alone goes on in the next message: words at a line, a sentence, a space; code is closed and opened
again with its language; the header of a table stands once more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.channels.markdown_cuts import Cuts, Span, between_signs, farthest
from bot.channels.telegram.render.text import NOTHING, EntityType, Room, Styled, around, joined, styled
from bot.channels.utf16 import length

# What stands below code may take so much of a message from it.
MOST_BELOW = 0.25
# A paragraph begins in a message that has so much room left for it, else in the next one.
LEAST_LEFT = Room(400, 4)


@dataclass(frozen=True, slots=True)
class Prose:
    """Words; `glue` stands before them within a message."""

    words: Styled
    glue: str = "\n"

    def pieces(self, room: Room) -> list[Styled]:
        """Return the words in pieces, each of which there is room for."""
        return list(_cut(self.words, room))


@dataclass(frozen=True, slots=True)
class Preformatted:
    """Lines in which every sign keeps its place, and the words `below` that stay with the last one.

    Those of `head` stand again above whatever a message begins with.
    """

    lines: tuple[str, ...]
    head: tuple[str, ...] = ()
    language: str | None = None
    below: Styled = NOTHING
    glue: str = "\n"

    def pieces(self, room: Room) -> list[Styled]:
        """Return the lines in pieces, each of which is closed and has room."""
        below = [self.below] if self.below.text else []
        reserved = min(sum(length(words.text) + 1 for words in below), int(room.units * MOST_BELOW))
        most = room.units - reserved - sum(length(line) + 1 for line in self.head)
        *others, last = [
            styled("\n".join([*self.head, *lines]), "pre", language=self.language)
            for lines in _grouped(self.lines, most)
        ]
        closed = joined([last, *below], "\n")
        return [*others, closed] if closed.fits(room) else [*others, last, *_cut(self.below, room)]


Block = Prose | Preformatted


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words that go on in the next message where they must, and are of the kind `around` in each of them."""

    words: Styled
    glue: str = "\n"
    around: EntityType | None = None

    @property
    def whole(self) -> Styled:
        """All of it."""
        return around(self.words, self.around)

    def cut(self, room: Room) -> tuple[Styled, "Paragraph"]:
        """Return as much of it as there is room for, and the rest."""
        inner = Room(room.units, room.entities - (self.around is not None))
        first = next(_cut(self.words, inner))
        text = self.words.text
        start = len(text) - len(text[len(first.text) :].lstrip())
        return around(first, self.around), replace(self, words=self.words.part(start, len(text)))


def packed(blocks: Sequence[Block], room: Room) -> list[Styled]:
    """Return the blocks as texts in their order, each with as many of them as there is room for."""
    texts: list[Styled] = []
    for block in blocks:
        first, *rest = block.pieces(room)
        filled = joined([*texts[-1:], first], block.glue)
        if texts and filled.fits(room):
            texts[-1] = filled
        else:
            texts.append(first)
        texts += rest
    return [text for text in texts if text.text.strip()]


def filled(paragraphs: Sequence[Paragraph], room: Room) -> list[Styled]:
    """Return the paragraphs as texts in their order, each text filled before the next one begins."""
    texts = [NOTHING]
    for paragraph in paragraphs:
        rest = paragraph
        while rest.words.text.strip():
            left = _left(texts[-1], paragraph.glue, room)
            if rest.whole.fits(left):
                texts[-1] = _behind(texts[-1], rest.whole, paragraph.glue)
                break
            if not texts[-1].text or (left.units >= LEAST_LEFT.units and left.entities >= LEAST_LEFT.entities):
                piece, rest = rest.cut(left)
                texts[-1] = _behind(texts[-1], piece, paragraph.glue)
            texts.append(NOTHING)
    return [text for text in texts if text.text.strip()]


def _left(text: Styled, glue: str, room: Room) -> Room:
    return Room(room.units - length(text.text + glue), room.entities - len(text.entities)) if text.text else room


def _behind(text: Styled, piece: Styled, glue: str) -> Styled:
    return joined([text, piece], glue) if text.text else piece


def _cut(words: Styled, room: Room) -> Iterator[Styled]:
    """Yield the words in pieces, without the space between two of them; one at least."""
    if words.fits(room):
        yield words
        return
    text, spans = words.text, _spans(words)
    cuts = Cuts(text, _merged(spans))
    start = 0
    while start < len(text):
        ahead = [first for first, last in spans if last > start]
        border = ahead[room.entities] if len(ahead) > room.entities else len(text)
        units = min(room.units, length(text[start:border]))
        end = len(text) if length(text[start:]) <= units else cuts.best(start, units, length)
        yield words.part(start, start + len(text[start:end].rstrip()))
        start = len(text) - len(text[end:].lstrip())


def _spans(words: Styled) -> list[Span]:
    """Return where the entities begin and end, counted as Python counts."""
    places = sorted({at for entity in words.entities for at in (entity.offset, entity.end)})
    encoded = words.text.encode("utf-16-le")
    counted: dict[int, int] = {}
    before, characters = 0, 0
    for place in places:
        characters += len(encoded[before * 2 : place * 2].decode("utf-16-le"))
        before, counted[place] = place, characters
    return [(counted[entity.offset], counted[entity.end]) for entity in words.entities]


def _merged(spans: Sequence[Span]) -> list[Span]:
    """Return the outermost of spans that overlap; they come in the order of their beginnings."""
    merged: list[Span] = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _grouped(lines: Sequence[str], most: int) -> Iterator[list[str]]:
    """Yield as many lines together as there is room for; the rest of a line that is cut begins the next ones."""
    group: list[str] = []
    used = 0
    for line, is_rest in _short(lines, most):
        if group and (is_rest or used + length(line) > most):
            yield group
            group, used = [], 0
        group.append(line)
        used += length(line) + 1
    yield group


def _short(lines: Sequence[str], most: int) -> Iterator[tuple[str, bool]]:
    for line in lines:
        start = 0
        while length(line[start:]) > most:
            end = between_signs(line, start, farthest(line, start, most, length))
            yield line[start:end], start > 0
            start = end
        yield line[start:], start > 0
