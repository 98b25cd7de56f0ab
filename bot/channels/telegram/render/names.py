"""What Telegram makes clickable in plain text by itself, and how it is kept from that.

TDLib finds addresses, @mentions, /commands, #hashtags, $CASHTAGS and numbers of bank cards, the server those of phones
as well; within code and links neither looks.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal
from urllib.parse import urlsplit

from bot.core.addresses import addresses
from bot.core.inert import WORD_JOINER

MAX_URL_CHARACTERS = 2_000
# What people copy, which code leaves as it is. The ends of files are ends of hosts as well; what else looks like a host
# was defused before, in all that went through `inert`.
_FILE = r"(?<![\w./~-])[\w./~-]{0,200}[\w-]\.(?i:md|py|sh|rs|pl|zip|mov)(?![\w-]|\.\w)(?::\d{1,9}(?![\w/~-]|\.\w))?"
# Telegram knows more ends of hosts than `addresses`, which has those that people use: `request.data` is a link as well.
# These ends are none, and an end with a capital is the next sentence.
_NO_HOST = (
    r"(?i:[jt]sx?|json|ya?ml|toml|html?|css|csv|xml|sql|txt|log|conf|cfg|ini|exe|pdf|docx?|xlsx?|jpe?g|png)(?!\w)"
)
_NEXT_SENTENCE = r"[A-Z][a-z]+(?!\w)"
_HOST = rf"(?<![\w-])(?![\w-]+\.{_NEXT_SENTENCE})(?:[\w-]+\.){{1,9}}(?!{_NO_HOST})[a-zA-Z]{{2,24}}(?![\w-])"
_COMMAND = r"(?<![\w/<>])/[a-zA-Z][a-zA-Z0-9_]{0,63}(?:@\w{1,32})?(?![\w/<>.-])"
_CASHTAG = r"(?<!\w)\$(?:1INCH|[A-Z]{1,8})(?!\w)"
_IP_ADDRESS = r"(?<![^\W_])(?<!\.)\d+(?:\.\d+){3,}(?:[:/?#](?:[^\s<>]*[\w/])?)?"
_PHONE = (
    r"(?<![\w+])\+\d(?:[ \u00a0().-]{0,2}\d){6,14}(?!\w)"
    r"|(?<!\w)[08][ \u00a0-]?\(?\d{2,3}\)?[ \u00a0-]?\d{3}[ \u00a0-]?\d{2}[ \u00a0-]?\d{2}(?!\w)"
)
_CARD = r"(?<![^\W_])\d(?:[ \u00a0-]?\d){12,18}(?![^\W_])|(?<![^\W_])\d{10,19}(?![^\W_])"
_NAMES: Sequence[tuple[Literal["name", "number"], re.Pattern[str]]] = (
    ("name", re.compile(_FILE)),
    ("name", re.compile(_HOST)),
    ("name", re.compile(f"{_COMMAND}|{_CASHTAG}|{_IP_ADDRESS}")),
    ("number", re.compile(f"{_PHONE}|{_CARD}")),
)
# Telegram takes emoji, marks and some signs for a part of a host, which no address in a text of ours has.
_ODD_HOST = r"""(?<![\s\w"'«»“”„‘’()\[\]{}<>,;:!?/|\\`=&%+*#^$])\.(?=[^\W\d_]{2})"""
# What nobody copies: a joiner behind the sign is enough.
_SIGN = re.compile(
    r"[@＠﹫](?=\w)|#(?=[\w·\u200c]*[^\W\d])|(?<![\w/<>])/(?=[a-zA-Z0-9_]{1,64}(?![\w/<>]))"
    rf"|\$(?=(?:1INCH|[A-Z]{{1,8}})(?!\w))|{_ODD_HOST}|(?<=[\w-])\.(?={_NEXT_SENTENCE})"
)
_MAIL = re.compile(r"[\w.+-]+@[\w.-]+", re.ASCII)
_DIGITS_TOGETHER = 3
_HOST_NAME = re.compile(r"[\w.-]+|[\da-f:.]+")


@dataclass(frozen=True, slots=True)
class Found:
    """Something that Telegram would make clickable.

    `link`: an address that `inert` let pass, if the text went through it; `mail`: one of those that needs no more to be
    one; `address`: any other; `name` and `number`: what people copy.
    """

    start: int
    end: int
    kind: Literal["link", "mail", "address", "name", "number"]

    def joiners(self, text: str) -> Iterator[int]:
        """Yield the places where joiners keep it from being recognised."""
        for at in range(self.start + 1, self.end + 1):
            is_in_number = self.kind == "number" and (at - self.start) % _DIGITS_TOGETHER == 0 and at < self.end
            # A line below is a letter of commands and tags, which would end at the joiner.
            if is_in_number or not (text[at - 1].isalnum() or text[at - 1] == "_"):
                yield at


def found_in(text: str) -> Iterator[Found]:
    """Yield what would be clickable as a whole: first the addresses, then the names and numbers."""
    for start, end in addresses(text):
        yield Found(start, end, _kind_of_address(text[start:end]))
    for kind, pattern in _NAMES:
        yield from (Found(name.start(), name.end(), kind) for name in pattern.finditer(text))


def _kind_of_address(address: str) -> Literal["link", "mail", "address"]:
    if address.startswith(("http://", "https://")):
        return "link"
    return "mail" if _MAIL.fullmatch(address) else "address"


def signs_in(text: str) -> Iterator[int]:
    """Yield the places behind the signs that begin a mention, a command, a tag."""
    return (sign.end() for sign in _SIGN.finditer(text))


def quiet(text: str) -> str:
    """Return words of which nothing can be clicked, by joiners alone."""
    places = {*signs_in(text), *(at for found in found_in(text) for at in found.joiners(text))}
    return WORD_JOINER.join(text[start:end] for start, end in pairwise(sorted({0, len(text), *places})))


def is_linkable(url: str | None) -> bool:
    """Tell whether Telegram takes an address for a link: it drops or refuses those whose host is none."""
    if not url or not url.startswith(("https://", "http://")) or len(url) > MAX_URL_CHARACTERS:
        return False
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return ("." in host.strip(".") or ":" in host) and _HOST_NAME.fullmatch(host) is not None
