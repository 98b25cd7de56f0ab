"""Reading a file ends within its confines whatever the file is, and what goes wrong is told with a remedy."""

import os
import random
import sys
import time
import zipfile
from collections.abc import Callable
from functools import cache
from io import BytesIO

import docx
import openpyxl
import pptx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from knowledge.errors import SourceProblem
from knowledge.parse.formats import Parser
from knowledge.parse.office import docx as docx_parser
from knowledge.parse.office import pdf, xlsx
from knowledge.parse.office import pptx as pptx_parser
from knowledge.parse.office.confined import Confines, read_confined
from knowledge.parse.office.confined_reader import answer_of, missing
from knowledge.types import Document

# Reading a small file, however damaged, takes a fraction of a second; a machine may be busy.
DEADLINE_S = 20.0
PARSERS: dict[str, Parser] = {
    "docx": docx_parser.parse_document,
    "pptx": pptx_parser.parse_document,
    "xlsx": xlsx.parse_document,
    "pdf": pdf.parse_document,
}


@cache
def file(kind: str) -> bytes:
    written = BytesIO()
    _WRITERS[kind](written)
    return written.getvalue()


def _docx(written: BytesIO) -> None:
    word = docx.Document()
    word.add_heading("Title", 1)
    word.add_paragraph("Words.", style="List Number")
    word.add_table(2, 2).cell(0, 0).text = "Cell"
    word.save(written)


def _pptx(written: BytesIO) -> None:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Title"
    slide.placeholders[1].text_frame.text = "Words."
    show.save(written)


def _xlsx(written: BytesIO) -> None:
    book = openpyxl.Workbook()
    for row in (["Title", "Price"], ["Words.", 1.5], ["", 2]):
        book.active.append(row)
    book.active.merge_cells("A2:A3")
    book.save(written)


def _pdf(written: BytesIO) -> None:
    canvas = Canvas(written)
    for page in range(3):
        canvas.drawString(60, 500, f"Title and words of page {page}.")
        canvas.showPage()
    canvas.save()


_WRITERS: dict[str, Callable[[BytesIO], None]] = {"docx": _docx, "pptx": _pptx, "xlsx": _xlsx, "pdf": _pdf}


def document(content: bytes) -> Document:
    return Document("s", "file", "", "1", content=content)


@pytest.mark.parametrize("kind", PARSERS)
def test_a_file_is_read_in_a_process_of_its_own(kind: str) -> None:
    parsed = PARSERS[kind](document(file(kind)))

    assert "Title" in parsed.text
    assert not parsed.keeps_lines
    assert all(0 <= block.start < block.end <= len(parsed.text) for block in parsed.blocks)


@pytest.mark.parametrize("kind", PARSERS)
@pytest.mark.parametrize("content", [b"", b"<html>Log in</html>", b"PK\x03\x04\0\0", b"%PDF-1.4"])
def test_what_is_no_such_file_is_refused(kind: str, content: bytes) -> None:
    with pytest.raises(SourceProblem):
        PARSERS[kind](document(content))


@pytest.mark.parametrize(("named", "is_really"), [("docx", "xlsx"), ("pptx", "docx"), ("xlsx", "pptx")])
def test_another_office_file_than_its_name_says_is_refused(named: str, is_really: str) -> None:
    with pytest.raises(SourceProblem, match="not what its name says"):
        PARSERS[named](document(file(is_really)))


@pytest.mark.parametrize("kind", ["docx", "pptx", "xlsx"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32))
def test_a_damaged_file_is_read_or_refused_in_time(kind: str, seed: int) -> None:
    content = _damaged(file(kind), random.Random(seed))
    started = time.process_time()

    answer = answer_of(f"knowledge.parse.{kind}", content)

    assert "text" in answer or str(answer["problem"]).count(";")
    assert time.process_time() - started < DEADLINE_S


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32))
def test_a_damaged_pdf_is_read_or_refused(seed: int) -> None:
    content = _damaged(file("pdf"), random.Random(seed))

    try:
        assert pdf.parse_document(document(content)).text
    except SourceProblem as exc:
        assert ";" in str(exc)


def _damaged(content: bytes, chance: random.Random) -> bytes:
    """Return a file cut off, or with other bytes, or, for an archive, with other bytes in one of its parts."""
    if content.startswith(b"PK") and chance.random() < 0.5:
        return _damaged_part(content, chance)
    if chance.random() < 0.3:
        return content[: chance.randrange(len(content))]
    return _with_other_bytes(content, chance)


def _with_other_bytes(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice([1, 4, 40])):
        changed[chance.randrange(len(changed))] = chance.choice(b'0123456789<>/" aZ\0\xff')
    return bytes(changed)


def _damaged_part(content: bytes, chance: random.Random) -> bytes:
    written = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as old, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as new:
        victim = chance.choice([one.filename for one in old.infolist() if one.file_size])
        for name in old.namelist():
            part = old.read(name)
            new.writestr(name, _with_other_bytes(part, chance) if name == victim else part)
    return written.getvalue()


# Modules that a test hands in as readers: this one, for what goes wrong there.
HERE = __name__


def read(content: bytes) -> object:
    """Fail as the content says; stands for a library that a file breaks."""
    _FAILURES[content.decode()]()
    raise AssertionError


def _use_memory() -> None:
    held = []
    while True:
        held.append(bytearray(16 * 1024 * 1024))


def _use_time() -> None:
    while True:
        pass


_FAILURES: dict[str, Callable[[], object]] = {
    "memory": _use_memory,
    "time": _use_time,
    "sleep": lambda: time.sleep(60),
    "crash": os.abort,
    "leave": lambda: sys.exit(0),
    "print": lambda: sys.stdout.write('{"text": "printed"}'),
    "raise": lambda: _FAILURES["missing"],
    "recurse": lambda: _FAILURES["recurse"](),
}


@pytest.mark.parametrize(
    ("failure", "says"),
    [
        ("memory", "needs more memory|stopped its reader"),
        ("time", "stopped its reader"),
        ("sleep", "cannot be read within 3 s"),
        ("crash", "stopped its reader"),
        ("leave", "stopped its reader"),
        ("print", r"damaged or not what its name says \(AssertionError\)"),
        ("raise", r"damaged or not what its name says \(KeyError\)"),
        ("recurse", r"damaged or not what its name says \(RecursionError\)"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="other systems limit less of what a process may use")
def test_what_a_file_does_to_its_reader_stays_there(failure: str, says: str) -> None:
    # A busy machine takes long to give one second of its processor.
    deadline_s = 3.0 if failure == "sleep" else 60.0
    confines = Confines(cpu_s=1, deadline_s=deadline_s, memory_bytes=512 * 1024**2)

    with pytest.raises(SourceProblem, match=says):
        read_confined(HERE, failure.encode(), confines)


def test_a_missing_library_is_told_with_its_remedy() -> None:
    assert 'pip install "answerdesk[office]"' in missing(ModuleNotFoundError(name="docx"))
