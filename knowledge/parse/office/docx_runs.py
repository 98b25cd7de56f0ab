"""The visible text of a paragraph in a Word document."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from knowledge.parse.office.docx_styles import Style, Styles, attribute, child, is_on

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

ALTERNATIVES = "AlternateContent"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
# Never shown: deleted and moved text, field codes, comments, phonetic guides.
_UNSEEN = frozenset({"del", "moveFrom", "delText", "instrText", "delInstrText", "rt", "pPr", "rPr", "sdtPr", "object"})
_CHARACTERS = {"tab": "\t", "ptab": "\t", "cr": "\n", "noBreakHyphen": "-"}

Note = tuple[str, str, int]
"""What it is, its id, and the number that it is shown with."""


class Runs:
    """Reads paragraphs in order, and keeps the text boxes and notes met in them until they are taken."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._boxes: list[Element] = []
        self._notes: list[Note] = []
        self._note_count = 0
        # Of each open field, whether what stands here is shown: its result, not its code.
        self._fields: list[bool] = []

    def text(self, paragraph: "Element", style: Style, *, is_on_paper: bool) -> str:
        """Return the text that is seen, with line ends."""
        text = "".join(self._pieces(paragraph, style, is_on_paper))
        # A field whose code ends nowhere must not hide the rest of the document.
        self._fields = [is_shown for is_shown in self._fields if is_shown]
        return text

    def taken(self) -> tuple[list["Element"], list[Note]]:
        """Return the text boxes and the notes since the last time."""
        boxes, notes = self._boxes, self._notes
        self._boxes, self._notes = [], []
        return boxes, notes

    def _pieces(self, element: "Element", style: Style, is_on_paper: bool) -> Iterator[str]:
        for inner in element:
            tag = tag_of(inner)
            if tag in _UNSEEN:
                continue
            if tag == "r" and self._styles.is_hidden(child(inner, "rPr"), style, is_on_paper=is_on_paper):
                self._follow_fields(inner)
            elif tag == "txbxContent":
                self._boxes.append(inner)
            elif tag == "sdt" and is_on(child(child(inner, "sdtPr"), "showingPlcHdr")):
                continue
            elif tag == ALTERNATIVES:
                for choice in chosen(inner):
                    yield from self._pieces(choice, style, is_on_paper)
            elif len(inner) or tag in ("r", "hyperlink"):
                yield from self._pieces(inner, style, is_on_paper)
            else:
                yield self._leaf(inner, tag)

    def _follow_fields(self, run: "Element") -> None:
        for inner in run:
            self._leaf(inner, tag_of(inner))

    def _leaf(self, element: "Element", tag: str) -> str:
        if tag == "fldChar":
            self._field(attribute(element, "fldCharType"))
            return ""
        if not all(self._fields):
            return ""
        if tag == "t":
            return element.text or ""
        if tag in ("footnoteReference", "endnoteReference"):
            return self._note(tag.removesuffix("Reference"), attribute(element, "id"))
        if tag == "br":
            return "\n" if attribute(element, "type") in ("", "textWrapping") else " "
        return _CHARACTERS.get(tag, "")

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(False)
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _note(self, kind: str, note_id: str) -> str:
        self._note_count += 1
        self._notes.append((kind, note_id, self._note_count))
        return f"[{self._note_count}]"


def chosen(alternatives: "Element") -> Iterable["Element"]:
    """Return the one of several forms of the same content that is read: the first, or what old programs read."""
    choices = [choice for choice in alternatives if tag_of(choice) in ("Choice", "Fallback")]
    return choices[:1]


def tag_of(element: "Element") -> str:
    """Return an element's name without its namespace; "" for a comment or an instruction."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def tag_of_next(element: "Element") -> str:
    """Return the name of the element behind another."""
    following = element.getnext()
    return "" if following is None else tag_of(following)
