"""What a desk or an asker is shown, as Slack's messages: pure functions, each message within Slack's limits."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from bot.channels.markdown_cuts import Cuts
from bot.channels.slack.render.blocks import (
    DESK_ACTION,
    MAX_TITLE_CHARACTERS,
    Block,
    contexts,
    link,
    plain,
    section,
)
from bot.channels.slack.render.metadata import Fields, fitting
from bot.channels.slack.render.reply import (
    MAX_ANSWER_CHARACTERS,
    MAX_FALLBACK_CHARACTERS,
    MAX_SECTION_CHARACTERS,
    Posting,
)
from bot.channels.slack.render.text import mrkdwn, on_button, shortened
from bot.channels.utf16 import length
from bot.core.inert import WORD_JOINER
from bot.core.phrases import FALLBACK_LANGUAGE, phrase, spoken
from bot.core.tickets.post import Part, Post, Press

# Slack takes fifty; buttons and the number of the message need some.
MAX_BLOCKS = 35
MAX_ROWS = 10
# docs.slack.dev/reference/block-kit: of an actions block, and of a button.
MAX_BUTTONS = 25
MAX_BUTTON_CHARACTERS = 75
MAX_LABEL_CHARACTERS = 150
# A label with its address that is longer stands by itself: a section holds it together with a piece of text.
MAX_NAME_CHARACTERS = 600
ROOM = MAX_SECTION_CHARACTERS - MAX_NAME_CHARACTERS - 10
# What stands for a message that has no words of its own.
NO_WORDS = "…"
# In the name of a row its language comes back, whether a form begins with something, and where else it belongs to.
ROW = "desk"
WITH_FIELDS = "fields"
BELONGS_TO = "to="

_QUOTE_MARK = re.compile(r"^(?=&gt;)", re.MULTILINE)
_ENDS = (":", ".", "?", "!", "…")


def postings_of(post: Post, *, belongs_to: str = "") -> list[Posting]:
    """Return a post as messages in their order; the first one has the buttons. None for one that says nothing.

    What is pressed below it counts as pressed in the channel that it `belongs_to`, where it is shown in another one.
    """
    marks = [f"{BELONGS_TO}{belongs_to}"] if belongs_to else []
    rows = _rows(post, marks)
    # What has nothing but buttons or files is seen with the words that the transcript keeps of it.
    said = [section(shortened(post.plain, MAX_SECTION_CHARACTERS))] if post.plain.strip() else []
    pages = list(_pages(_blocks(post.parts), used=sum(map(_size, rows)))) or ([said] if said or rows else [])
    language = _language(post)
    shown: list[Posting] = []
    for number, blocks in enumerate(pages, 1):
        place = phrase("continued", language, part=number, parts=len(pages))
        text = shortened(_words(post), MAX_FALLBACK_CHARACTERS) if number == 1 else mrkdwn(place)
        below = contexts([mrkdwn(place)] if len(pages) > 1 else [])
        shown.append(Posting(text, [*blocks, *below, *(rows if number == 1 else [])]))
    return shown


def fields_of(post: Post) -> Fields:
    """Return what stands in the forms of a post's buttons already."""
    presses = [press for row in post.presses for press in row if press.fields]
    return fitting({button_of(press.kind, press.number): dict(press.fields) for press in presses})


def button_of(kind: str, number: int) -> str:
    """Return what the fields of a button's form go by."""
    return f"{kind}:{number}"


def _language(post: Post) -> str:
    return spoken(post.language) or FALLBACK_LANGUAGE


def _words(post: Post) -> str:
    """Return what is said of a post where its blocks are not shown."""
    texts = [post.plain, *(part.text for part in post.parts), *(press.label for row in post.presses for press in row)]
    return next((text for text in texts if text.strip()), NO_WORDS)


def _pages(blocks: Iterable[Block], *, used: int) -> Iterator[list[Block]]:
    """Yield the blocks of each message; `used` is what else the first one has."""
    page: list[Block] = []
    for block in blocks:
        size = _size(block)
        if page and (used + size > MAX_ANSWER_CHARACTERS or len(page) >= MAX_BLOCKS):
            yield page
            page, used = [], 0
        page.append(block)
        used += size
    if page:
        yield page


def _size(value: object) -> int:
    """Return how long the texts in a block are."""
    if isinstance(value, list):
        return sum(map(_size, value))
    if not isinstance(value, dict):
        return 0
    text = value.get("text")
    own = length(text) if isinstance(text, str) else _size(text)
    return own + _size(value.get("elements"))


def _blocks(parts: Sequence[Part]) -> Iterator[Block]:
    for style, group in groupby(parts, key=lambda part: part.style):
        texts = [text for part in group for text in _TEXTS[style](part)]
        if style == "small":
            yield from (block for text in _joined(texts) for block in contexts([text]))
        else:
            yield from map(section, _joined(texts) if style == "item" else texts)


def _joined(texts: Sequence[str]) -> list[str]:
    """Return lines in as few texts as a section holds them."""
    joined: list[str] = []
    for text in texts:
        if joined and length(joined[-1]) + 1 + length(text) <= MAX_SECTION_CHARACTERS:
            joined[-1] += f"\n{text}"
        else:
            joined.append(text)
    return joined


def _title(part: Part) -> Iterator[str]:
    """Yield one line in bold, of which a mark within would be the end."""
    words = " ".join(part.text.split())
    bold = f"*{_linked(part, words) or shortened(words, ROOM)}*" if words else ""
    yield from _named(part, " ", [bold])


def _quote(part: Part) -> Iterator[str]:
    """Yield the label on a line of its own, and below it the words as a quotation."""
    yield from _named(part, "\n", [*_cut(part.text, _quoted_lines)])
    yield from _address(part)


def _item(part: Part) -> Iterator[str]:
    first, *others = [*_text(part)] or [""]
    yield from filter(None, [first and f"• {first}", *others])


def _text(part: Part) -> Iterator[str]:
    words = part.text.strip()
    is_short = "\n" not in words and len(words) <= MAX_TITLE_CHARACTERS
    if is_short and (shown := _linked(part, words)):
        yield shown
        return
    yield from _named(part, " ", [*_cut(words, _plain_lines)])
    yield from _address(part)


def _named(part: Part, glue: str, texts: Sequence[str]) -> Iterator[str]:
    """Yield texts, the first one with the label before it."""
    name, first = _name(part), next(iter(texts), "")
    is_apart = length(name) > MAX_NAME_CHARACTERS
    begun = [name, first] if is_apart else [glue.join(filter(None, [name, first]))]
    yield from filter(None, [*begun, *texts[1:]])


def _name(part: Part) -> str:
    """Return the label in bold, as a link where there is an address; "" where there is no label."""
    words = " ".join(part.label.split())[:MAX_LABEL_CHARACTERS]
    if not words:
        return ""
    named = words if words.endswith(_ENDS) else f"{words}:"
    return f"*{link(part.url, named) or mrkdwn(named)}*"


def _linked(part: Part, words: str) -> str:
    """Return words as a link, where no label is that already."""
    return "" if part.label.strip() else link(part.url, words)


def _address(part: Part) -> Iterator[str]:
    """Yield the address of a part, where neither a label nor its words are its link."""
    if shown := _linked(part, (part.url or "").partition("://")[2]):
        yield shown


def _cut(text: str, shown: Callable[[str], str]) -> Iterator[str]:
    """Yield a text in pieces that a section holds, cut between lines, sentences, words."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    cuts, start = Cuts(text, ()), 0
    while start < len(text):
        is_last = len(text) - start <= ROOM and length(shown(text[start:])) <= ROOM
        end = len(text) if is_last else cuts.best(start, ROOM, lambda piece: length(shown(piece)))
        if (piece := text[start:end].rstrip()).strip():
            yield shown(piece)
        start = end
        while text[start : start + 1] in ("\n", " "):
            start += 1


def _plain_lines(text: str) -> str:
    return _QUOTE_MARK.sub(WORD_JOINER, mrkdwn(text))


def _quoted_lines(text: str) -> str:
    return "\n".join(f"> {mrkdwn(line)}" for line in text.split("\n"))


def _rows(post: Post, marks: Sequence[str]) -> list[Block]:
    rows = [row for presses in post.presses for row in _distinct(presses)][:MAX_ROWS]
    return [_row(row, [ROW, _language(post), str(number)], marks) for number, row in enumerate(rows)]


def _distinct(presses: Sequence[Press]) -> Iterator[list[Press]]:
    """Yield a row in several where it has too many buttons, or one kind twice: Slack tells them apart by it."""
    row: list[Press] = []
    for press in presses:
        if len(row) == MAX_BUTTONS or any(press.kind == other.kind for other in row):
            yield row
            row = []
        row.append(press)
    if row:
        yield row


def _row(presses: Sequence[Press], names: Sequence[str], marks: Sequence[str]) -> Block:
    fields = [WITH_FIELDS] if any(press.fields for press in presses) else []
    elements = [_button(press) for press in presses]
    return {"type": "actions", "block_id": ":".join([*names, *fields, *marks]), "elements": elements}


def _button(press: Press) -> Block:
    words = shortened(press.label.strip() or press.kind, MAX_BUTTON_CHARACTERS, on_button)
    style = {"style": "primary"} if press.is_first else {}
    return {
        "type": "button",
        "action_id": f"{DESK_ACTION}{press.kind}",
        "text": plain(words),
        "value": str(press.number),
        **style,
    }


_TEXTS: dict[str, Callable[[Part], Iterator[str]]] = {
    "title": _title,
    "text": _text,
    "quote": _quote,
    "item": _item,
    "small": _text,
}
