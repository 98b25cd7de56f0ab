"""Word documents to what they show: headings, paragraphs, lists, tables, notes.

Comments, deleted and hidden text, the table of contents and what repeats on every page are left out; tracked insertions
are in. Read in a process of its own (`knowledge.parse.office.confined`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from knowledge.parse.office.confined import read_confined
from knowledge.parse.office.docx_numbers import Numbers
from knowledge.parse.office.docx_runs import ALTERNATIVES, Runs, chosen, tag_of, tag_of_next
from knowledge.parse.office.docx_styles import Styles, attribute, child
from knowledge.parse.office.docx_tables import Cell, rows_of
from knowledge.parse.office.package import opened
from knowledge.parse.readable import ReadableText
from knowledge.types import Document, Parsed

if TYPE_CHECKING:
    from docx.opc.part import Part
    from lxml.etree import _Element as Element

_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_BULLET = "- "
# Around blocks: content controls, custom XML, tracked insertions.
_WRAPPERS = frozenset({"sdtContent", "customXml", "ins", "moveTo", "smartTag"})


def parse_document(document: Document) -> Parsed:
    """Parse a Word document; raise SourceProblem when it cannot be read."""
    return read_confined(__name__, document.content)


def read(content: bytes) -> Parsed:
    """Read a Word document, in a process that is confined; a damaged one raises anything."""
    import docx

    document = docx.Document(opened(content))
    main = document.part
    styles = Styles.of(document.styles.element)
    body = _Body(
        page=ReadableText(),
        styles=styles,
        numbers=Numbers(_related(main, "numbering")),
        runs=Runs(styles),
        notes={name: _notes(_related(main, f"{name}s"), name) for name in ("footnote", "endnote")},
    )
    body.write(document.element.body)
    body.end()
    parsed = body.page.parsed()
    title = document.core_properties.title if _related(main.package, "metadata/core-properties") is not None else ""
    return replace(parsed, metadata={"title": title})


def _related(part: object, kind: str) -> "Element | None":
    """Return the XML of a part that is related to another by the kind of relation, if there is one."""
    from docx.oxml import parse_xml

    for relation in getattr(part, "rels", {}).values():
        if relation.reltype.endswith(f"/{kind}") and not relation.is_external:
            target: Part = relation.target_part
            return parse_xml(target.blob)
    return None


def _notes(root: "Element | None", name: str) -> Mapping[str, "Element"]:
    """Return foot- or endnotes by their id; those of a type are only the lines above the notes."""
    if root is None:
        return {}
    return {attribute(note, "id"): note for note in root if tag_of(note) == name and not attribute(note, "type")}


@dataclass(slots=True)
class _Body:
    """Writes what stands in a body, a cell or a text box."""

    page: ReadableText
    styles: Styles
    numbers: Numbers
    runs: Runs
    notes: Mapping[str, Mapping[str, "Element"]]
    lists: list[int] = field(default_factory=list)
    is_in_code: bool = False
    caption: str = ""
    # Colours are judged on the paper, not in a cell or box with a colour of its own.
    is_on_paper: bool = True

    def write(self, container: "Element") -> None:
        """Write the blocks in it."""
        for block in container:
            match tag_of(block):
                case "p":
                    self._paragraph(block)
                case "tbl":
                    self.end()
                    self._table(block)
                case "sdt":
                    self._control(block)
                case tag if tag in _WRAPPERS:
                    self.write(block)
                case tag if tag == ALTERNATIVES:
                    for choice in chosen(block):
                        self.write(choice)

    def end(self) -> None:
        """Close what is open."""
        self._end_code()
        while self.lists:
            self.page.close_list()
            self.lists.pop()

    def _control(self, control: "Element") -> None:
        content, properties = child(control, "sdtContent"), child(control, "sdtPr")
        gallery = child(child(properties, "docPartObj"), "docPartGallery")
        if content is not None and attribute(gallery, "val") != "Table of Contents":
            self.write(content)

    def _paragraph(self, paragraph: "Element") -> None:
        properties = child(paragraph, "pPr")
        style = self.styles.of_paragraph(properties)
        if style.is_contents:
            return
        text = self.runs.text(paragraph, style, is_on_paper=self.is_on_paper)
        if style.is_caption and tag_of_next(paragraph) == "tbl":
            self.caption = text
        elif style.is_code:
            self._code(text)
        elif text.strip():
            self._end_code()
            self._text(text, level=style.level, label=self._label(style.numbering))
        self._behind()

    def _label(self, numbering: tuple[str, int] | None) -> tuple[str, int] | None:
        """Return what stands before a list item, and how deep it is."""
        label = self.numbers.next(*numbering) if numbering else None
        return (label, numbering[1]) if numbering and label is not None else None

    def _text(self, text: str, *, level: int, label: tuple[str, int] | None) -> None:
        if level:
            self.end()
            self.page.open_heading(level)
            self.page.write(f"{label[0]} {text}" if label and label[0] != _BULLET.strip() else text)
            self.page.close_heading()
            return
        self._place(label[1] if label else None)
        if label:
            self.page.open_item(f"{label[0]} ")
        for index, line in enumerate(text.split("\n")):
            if index:
                self.page.break_line()
            self.page.write(line)
        self.page.end_paragraph()

    def _place(self, depth: int | None) -> None:
        """Open and close lists until an item of this depth can stand here, or a paragraph."""
        while self.lists and (depth is None or self.lists[-1] > depth):
            self.page.close_list()
            self.lists.pop()
        if depth is not None and (not self.lists or self.lists[-1] < depth):
            self.page.open_list()
            self.lists.append(depth)

    def _code(self, text: str) -> None:
        if not self.is_in_code:
            self.end()
            self.page.open_code()
            self.is_in_code = True
        self.page.write(f"{text}\n")

    def _end_code(self) -> None:
        if self.is_in_code:
            self.page.close_code()
            self.is_in_code = False

    def _behind(self) -> None:
        """Write the text boxes and the notes that belong to the paragraph."""
        boxes, notes = self.runs.taken()
        for box in boxes:
            self.page.end_paragraph()
            self._inside().write_whole(box)
        for kind, note_id, number in notes:
            note = self.notes[kind].get(note_id)
            if note is not None:
                self.page.write(f"[{number}] {' '.join(self._note_lines(note))}")
                self.page.end_paragraph()

    def _note_lines(self, note: "Element") -> Iterator[str]:
        for paragraph in note:
            if tag_of(paragraph) == "p":
                style = self.styles.of_paragraph(child(paragraph, "pPr"))
                yield self.runs.text(paragraph, style, is_on_paper=True).strip()
        # A note has no notes and boxes of its own.
        self.runs.taken()

    def _inside(self) -> "_Body":
        return replace(self, lists=[], is_in_code=False, caption="", is_on_paper=False)

    def write_whole(self, container: "Element") -> None:
        """Write the blocks in it and close what they leave open."""
        self.write(container)
        self.end()

    def _table(self, table: "Element") -> None:
        rows = list(rows_of(table))
        if len(rows) == 1 and len(rows[0].cells) == 1:
            # A frame around text.
            self._inside().write_whole(rows[0].cells[0].element)
            return
        self.page.open_table()
        if self.caption:
            self.page.open_caption()
            self.page.write(self.caption)
            self.page.close_caption()
            self.caption = ""
        for row in rows:
            self.page.open_row()
            for cell in row.cells:
                self._cell(cell, is_header=row.is_header)
            self.page.close_row()
        self.page.close_table()

    def _cell(self, cell: Cell, *, is_header: bool) -> None:
        self.page.open_cell(is_header=is_header, columns=cell.columns, rows=cell.rows)
        self._inside().write_whole(cell.element)
        self.page.close_cell()
