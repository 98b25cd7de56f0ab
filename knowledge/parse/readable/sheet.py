"""The readable text of a page as it grows: pieces with blank lines between them, and the blocks made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from knowledge.types import Block, Parsed

# A list item or a table row up to this length is one block; of a longer one, each paragraph and cell is.
WHOLE_CHARACTERS = 800


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of text of one kind; `margin` stands before its first line, `hang` before the others."""

    kind: str
    text: str
    level: int = 0
    anchor: str | None = None
    margin: str = ""
    hang: str = ""

    @property
    def shown(self) -> str:
        """The text with its margin; code stands at the left edge, as it was written."""
        if self.kind == "code":
            return self.text
        return self.margin + self.text.replace("\n", f"\n{self.hang}")


class Sheet:
    """Collects a page; what is added in one group stands on lines that follow each other, the rest apart."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._blocks: list[Block] = []
        self._length = 0
        self._group: int | None = None
        self._resumed: Part | None = None

    @property
    def count(self) -> int:
        """How many blocks there are."""
        return len(self._blocks)

    def add(self, part: Part, *, group: int | None = None, seen: str | None = None, context: str = "") -> None:
        """Add a part as a block; `seen` is what is searched when that is not the text itself."""
        shown = part.shown
        if self._pieces:
            self._put("\n" if group is not None and group == self._group else "\n\n")
        # An inner list item is moved to the right; the white space before it belongs to no block.
        start = self._length + len(shown) - len(shown.lstrip(" ") if part.kind != "code" else shown)
        self._put(shown)
        self._group = group
        if self._resumed and part.kind != "heading":
            above = self._resumed
            self._blocks.append(Block("heading", start, start, above.text, above.level, above.anchor))
        self._resumed = None
        text = seen or (shown if part.kind == "code" else shown.strip())
        self._blocks.append(Block(part.kind, start, self._length, text, part.level, part.anchor, context))

    def add_together(self, parts: Sequence[Part], *, group: int) -> None:
        """Add the parts of one list item: as one block when it is short, else each on its own."""
        if len(parts) == 1 or sum(len(part.text) for part in parts) > WHOLE_CHARACTERS:
            for part in parts:
                self.add(part, group=group)
        elif parts:
            anchor = next((part.anchor for part in parts if part.anchor), None)
            self.add(Part("item", "\n".join(part.shown for part in parts), anchor=anchor), group=group)

    def resume(self, heading: Part) -> None:
        """Let what follows stand under a heading above once more, unless it is a heading itself."""
        self._resumed = heading

    def add_context(self, first: int, context: str) -> None:
        """Say before the context of each table row from a block on what else is to be known of it."""
        for number in range(first, len(self._blocks)):
            block = self._blocks[number]
            if block.kind in ("header", "row"):
                known = "\n".join(filter(None, (context, block.context)))
                self._blocks[number] = replace(block, context=known)

    def parsed(self, blocks: slice, metadata: Mapping[str, object]) -> Parsed:
        """Return what was added, or some of its blocks with the text around them."""
        text, found = "".join(self._pieces), self._blocks[blocks]
        first = found[0].start if found and blocks.start else 0
        last = found[-1].end if found else 0
        if first:
            found = [replace(block, start=block.start - first, end=block.end - first) for block in found]
        return Parsed(text[first:last], tuple(found), metadata, keeps_lines=False)

    def _put(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)
