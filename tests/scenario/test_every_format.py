"""A folder of everything: what can be read is found, what cannot is told with a remedy, and nothing stops the rest."""

import json
import zipfile
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from reportlab.pdfgen.canvas import Canvas

from bot.compose import open_desk
from bot.settings import load_settings
from knowledge.types import Reader
from tests.scenario.conftest import Commands

OPENAPI = """\
openapi: 3.1.0
info: {title: Lockers, version: "1"}
paths:
  /lockers:
    post:
      summary: Reserve a locker
      responses: {"201": {description: It is reserved}}
"""
TEXTS = {
    "guide.md": "# Guide\n\n/// tip | Hint\n\nThe {var(service)} restarts at midnight.\n\n///\n",
    "page.html": "<main><h1>Parking</h1><p>Bicycles stand in the cellar.</p></main><script>no()</script>",
    "prices.csv": "plan;price\nsmall;19 EUR\nlarge;99 EUR\n",
    "openapi.yaml": OPENAPI,
    "tools/rotate.py": "def rotate_key(name):\n    '''Replace a key of the vault.'''\n    return name\n",
    "line.txt": "Elephants remember. " * 50_000,
}
BROKEN = {
    "openapi.broken.yaml": (b"openapi: 3.0.0\n  info: [", "correct the YAML"),
    "nul.md": (b"text \0 more", "NUL"),
    "truncated.pdf": (b"%PDF-1.7\n1 0 obj", "no whole PDF"),
    "word.docx": (b"<html>Log in</html>", "no whole office file"),
}
FOUND = {
    "When does the service restart?": "guide.md",
    "Where do bicycles stand?": "page.html",
    "What is the price of the large plan?": "prices.csv",
    "Which verb reserves a locker?": "openapi.yaml",
    "How do I replace a key of the vault?": "tools/rotate.py",
    "What do elephants remember?": "line.txt",
    "Who waters the palm trees?": "manual.pdf",
    "Who feeds the fish?": "letter.docx",
    "Who winds the clock?": "show.pptx",
    "Which room has the piano?": "rooms.xlsx",
}


def write_documents(folder: Path) -> None:
    for name, text in TEXTS.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name, (content, _) in BROKEN.items():
        (folder / name).write_bytes(content)
    canvas = Canvas(str(folder / "manual.pdf"))
    canvas.drawString(60, 500, "The gardener waters the palm trees on Mondays.")
    canvas.save()
    letter = docx.Document()
    letter.add_paragraph("The night watch feeds the fish.")
    letter.save(str(folder / "letter.docx"))
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Clocks"
    slide.placeholders[1].text_frame.text = "The porter winds the clock."
    show.save(str(folder / "show.pptx"))
    book = openpyxl.Workbook()
    for row in (["Room", "Has"], ["Blue room", "piano"], ["Red room", "billiards"]):
        book.active.append(row)
    book.save(folder / "rooms.xlsx")
    with zipfile.ZipFile(folder / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("xl/workbook.xml", b"\0" * 300_000_000)


@pytest.fixture
def folder(commands: Commands) -> Path:
    """A source that also lists code, and knows one variable."""
    commands.configure(
        f'[[sources]]\nname = "{commands.configured_name}"\nkind = "folder"\npath = "docs"\ninclude = ["**/*"]\n'
        'variables = {service = "gateway service"}\n'
    )
    write_documents(commands.folder / "docs")
    return commands.folder / "docs"


async def test_every_format_is_found_and_what_is_broken_is_told(commands: Commands, folder: Path) -> None:
    done = commands.run("sync", "--json")
    told = json.loads(done.stdout)["sources"][commands.configured_name]

    assert done.returncode == 1
    assert set(told["failures"]) == {*BROKEN, "bomb.xlsx"}
    assert all(said in told["failures"][name] for name, (_, said) in BROKEN.items()), told["failures"]
    assert told["added"] == len(FOUND)
    settings = load_settings(folder.parent / "answerdesk.toml", {"ANSWERDESK_HOME": str(commands.home)})
    async with open_desk(settings) as desk:
        for question, document in FOUND.items():
            best = (await desk.retriever.retrieve(question, reader=Reader())).evidence[0].hit
            assert (question, best.document) == (question, document)
            assert "///" not in best.text
