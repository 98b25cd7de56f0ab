"""The addresses in a text: everything that some client turns into a link, with a scheme or without one."""

import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib import resources
from urllib.parse import urlsplit

# Ends of hosts that are known far better as the ends of files. `README.md` stays as it is, for people copy it; whoever
# shows it where a client would link it has to mark it as code.
_FILES = frozenset({"md", "py", "sh", "rs", "pl", "zip", "mov"})
# Full stops of other scripts, which browsers read as dots, and what becomes one in its plain form.
_DOT = "[.。．｡․﹒]"
_LABEL = r"\w[\w-]*+"
_NAMED_SCHEMES = "javascript|vbscript|data|mailto|tel|sms|tg|ton|callto|skype|facetime|magnet|sip|xmpp|bitcoin|ethereum"
# The beginning of an address, or a name with dots that may be one; each text is read once, however long it is.
_BEGINNING = re.compile(
    rf"(?P<scheme>[a-z][a-z0-9+.-]{{0,20}}:/{{2,}}|(?<!\w)www{_DOT}(?=\w)|(?<!\w)(?:{_NAMED_SCHEMES}):)(?=[^\s<>])"
    rf"|(?P<mail>(?<![\w.。．｡․﹒+-])[\w.。．｡․﹒+-]++(?:[@＠﹫]{_LABEL}(?:{_DOT}{_LABEL})*+)++)"
    rf"|(?P<name>(?<![\w-])-*+{_LABEL}(?:{_DOT}{_LABEL})++)",
    re.IGNORECASE,
)
_REST = re.compile(r"[^\s<>]*+")
_PATH = re.compile(r"(?:[:/?#\\][^\s<>]*+)?")
_OPENS_PATH = re.compile(r"/|\?\w+=")
_WORD = re.compile(r"[a-z]{2,24}", re.IGNORECASE)
# What closes the sentence or the quote around an address.
_CLOSING = ".,;:!?)]}>»”’\"'`*_|"
_SCHEME = re.compile(rf"(?:[a-z][a-z0-9+.-]{{0,20}}:/{{2,}}|(?<!\w)(?:{_NAMED_SCHEMES}):)(?=.)", re.IGNORECASE)
_AT = re.compile(r"(?<=\S)[@＠﹫]+(?=\S)")
# Many clients end a host where another script begins, or take its full stop for no dot.
_LATIN_NAME = re.compile(r"[a-z0-9_-]++(?:\.[a-z0-9_][a-z0-9_-]*+)+", re.IGNORECASE)


def addresses(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the addresses of a text begin and end, without what closes the sentence around them."""
    position = 0
    while found := _BEGINNING.search(text, position):
        position = found.end()
        if not _is_address(found):
            continue
        rest = (_REST if found["scheme"] else _PATH).match(text, position)
        position = rest.end() if rest else position
        yield found.start(), found.start() + len(text[found.start() : position].rstrip(_CLOSING))


def _is_address(found: re.Match[str]) -> bool:
    follows = found.string[found.end() : found.end() + 3]
    if found["scheme"] or follows == "://":
        return True
    if found["mail"]:
        # `ann@server` is nowhere that clients write to.
        user, domain = _AT.split(found["mail"], maxsplit=1)
        return re.search(_DOT, domain) is not None or _is_host(user, has_path=False)
    return _is_host(found["name"], has_path=_OPENS_PATH.match(found.string, found.end()) is not None)


def _is_host(name: str, *, has_path: bool) -> bool:
    """Tell whether clients take a name with dots, or a part of it, for a host."""
    parts = [name, *_LATIN_NAME.findall(name)]
    return any(_ends_as_host(re.split(_DOT, part.lower()), has_path=has_path) for part in parts)


def _ends_as_host(labels: Sequence[str], *, has_path: bool) -> bool:
    if len(labels) == 1 or (len(labels) == 2 and labels[1] in _FILES and not has_path):
        return False
    is_known = labels[-1] in _endings() or labels[-1].startswith("xn--")
    return is_known or (has_path and _WORD.fullmatch(labels[-1]) is not None)


@cache
def _endings() -> frozenset[str]:
    table = tomllib.loads((resources.files("bot.core") / "domains.toml").read_text(encoding="utf-8"))
    return frozenset(" ".join(table.values()).split())


def hosts_of(text: str) -> Iterator[str]:
    """Yield the hosts that the links of a text lead to."""
    for start, end in addresses(text):
        try:
            yield urlsplit(text[start:end]).hostname or ""
        except ValueError:
            continue


def leads_to(address: str, hosts: Collection[str]) -> bool:
    """Tell whether an address, read as a browser or a mail client does, leads to one of the hosts and nowhere else."""
    name, _, domain = address.removeprefix("mailto:").partition("@")
    if name.isascii() and re.fullmatch(r"[\w.+-]+", name) and domain:
        return any(host == domain.lower() or host.endswith(f".{domain.lower()}") for host in hosts)
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return False
    is_plain = "@" not in parts.netloc and "\\" not in address
    return is_plain and parts.scheme in ("http", "https") and host in hosts


def defused(address: str) -> str:
    """Return an address that a person can read and no client opens."""
    bare = re.sub(r":/{2,}", ":/", _SCHEME.sub("", address))
    host, slash, path = bare.partition("/")
    return re.sub(_DOT, "[.]", f"{_AT.sub(' at ', host)}{slash}{path.lstrip('/')}")
