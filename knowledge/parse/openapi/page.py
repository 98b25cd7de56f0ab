"""The readable text of an API description as it grows, within its limits."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from knowledge.parse import markdown
from knowledge.parse.openapi.values import Value, clipped, visible
from knowledge.parse.readable.sheet import Part
from knowledge.types import Block, Parsed

# What one description becomes at most; then what follows is left out and reported.
MAX_TEXT_CHARACTERS = 8_000_000
# What one operation or schema becomes at most.
MAX_SECTION_CHARACTERS = 24_000
# A longer description is cut: of the whole API or an operation, and of anything inside of one.
MAX_PROSE_CHARACTERS = 20_000
MAX_INLINE_CHARACTERS = 2_000
# Of a longer description the rest is not even read.
_MAX_READ_CHARACTERS = 60_000
_INDENT = "  "
_MARKED = re.compile(r"[<>&*_`#\[\]\\|~!]|\n[ \t\r]*\n|^[ \t]*(?:[-+=]|\d+[.)])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of a list and how deep it stands."""

    text: str
    depth: int = 0


class Page:
    """Collects headings, descriptions and lists; what does not fit any more is left out and counted."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._blocks: list[Block] = []
        self._length = 0
        self._section_length = 0
        self._group = 0
        self._last_group: int | None = None
        self._anchors: dict[str, int] = {}
        self._has_cut_section = False

    @property
    def is_full(self) -> bool:
        """Whether nothing more fits."""
        return self._length >= MAX_TEXT_CHARACTERS

    @property
    def problems(self) -> list[str]:
        """What was left out, each a sentence with its remedy."""
        problems = []
        if self._has_cut_section:
            problems.append(
                f"operations or schemas of more than {MAX_SECTION_CHARACTERS:,} characters when written out are cut"
                " there; split them"
            )
        if self.is_full:
            problems.append(
                f"more than {MAX_TEXT_CHARACTERS:,} characters when written out; the rest is left out, split the file"
            )
        return problems

    def heading(self, text: str, level: int, anchor: str) -> None:
        """Begin a section; its anchor is made one of its kind."""
        if not self.is_full:
            self._section_length = 0
            self._put(Part("heading", text, level, self._own_anchor(anchor)), group=None, context="")

    def paragraph(self, text: str) -> None:
        """Add a paragraph."""
        self._add(Part("paragraph", text))

    def prose(self, description: Value, *, heading_level: int | None = None) -> None:
        """Add a description written in Markdown as a reader sees it; its headings are sections only below a level."""
        for block in _blocks(description, MAX_PROSE_CHARACTERS):
            if block.kind == "heading" and heading_level is not None:
                self.heading(block.text, heading_level + block.level, block.anchor or slug(block.text))
            elif block.kind == "item":
                self._add(Part("item", block.text, margin="- ", hang=_INDENT))
            else:
                self._add(Part("code" if block.kind == "code" else "paragraph", block.text))

    def listed(self, lines: Iterable[Line], *, label: str = "", context: str = "") -> None:
        """Add list entries under a label, which is left out with them when there are none."""
        self._group += 1
        for line in lines:
            if label:
                self._add(Part("paragraph", label), group=self._group)
            label = ""
            margin = _INDENT * line.depth
            part = Part("item", line.text, margin=f"{margin}- ", hang=f"{margin}{_INDENT}")
            if not self._add(part, group=self._group, context=context):
                return

    def parsed(self, title: str, problems: Sequence[str]) -> Parsed:
        """Return what was added."""
        metadata = {"title": title}
        return Parsed("".join(self._pieces), tuple(self._blocks), metadata, keeps_lines=False, problems=tuple(problems))

    def _add(self, part: Part, *, group: int | None = None, context: str = "") -> bool:
        """Add a part unless its section or the page is full; tell whether more may follow."""
        if self.is_full or self._section_length >= MAX_SECTION_CHARACTERS:
            return False
        if part.text.strip():
            self._put(part, group=group, context=context)
        if self._section_length >= MAX_SECTION_CHARACTERS:
            self._has_cut_section = True
            self._put(Part("paragraph", "…"), group=None, context="")
        return True

    def _put(self, part: Part, *, group: int | None, context: str) -> None:
        """Add a part, on the next line when it is of the group of the one above, else apart from it."""
        is_below = group is not None and group == self._last_group
        between = "" if not self._pieces else "\n" if is_below else "\n\n"
        shown, self._last_group = part.shown, group
        margin = 0 if part.kind == "code" else len(shown) - len(shown.lstrip(" "))
        start = self._length + len(between) + margin
        self._pieces += [between, shown]
        self._length += len(between) + len(shown)
        self._section_length += len(shown)
        self._blocks.append(Block(part.kind, start, self._length, shown[margin:], part.level, part.anchor, context))

    def _own_anchor(self, wanted: str) -> str:
        anchor = wanted
        while anchor in self._anchors:
            self._anchors[wanted] += 1
            anchor = f"{wanted}-{self._anchors[wanted]}"
        self._anchors[anchor] = 1
        return anchor


def inline(description: Value) -> str:
    """Return a description as it is read inside of a list entry."""
    return "\n".join(block.text for block in _blocks(description, MAX_INLINE_CHARACTERS))


def first_sentence(description: Value, limit: int) -> str:
    """Return how a description begins: its first sentence or line."""
    opening = next((block.text for block in _blocks(description, MAX_INLINE_CHARACTERS) if block.kind != "code"), "")
    line = opening.split("\n", 1)[0]
    return clipped(re.split(r"(?<=[.!?])\s", line, maxsplit=1)[0].rstrip("."), limit)


def slug(text: str) -> str:
    """Return a text as the name of a place: POST /pets → post-pets."""
    return "-".join(re.findall(r"\w+", text.lower()))[:100] or "section"


def _blocks(description: Value, limit: int) -> Iterator[Block]:
    """Yield the visible blocks of a description, as many characters as are allowed."""
    if not isinstance(description, str):
        return
    for block in _marked(description) if _MARKED.search(description, 0, _MAX_READ_CHARACTERS) else _plain(description):
        if limit <= 0:
            return
        text = clipped(visible(block.text).strip(), limit)
        limit -= len(text)
        if text:
            yield Block(block.kind, 0, 0, text, block.level, block.anchor)


def _plain(description: str) -> list[Block]:
    return [Block("paragraph", 0, 0, " ".join(description[:_MAX_READ_CHARACTERS].split()))]


def _marked(description: str) -> list[Block]:
    read = description[:_MAX_READ_CHARACTERS]
    if len(read) < len(description) and (start := read.rfind("<!--")) > read.rfind("-->"):
        read = read[:start]
    # The line above keeps a rule that begins the description from being read as the start of front matter.
    return [block for block in markdown.parse(f"\n{read}").blocks if block.kind != "header"]
