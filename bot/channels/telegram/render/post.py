"""What a desk or an asker is shown, as messages: words as they stand, and nothing to click but the addresses given."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from bot.channels.telegram.render.inline import copyable
from bot.channels.telegram.render.keyboards import desk_keyboard
from bot.channels.telegram.render.names import is_linkable, quiet
from bot.channels.telegram.render.reply import PART, WHOLE, Posting
from bot.channels.telegram.render.split import Paragraph, filled
from bot.channels.telegram.render.text import NOTHING, Styled, around, clean, joined, styled
from bot.channels.utf16 import length
from bot.core.phrases import phrase
from bot.core.tickets.post import Part, Post

# A longer text is no link itself: its address stands behind it.
MAX_LINK_UNITS = 200
MAX_NAME_CHARACTERS = 64
# What is shown where there is nothing to say, for a message has some text.
NOTHING_SAID = "…"
# Stands for somebody whose name is not known.
SOMEBODY = "👤"
LINE, NEW_PARAGRAPH = "\n", "\n\n"
# A label ends with one of these.
SIGNS = tuple(":：.…!?-–—]")
_BULLET = Styled("• ")

Words = Callable[[str], Styled]


@dataclass(frozen=True, slots=True)
class Named:
    """A person who is named at the beginning, so that they are told: their number, and what they are called."""

    number: int
    name: str | None = None


def post_postings(post: Post, *, named: Named | None = None) -> list[Posting]:
    """Return a post as messages in their order, none for files alone, which have the buttons themselves.

    The first one has the buttons: it is the one that is changed later, and buttons elsewhere would stay as they are.
    """
    paragraphs = [*_paragraphs(post.parts)]
    if named is not None:
        paragraphs = [_named(named), *(replace(one, glue=" ") for one in paragraphs[:1]), *paragraphs[1:]]
    keyboard = desk_keyboard(post.presses)
    texts = _messages(paragraphs, post.language)
    if not texts and not post.files:
        texts = [Styled(NOTHING_SAID)]
    return [Posting(text, keyboard if number == 0 else None) for number, text in enumerate(texts)]


def _named(named: Named) -> Paragraph:
    name = " ".join(quiet(clean(named.name or "")).split())[:MAX_NAME_CHARACTERS]
    return Paragraph(styled(name or SOMEBODY, "text_mention", user=named.number))


def _messages(paragraphs: Sequence[Paragraph], language: str) -> list[Styled]:
    whole = filled(paragraphs, WHOLE)
    if len(whole) <= 1:
        return whole
    parts = filled(paragraphs, PART)
    places = (phrase("continued", language, part=number, parts=len(parts)) for number in range(1, len(parts) + 1))
    return [joined([part, styled(place, "italic")], NEW_PARAGRAPH) for part, place in zip(parts, places, strict=True)]


def _paragraphs(parts: Sequence[Part]) -> Iterator[Paragraph]:
    before: Part | None = None
    for part in parts:
        is_next_of_list = before is not None and part.style == before.style and part.style in ("item", "small")
        yield from _shown(part, LINE if is_next_of_list else NEW_PARAGRAPH)
        before = part


def _shown(part: Part, glue: str) -> Iterator[Paragraph]:
    """Yield a part: what somebody said in paragraphs of its own, below its label and above its address."""
    label, url = _label(part)
    match part.style:
        case "quote":
            quote = Paragraph(copyable(part.text), around="blockquote")
            lines = [Paragraph(label), quote, Paragraph(_address(url, copyable))]
            first, *others = [line for line in lines if line.words.text] or [quote]
            yield from (replace(first, glue=glue), *others)
        case "title" | "small":
            words = _spaced(label, *_linked(part.text, url, _quiet))
            yield Paragraph(words, glue, around="bold" if part.style == "title" else "italic")
        case "item" | "text":
            words = _spaced(label, *_linked(part.text, url, copyable))
            is_marked = part.style == "item" and not label.text and words.text
            yield Paragraph(_BULLET + words if is_marked else words, glue)


def _label(part: Part) -> tuple[Styled, str | None]:
    """Return what stands before a part, and the address that is left for the rest of it: a label is a link itself.

    It gets a colon unless it has a sign of its own.
    """
    text = " ".join(clean(part.label).split())
    if not text:
        return NOTHING, part.url
    shown = quiet(text if text.endswith(SIGNS) else f"{text}:")
    if not is_linkable(part.url) or part.style == "title":
        return styled(shown, "bold"), part.url
    return around(styled(shown, "text_link", url=part.url), "bold"), None


def _quiet(text: str) -> Styled:
    return Styled(quiet(clean(text).strip()))


def _linked(text: str, url: str | None, words: Words) -> tuple[Styled, Styled]:
    """Return words and their address: a short line is the link itself."""
    line = _quiet(text).text
    if line and is_linkable(url) and "\n" not in line and length(line) <= MAX_LINK_UNITS:
        return styled(line, "text_link", url=url), NOTHING
    return words(text), _address(url, words)


def _address(url: str | None, words: Words) -> Styled:
    """Return an address as a link, or where Telegram makes none of it, in words; nothing for other schemes."""
    if not url or not url.startswith(("http://", "https://")):
        return NOTHING
    return styled(clean(url), "text_link", url=url) if is_linkable(url) else words(url)


def _spaced(*pieces: Styled) -> Styled:
    return joined([piece for piece in pieces if piece.text], " ")
