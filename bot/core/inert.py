"""Makes text from documents and models harmless to show: no foreign link, no image, no mention, nothing invisible.

A link stays when it stands verbatim in what is cited and leads to an allowed host; any other is text that no client
turns into a link. What a reader sees stays readable, so `example.org` becomes `example[.]org`. Made inert once more, a
text stays as it is. Whoever shows it still has to escape the marks of the platform's own language.
"""

import re
from collections.abc import Collection, Iterable
from unicodedata import category

from bot.core.addresses import addresses, defused, leads_to

WORD_JOINER = "\u2060"
# What one round takes away may let something else begin; more than one such round takes a text made for it.
MOST_ROUNDS = 4
# Joiners that some scripts and emoji need between their signs.
_JOINERS = frozenset("\u200c\u200d")
# Letters and marks that are drawn as nothing at all.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Labels are bounded, or a page full of brackets would be searched again from each.
_TARGET = r"""\(\s?<?([^()\[\]<>\s]{0,2000})>?(?:\s["'(][^()\[\]]{0,300})?\s?(?:\)|$)"""
_IMAGE = re.compile(r"!\[([^\[\]]{0,300})\]" + _TARGET)
# `[.]` is our own way to write the dot of an address.
_LINK = re.compile(r"\[(?!\.\])([^\[\]]{0,300})\]" + _TARGET)
_COMMAND_MENTION = re.compile(r"<[!@#]([^<>\s]*)>")
_MENTION = re.compile(r"(?<!\w)[@＠﹫](?=\S)")
_MARKER = re.compile(r"\[(?=\D{0,40}\d)([\s\d,;–-]{1,40})\]")
_FENCE = re.compile(r"(?<=``)(?=`)|(?<=~~)(?=~)")
# Between two marks where something would begin: an address, a link or definition, an image, a command, a reference, or
# what a page would load or run.
_SEAM = re.compile(
    r"(?<=[:：﹕])(?=[/／]{2})|(?<=\])(?=[(\[:])|(?<=!)(?=\[)|(?<=<)(?=[!@#])|(?<=&)(?=#?\w{1,40};)|"
    + _FENCE.pattern
    + "|"
    r"(?<=<)(?=(?:audio|base|embed|iframe|image|img|link|meta|object|picture|script|source|style|svg|video)\b)",
    re.IGNORECASE,
)


def inert(text: str, *, cited: Iterable[str], hosts: Collection[str]) -> str:
    """Return prose as it may be shown; `cited` are the texts in which an address must stand to stay a link."""
    allowed = {address for passage in cited for address in _addresses(passage) if leads_to(address, hosts)}
    shown = _once(text, allowed)
    for _ in range(MOST_ROUNDS):
        before, shown = shown, _once(shown, allowed)
        if shown == before:
            break
    return shown


def inert_code(text: str) -> str:
    """Return code as it may be shown: platforms make no links or mentions of it, but it may hide what nobody sees.

    Nor may it close the fence that it is shown in.
    """
    return _FENCE.sub(WORD_JOINER, without_invisible(text))


def without_invisible(text: str) -> str:
    """Return the text without control characters, zero-width marks, tags, and marks that turn its direction."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(character for at, character in enumerate(text) if _is_visible(character, text, at))


def _is_visible(character: str, text: str, at: int) -> bool:
    if character in _JOINERS:
        return _joins_signs(text[max(0, at - 1) : at + 2])
    return not _is_hidden(character)


def _is_hidden(character: str) -> bool:
    # Variation selectors of the supplement can carry any hidden text, a byte each.
    is_selector = "\U000e0100" <= character <= "\U000e01ef"
    is_mark = category(character) in ("Cc", "Cf", "Co", "Cs") and character not in "\n\t"
    return is_selector or is_mark or character in _BLANK


def _joins_signs(around: str) -> bool:
    """Tell whether a joiner stands between two letters or signs of a script that needs it, as Persian and emoji do."""
    outer = [sign for sign in around[::2] if not sign.isascii() and not _is_hidden(sign)]
    return len(around) == 3 and len(outer) == 2 and all(category(sign)[0] in "LMS" for sign in outer)


def _once(text: str, allowed: Collection[str]) -> str:
    visible = " ".join(without_invisible(text).split())
    bare = _COMMAND_MENTION.sub(r"\1", _LINK.sub(_unlinked, _IMAGE.sub(r"\1", visible)))
    return "".join(piece if is_kept else _without_commands(piece) for piece, is_kept in _pieces(bare, allowed))


def _addresses(text: str) -> set[str]:
    targets = {found[2] for found in _LINK.finditer(text)}
    return {text[start:end] for start, end in addresses(text)} | targets


def _unlinked(link: re.Match[str]) -> str:
    """Return a Markdown link as its words and its address, which is then judged as any other."""
    label, address = link[1].strip(), link[2]
    return address if label in ("", address) else f"{label} ({address})" if address else label


def _pieces(text: str, allowed: Collection[str]) -> list[tuple[str, bool]]:
    """Return a text in pieces, each address harmless or, if it is allowed, a piece that is kept as it is."""
    pieces: list[tuple[str, bool]] = []
    rest: list[str] = []
    position = 0
    for start, end in addresses(text):
        rest.append(text[position:start])
        position = end
        if text[start:end] in allowed:
            pieces += [("".join(rest), False), (text[start:end], True)]
            rest = []
        else:
            rest.append(defused(text[start:end]))
    return [*pieces, ("".join([*rest, text[position:]]), False)]


def _without_commands(text: str) -> str:
    """Return the text without mentions, and without what looks like one of our markers: those stand behind it."""
    unmentioned = _MENTION.sub(rf"\g<0>{WORD_JOINER}", text)
    return _SEAM.sub(WORD_JOINER, _MARKER.sub(r"［\1］", unmentioned))
