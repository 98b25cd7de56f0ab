"""Lines of a Markdown page that only its site generator reads: each is recognised for what it does to the page."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from html import unescape

from knowledge.parse.html.hidden import hides
from knowledge.parse.html.markup import attributes_of


class Does(Enum):
    """What a line does: nothing that is shown, begins or ends a part, or begins one that its indentation ends."""

    NOTHING = "nothing"
    OPEN = "open"
    CLOSE = "close"
    INDENT = "indent"


@dataclass(frozen=True, slots=True)
class Mark:
    """One such line. `name` pairs a part's beginning with its end; a fold or tab is a part to be read on its own."""

    does: Does
    name: str = ""
    title: str = ""
    is_fold: bool = False
    is_tab: bool = False


# A longer line is text, whatever it begins with.
_MAX_MARK_CHARACTERS = 1_000
_FOLDS = frozenset({"details", "collapse", "expand", "faq", "accordion", "expandable", "spoiler", "expander"})
_TABS = frozenset({"tab", "tabitem", "tab-item"})
_SLASHES = re.compile(r"(/{3,})[ \t]*([\w-]*)[ \t]*(?:\|(.*))?")
_COLONS = re.compile(r"(:{3,})[ \t]*([\w-]*)[ \t]*(\[[^\]]*\])?[ \t]*(\{[^{}]*\})?(.*)")
_CALLOUT = re.compile(r"(!!!|\?\?\?\+?)[ \t]+([\w-]+(?:[ ][\w-]+)*)?[ \t]*(?:\"(.*)\")?")
_EQUALS = re.compile(r"===[!+]?[ \t]+[\"'](.*)[\"']")
_QUOTED_CALLOUT = re.compile(r"((?:>[ ]?)+)\[!([\w-]+)\][+-]?(.*)")
_BRACES = re.compile(r"\{(/?)(cut|tab|note|tabs)(?:\((.*)\)|:[\w-]+)?(?:\[[^\[\]]*\])?\}")
_TABLE_OF_CONTENTS = re.compile(r"\[TOC\]|\[\[_?TOC_?\]\]|\{:[ ]?toc\}|\[\[\[TOC\]\]\]", re.IGNORECASE)
_SNIPPET = re.compile(
    r";?-{1,}8<-{1,}.*|<<<[ ]?[@./\w].*|@\[code[^\]]*\]\(.*\)|@include:.*|\[!(?:INCLUDE|code)\b.*\]\(.*\)"
    r"|include::\S+\[.*\]|:::include\b.*|\{[{]?[*!][^{}]*[*!]\}?\}",
    re.IGNORECASE,
)
_IMPORT = re.compile(r"import\s+(?:[\w*{$][^'\"]*\sfrom\s+)?['\"][^'\"]+['\"]\s*;?")
_ATTRIBUTES_ALONE = re.compile(r"\{:?[ ]?[.#:][^{}]*\}")
_DETAILS = re.compile(r"<details\b([^<>]*)>(?:\s*<summary\b[^<>]*>(.*)</summary>)?", re.IGNORECASE)
_DETAILS_TAG = re.compile(r"<details\b([^<>]*)>", re.IGNORECASE)
_SUMMARY = re.compile(r"<summary\b([^<>]*)>(.*)</summary>", re.IGNORECASE)
_COMPONENT = re.compile(r"<(/?)([A-Z][\w.]*)((?:\s[^<>]*)?)>")
_TEMPLATE = re.compile(r"\{(?:%-?|\{[<%])\s*(/?)([\w-]+)(.*?)-?(?:%|[>%]\})\}")
_TITLE_OPTION = re.compile(r"(?:title|label|header|name|summary)=(\"[^\"]*\"|'[^']*')")
_QUOTED = re.compile(r"\"([^\"]+)\"")


def mark_of(line: str) -> Mark | None:
    """Tell what a line without its margin does; None for one that is shown."""
    read = _READERS.get(line[:1])
    return read(line.rstrip()) if read and len(line) <= _MAX_MARK_CHARACTERS else None


def quoted_callout(line: str) -> str:
    """Return a line as it is shown, without the mark of a callout (`> [!NOTE] Title`)."""
    match = _QUOTED_CALLOUT.fullmatch(line.rstrip()) if len(line) <= _MAX_MARK_CHARACTERS else None
    return f"{match[1]}{bold(match[3].strip())}".rstrip() if match else line


def hides_details(text: str) -> bool:
    """Tell whether a page hides one of its folds."""
    tags = _DETAILS_TAG.finditer(text) if "<details " in text else ()
    return any(hides("details", attributes_of(tag[1])) for tag in tags)


def bold(title: str) -> str:
    """Return a title that stands on its own line."""
    return f"**{title}**" if title and not set("*`<[") & set(title) else title


def signs_of(text: str) -> frozenset[str]:
    """Return with what a line of the text has to begin to be worth a look."""
    return _SIGNS.union(sign for sign, rest in _RARE_SIGNS.items() if rest in text)


def _slashes(line: str) -> Mark | None:
    match = _SLASHES.fullmatch(line)
    if not match:
        return None
    return _part(match[1], match[2], (match[3] or "").strip())


def _colons(line: str) -> Mark | None:
    if _SNIPPET.fullmatch(line):
        return Mark(Does.NOTHING)
    match = _COLONS.fullmatch(line)
    return _part(match[1], match[2], ((match[3] or "")[1:-1] or match[5]).strip()) if match else None


def _part(name: str, kind: str, title: str) -> Mark:
    if not kind and not title:
        return Mark(Does.CLOSE, name)
    kind = kind.lower()
    return Mark(Does.OPEN, name, title, is_fold=kind in _FOLDS, is_tab=kind in _TABS)


def _callout(line: str) -> Mark | None:
    match = _CALLOUT.fullmatch(line)
    if not match or not (match[2] or match[3]):
        return None
    return Mark(Does.INDENT, title=(match[3] or "").strip(), is_fold=line[0] == "?")


def _equals(line: str) -> Mark | None:
    match = _EQUALS.fullmatch(line)
    return Mark(Does.INDENT, title=match[1].strip(), is_tab=True) if match else None


def _braces(line: str) -> Mark | None:
    if match := _BRACES.fullmatch(line):
        does = Does.CLOSE if match[1] else Does.OPEN
        name, title = match[2], (match[3] or "").strip()
        return Mark(does, name, title, is_fold=name == "cut", is_tab=name == "tab")
    if _SNIPPET.fullmatch(line) or _TABLE_OF_CONTENTS.fullmatch(line) or _ATTRIBUTES_ALONE.fullmatch(line):
        return Mark(Does.NOTHING)
    match = _TEMPLATE.fullmatch(line)
    return _template(match[2], bool(match[1]), match[3]) if match else None


def _template(name: str, is_end: bool, rest: str) -> Mark | None:
    kind = name.lower()
    if is_end or kind.startswith("end"):
        return Mark(Does.CLOSE, f"%{kind.removeprefix('end')}")
    title = _title_in(rest)
    is_fold, is_tab = kind in _FOLDS, kind in _TABS
    return Mark(Does.OPEN, f"%{kind}", title, is_fold, is_tab) if is_fold or is_tab else None


def _title_in(options: str) -> str:
    named = _TITLE_OPTION.search(options)
    quoted = _QUOTED.search(options)
    return named[1][1:-1].strip() if named else quoted[1].strip() if quoted else ""


def _brackets(line: str) -> Mark | None:
    is_mark = _TABLE_OF_CONTENTS.fullmatch(line) or _SNIPPET.fullmatch(line)
    return Mark(Does.NOTHING) if is_mark else None


def _snippet(line: str) -> Mark | None:
    return Mark(Does.NOTHING) if _SNIPPET.fullmatch(line) else None


def _import(line: str) -> Mark | None:
    return Mark(Does.NOTHING) if _IMPORT.fullmatch(line) or _SNIPPET.fullmatch(line) else None


def _element(line: str) -> Mark | None:
    if line.lower() == "</details>":
        return Mark(Does.CLOSE, "details")
    if match := _DETAILS.fullmatch(line):
        return Mark(Does.OPEN, "details", (match[2] or "").strip(), is_fold=True)
    if match := _SUMMARY.fullmatch(line):
        is_hidden = hides("summary", attributes_of(match[1]))
        return None if is_hidden else Mark(Does.OPEN, "summary", match[2].strip(), is_fold=True)
    if match := _COMPONENT.fullmatch(line):
        return _component(match[2].lower(), bool(match[1]), match[3])
    return _snippet(line)


def _component(name: str, is_end: bool, attributes: str) -> Mark | None:
    if is_end:
        return Mark(Does.CLOSE, f"<{name}")
    if hides(name, attributes_of(attributes)):
        return None
    if attributes.endswith("/"):
        return Mark(Does.NOTHING)
    title = unescape(_title_in(attributes)) if _TITLE_OPTION.search(attributes) else ""
    return Mark(Does.OPEN, f"<{name}", title, is_fold=name in _FOLDS, is_tab=name in _TABS)


_READERS: Mapping[str, Callable[[str], Mark | None]] = {
    "/": _slashes,
    ":": _colons,
    "!": _callout,
    "?": _callout,
    "=": _equals,
    "{": _braces,
    "[": _brackets,
    "<": _element,
    "@": _snippet,
    ";": _snippet,
    "-": _snippet,
    "i": _import,
}
_SIGNS = frozenset("/:!?={[<@;i.~")
# Many lines begin with these: they are worth a look only in pages that hold the rest of the mark.
_RARE_SIGNS = {"-": "8<-", "|": "|===", ">": "[!"}
