"""Directives in braces within a line of Markdown: what a reader sees of them, which is mostly nothing.

Directives nest; the inner ones are read first. Names in braces that are no directive (`{item_id}`) stay.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from knowledge.types import Span

# What is longer is text between two braces, not a directive.
_MAX_DIRECTIVE_CHARACTERS = 2_000
_BRACE = re.compile(r"[{}]")
_NAME = re.compile(r"[A-Za-z][\w-]*")
_OPTIONS = re.compile(r"\)\s*\[(?=[\w-]+=)")
_NEXT_OPTION = re.compile(r";\s*(?=[\w-]+=)")
_ATTRIBUTES = re.compile(r"""[:\s]*(?:(?:[.#][^\s{}.#="']+|[\w:-]+=(?:"[^"]*"|'[^']*'|[^\s"']+))\s*)+""")
_PLACED_BEFORE_ATTRIBUTES = frozenset(")]`*_>")
_NO_CALL_BEHIND = frozenset("$#%\\@^_")
_CLOSINGS = frozenset({"cut", "tab", "tabs", "note", "ifdef", "ifndef", "includetag", "caption", "heading"})
_QUOTED = re.compile(r"[\"']([^\"']+)[\"']")
_LINK_TAGS = ("ref ", "relref ", "link ", "post_url ")
_NUMBERING = re.compile(r"^[\s.]*\.\s+|^\s+|\s+$")
_SPACES = re.compile(r" {2,}")


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it is shown, and the anchors that stood in it."""

    text: str
    anchors: tuple[str, ...] = ()


@dataclass(slots=True)
class _Scan:
    """What has been read of one line."""

    headings: Mapping[str, str]
    pieces: list[str] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    # Of each open brace: its place among the pieces, and how many characters stand before it.
    opened: list[tuple[int, int]] = field(default_factory=list)
    characters: int = 0

    def add(self, piece: str) -> None:
        """Go on with a piece of text."""
        if piece:
            self.pieces.append(piece)
            self.characters += len(piece)


def shown_line(line: str, code: Sequence[Span], headings: Mapping[str, str]) -> Line:
    """Return a line without directives; `code` stays as it is, `headings` are the page's own by their anchor."""
    scan = _Scan(headings)
    position, spans = 0, list(reversed(code))
    for match in _BRACE.finditer(line):
        start = match.start()
        while spans and spans[-1][1] <= start:
            spans.pop()
        if (spans and spans[-1][0] <= start) or (start and line[start - 1] == "\\"):
            continue
        scan.add(line[position:start])
        position = start + 1
        if match[0] == "{":
            scan.opened.append((len(scan.pieces), scan.characters))
            scan.add("{")
        else:
            _close(scan, line[position : position + 1])
    scan.add(line[position:])
    text = "".join(scan.pieces)
    return Line(line if text == line else _laid_out(text, line), tuple(scan.anchors))


def _laid_out(text: str, line: str) -> str:
    """Return what is left at the place at which the line began."""
    shown = text.strip()
    return line[: len(line) - len(line.lstrip())] + shown if shown else ""


def _close(scan: _Scan, following: str) -> None:
    if not scan.opened:
        scan.add("}")
        return
    index, before = scan.opened.pop()
    if scan.characters - before > _MAX_DIRECTIVE_CHARACTERS:
        scan.add("}")
        return
    content = "".join(scan.pieces[index:])[1:]
    del scan.pieces[index:]
    scan.characters = before
    preceding = scan.pieces[-1][-1] if scan.pieces else ""
    shown = _shown(content, preceding, scan)
    scan.add(f"{{{content}}}" if shown is None else shown)
    if shown == "" and preceding == " " and following in ("", " ") and scan.pieces[-1].strip():
        scan.pieces[-1] = scan.pieces[-1][:-1]
        scan.characters -= 1


def _shown(content: str, preceding: str, scan: _Scan) -> str | None:
    """Return what a reader sees of a directive; None for what is no directive."""
    if preceding and preceding in _PLACED_BEFORE_ATTRIBUTES and _ATTRIBUTES.fullmatch(content):
        return ""
    if name := _NAME.match(content):
        return _call(name[0], content[name.end() :], preceding, scan)
    return _shown_tag(content, preceding) if len(content) > 1 else None


def _shown_tag(content: str, preceding: str) -> str | None:
    match content[0], content[-1]:
        case ("%", "%") if preceding == "{":
            return None
        case ("%", "%") | ("{", "}"):
            return _template_tag(content.strip("{}<>%-~ "))
        case ("*", "*") | ("!", "!"):
            return "" if len(content) > len("**") and _is_include(content) else None
        case ("#", "#"):
            return ""
        case ("/", last):
            return "" if _is_closing(content[1:], last, preceding) else None
        case _:
            return None


def _template_tag(content: str) -> str:
    """Return nothing, but for the address that a tag stands for in a link."""
    target = _QUOTED.search(content)
    if content.startswith(_LINK_TAGS):
        return target[1] if target else content.split()[-1]
    return ""


def _is_include(content: str) -> bool:
    inner = content[1:-1]
    return inner[0].isspace() or (" " not in inner and ("/" in inner or "." in inner))


def _is_closing(name: str, last: str, preceding: str) -> bool:
    if name.startswith("*"):
        return last == "*"
    is_name = _NAME.fullmatch(name) is not None
    return is_name and (name in _CLOSINGS or not (preceding.isalnum() or preceding in ("/", "}")))


def _call(name: str, rest: str, preceding: str, scan: _Scan) -> str | None:
    if (name == "tabs" and not rest) or (name == "note" and (not rest or rest.startswith((":", "(", "[")))):
        return ""
    if rest.startswith("[") and rest.endswith("]") and "=" in rest:
        return "" if preceding in (")", "]", "") or name == "params" else None
    if not rest.startswith("("):
        return None
    options_at = _OPTIONS.search(rest) if rest.endswith("]") else None
    if not options_at and not rest.rstrip().endswith(")"):
        return None
    arguments = rest[1 : options_at.start()] if options_at else rest.rstrip()[1:-1]
    options = _options(rest[options_at.end() : -1]) if options_at else {}
    if name in _KNOWN:
        return _KNOWN[name](arguments, options, scan)
    is_code = preceding in _NO_CALL_BEHIND or preceding.isalnum()
    return None if preceding and is_code else options.get("text", "")


def _options(written: str) -> dict[str, str]:
    pairs = (option.partition("=") for option in _NEXT_OPTION.split(written))
    return {key.strip(): value for key, _, value in pairs}


def _title(arguments: str, options: Mapping[str, str], scan: _Scan) -> str:
    if anchor := options.get("id", "").strip():
        scan.anchors.append(anchor)
    return _SPACES.sub(" ", _NUMBERING.sub("", arguments))


def _link(arguments: str, options: Mapping[str, str], scan: _Scan) -> str:
    target = arguments.strip()
    page, _, anchor = target.partition("#")
    name = scan.headings.get(anchor) or page.rstrip("/").rpartition("/")[2] or anchor
    text = options.get("text", "%text").replace("%text", name).replace("%number", "").strip()
    address = f"<{target}>" if any(sign in target for sign in " ()") else target
    return f"[{text or name}]({address})"


def _variable(arguments: str, options: Mapping[str, str], scan: _Scan) -> str:
    return arguments.strip()


def _nothing(arguments: str, options: Mapping[str, str], scan: _Scan) -> str:
    return ""


_KNOWN: Mapping[str, Callable[[str, Mapping[str, str], _Scan], str]] = {
    "heading": _title,
    "caption": _title,
    "cut": _title,
    "tab": _title,
    "linkto": _link,
    "var": _variable,
} | dict.fromkeys(
    ("const", "counter", "ifdef", "ifndef", "include", "includetag", "note", "substr", "tabs", "video"), _nothing
)
