"""Lines that stand for another file: how each generator of documentation writes them, and which file they mean."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

# A line that is longer, or a longer path, includes nothing.
MAX_LINE_CHARACTERS = 2_000
MAX_PATH_CHARACTERS = 500
# Files that become part of a page as text; what else is included is shown as code.
_TEXTS = frozenset({".md", ".markdown", ".mdown", ".mkd", ".mdx", ".txt", ".text", ".html", ".htm", ""})
_OUTSIDE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|[^\n]*[\\\x00-\x1f\x7f]")

# What stands before an include is repeated before each included line, a list marker as blanks.
_PREFIX = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?")
# Without it no line includes anything.
TRIGGER = re.compile(r"\{(?:include\(|[!*%])|8<-|:::|@include|!include|<<<", re.IGNORECASE)
# {include(/ru/_includes/x.md)[tags=a,b]}, as VK's portal and others of its family write it.
INLINE = re.compile(r"(?<!`)\{include\((?P<path>[^{}()\n]*)\)(?:\[(?P<options>[^\[\]{}\n]*)\])?\}")
# Words of a sentence are no path: it has a dot or a slash, or stands in quotes.
_NAMED = r"(?P<quoted>\"[^\"\n]+\"|'[^'\n]+'|(?=\S{0,500}[./])[^\s\"'<>()]+)"
_FORMS = tuple(
    re.compile(form)
    for form in (
        INLINE.pattern,
        # mkdocs: markdown-include and mdx_include.
        r"\{!>?(?P<quoted>[^{}\n]*)!\}",
        # FastAPI's mdx_include: {* file ln[1:5] hl[2] *}
        r"\{\*(?P<code>[^{}\n]*)\*\}",
        # PyMdown Extensions, Snippets: a file, lines of it, or a section.
        r"-{1,9}8<-{1,9}[ \t]+\"(?P<snippet>[^\"\n]+)\"",
        r"-{1,9}8<-{1,9}[ \t]+'(?P<snippet>[^'\n]+)'",
        # Jekyll, Jinja and mkdocs-include-markdown.
        r"\{%-?[ \t]*(?P<tag>include(?:_relative|[-_]markdown)?)[ \t]+(?P<quoted>[^{}%\n]*)%\}",
        rf":::[ \t]?include[ \t]+{_NAMED}(?:[ \t]*:::)?",
        # VitePress and others.
        rf"(?:<!--[ \t]*)?@include(?::[ \t]*|[ \t]+|\([ \t]*){_NAMED}[ \t]*\)?(?:[ \t]*-->)?",
        r"<<<[ \t]*@?(?P<code>\.{0,2}/[^\n]+)",
        # Azure DevOps and DocFX.
        r"(?i:!include)[ \t]+(?P<quoted>[\"'][^\n]+)",
        r"\[(?i:!include)[ \t]*\[[^\[\]\n]*\][ \t]*\((?P<quoted>[^()\n]+)\)[ \t]*\]",
    )
)
_IN_CODE = ("code", "quoted", "snippet")
_BOUND = re.compile(r"\b(start|end)[ \t]*=[ \t]*([\"'])([^\"'\n]+)\2")
_LINES = re.compile(r"\[?\bln[\[:]?[ \t]*(?P<ranges>[\d:,\- ]{1,200})\]")
_RANGE = re.compile(r"(?P<first>\d{1,7})?(?P<to>[:-])?(?P<last>\d{1,7})?")
_SNIPPET = re.compile(r"(?P<path>[^:]+)(?::(?P<first>\d{0,7})(?::(?P<last>\d{1,7}))?|:(?P<section>[^:]+))?")


@dataclass(frozen=True, slots=True)
class Include:
    """What a line includes: `path` as it is written; `lines` from 1, with both ends, or a section, or tagged parts."""

    path: str
    is_code: bool = False
    tags: frozenset[str] = frozenset()
    section: str = ""
    lines: tuple[tuple[int, int], ...] = ()
    # Words in the file between which the included part stands.
    bounds: tuple[str, str] = ("", "")
    # Besides the including file's folder: where generators of this form look.
    folders: tuple[str, ...] = ("",)


@dataclass(frozen=True, slots=True)
class Included:
    """An include and what its line has before it."""

    prefix: str
    include: Include

    @property
    def indentation(self) -> str:
        """What the second and all later lines begin with."""
        return "".join(character if character in " \t>" else " " for character in self.prefix)


def include_in(line: str, *, is_code: bool) -> Included | None:
    """Return what a whole line includes; between fences only forms that include code are looked for."""
    if len(line) > MAX_LINE_CHARACTERS:
        return None
    prefix = line[: len(line) - len(line.lstrip())] if is_code else _prefix(line)
    written = line[len(prefix) :].rstrip().removeprefix(";")
    for form in _FORMS[1:] if is_code else _FORMS:
        found = form.fullmatch(written)
        if found is not None and (include := _include(found.groupdict())).path:
            return Included(prefix, include)
    return None


def _prefix(line: str) -> str:
    found = _PREFIX.match(line)
    return found[0] if found else ""


def _include(found: dict[str, str | None]) -> Include:
    if path := found.get("path"):
        return Include(path.strip(), tags=tags_in(found.get("options") or ""), folders=())
    if snippet := found.get("snippet"):
        return _snippet(snippet.strip())
    written = (found.get("code") or found.get("quoted") or "").strip()
    path = _unquoted(written)
    folders = ("_includes", "") if found.get("tag") == "include" else ("",)
    is_code = found.get("code") is not None or not _is_text(path)
    bounds = {name: value for name, _, value in _BOUND.findall(written)}
    between = (bounds.get("start", ""), bounds.get("end", ""))
    return Include(path, is_code, lines=_ranges(written), bounds=between, folders=folders)


def tags_in(options: str) -> frozenset[str]:
    """Return the tags that an include's options select."""
    for option in options.split(";"):
        name, _, value = option.partition("=")
        if name.strip() in ("tags", "tag"):
            return frozenset(tag for part in value.split(",") if (tag := part.strip()))
    return frozenset()


def _unquoted(written: str) -> str:
    """Return the path at the beginning of what is written, in quotes or up to the first blank."""
    if written[:1] in ("'", '"'):
        return written[1:].partition(written[0])[0].strip()
    return written.partition(" ")[0].partition("{")[0].rstrip(")")


def _snippet(written: str) -> Include:
    found = _SNIPPET.fullmatch(written)
    if found is None or not found["path"]:
        return Include(written)
    path, section = found["path"], found["section"] or ""
    first, last = found["first"], found["last"]
    lines = ((int(first or 1), int(last or 10**7)),) if first or last else ()
    return Include(path, not _is_text(path), section=section, lines=lines)


def _ranges(written: str) -> tuple[tuple[int, int], ...]:
    found = _LINES.search(written)
    return tuple(_range(part) for part in found["ranges"].split(",") if part.strip()) if found else ()


def _range(written: str) -> tuple[int, int]:
    found = _RANGE.fullmatch(written.strip())
    if found is None:
        return (1, 0)
    first = int(found["first"] or 1)
    return (first, int(found["last"] or 10**7) if found["to"] else first)


def _is_text(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in _TEXTS


def places(include: Include, including: str, roots: Sequence[str]) -> list[str]:
    """Return the paths from the source's root at which an included file may be, best first; none if all lie outside.

    A path from the root is looked for below each of `roots`, another one in the including file's folder and then in
    those where generators of its form look. Nothing is decoded, and what is hidden cannot be included.
    """
    if not include.path or len(include.path) > MAX_PATH_CHARACTERS or _OUTSIDE.match(include.path):
        return []
    return list(dict.fromkeys(path for path in _candidates(include, including, roots) if path))


def _candidates(include: Include, including: str, roots: Sequence[str]) -> Iterator[str | None]:
    written = include.path
    if written.startswith("/"):
        yield from (within(root, written.lstrip("/")) for root in roots)
        return
    yield within(including.rpartition("/")[0], written)
    for folder in include.folders:
        # mkdocs resolves from the folder that it was started in, which is one of those above.
        inside = written if folder else _without_steps_up(written)
        yield from (within(f"{root}/{folder}".strip("/"), inside) for root in roots)


def _without_steps_up(path: str) -> str:
    while path.startswith(("../", "./")):
        path = path.partition("/")[2]
    return path


def within(folder: str, written: str) -> str | None:
    """Return the path that a relative path means, from the root; None if it leads out or to what is hidden."""
    parts = [part for part in folder.split("/") if part]
    for part in written.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) if parts and not any(part.startswith(".") for part in parts) else None
