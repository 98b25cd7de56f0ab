"""On real pages nothing of the format is left, and what a page links to on itself is there."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from knowledge.parse import confluence
from knowledge.parse.confluence import DATA_CENTER_STORAGE
from knowledge.types import Document

ROOT = Path(__file__).parents[4]
SHARED = ROOT.parent / "shared/fixtures/confluence"
FOLDERS = (SHARED, ROOT / "tests/data/confluence")
# Of the format: prefixes, tags, the borders of data, and names of elements, attributes and parameters.
FORMAT = re.compile(
    r"\b(?:ac|ri|at):[a-z]|</?[a-z][\w:-]*[ />]|CDATA|\]\]>|structured-macro|rich-text-body|plain-text-body|xmlns"
    r"|schema-version|macro-id|local-id|atlassian-macro-output-type|panelIcon|bgColor|sortAndReverse|serverId"
    r"|originalWidth|expandCollapseAll|startDepth|an\.spaceKey|supportedSubmitMethods|groupIds|matchUsing"
)
OWN_LINK = re.compile(r'<ac:link\s[^>]*?ac:anchor="([^"]+)"[^>]*>(?!\s*<ri:)|<a\s[^>]*?href="#([^"]+)"')


def bodies() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page, those inside of answers of the site's interface too."""
    for path in sorted({path.name: path for folder in FOLDERS for path in folder.glob("*.storage.xml")}.values()):
        yield path.name, path.read_text(encoding="utf-8")
    for path in sorted(SHARED.glob("*.json")):
        for body in storage_bodies(json.loads(path.read_text(encoding="utf-8"))):
            yield path.name, body


def storage_bodies(answer: object) -> Iterator[str]:
    if isinstance(answer, list):
        for one in answer:
            yield from storage_bodies(one)
    if isinstance(answer, dict):
        if answer.get("representation") == "storage" and isinstance(answer.get("value"), str):
            yield answer["value"]
        for one in answer.values():
            yield from storage_bodies(one)


BODIES = list(bodies())
PAGES = pytest.mark.parametrize("xhtml", [body for _, body in BODIES], ids=[name for name, _ in BODIES])


@PAGES
def test_nothing_of_the_format_is_left(xhtml: str) -> None:
    parsed = confluence.parse(xhtml)

    shown = [(block.text, block.context) for block in parsed.blocks]
    left = [match[0] for texts in (*shown, (parsed.text,)) for text in texts for match in FORMAT.finditer(text)]
    # What readers see of a command line that has a file in angle brackets.
    assert [one for one in left if one not in ("<tar.gz ", "<ip-address>")] == []


@PAGES
@pytest.mark.parametrize("title", [None, "Some page"])
def test_each_heading_has_an_anchor_of_its_own(xhtml: str, title: str | None) -> None:
    blocks = confluence.parse(xhtml, page_title=title).blocks

    anchors = [block.anchor for block in blocks if block.kind == "heading"]
    assert all(anchors)
    assert len(set(anchors)) == len(anchors)


@PAGES
def test_what_a_page_links_to_on_itself_is_there(xhtml: str) -> None:
    parsed = confluence.parse(xhtml)

    wanted = {in_link or in_address for in_link, in_address in OWN_LINK.findall(xhtml)}
    known = parsed.metadata.get("anchors", ())
    assert isinstance(known, tuple)
    assert wanted - set(known) == set()


@pytest.mark.parametrize(
    ("media_type", "anchor"), [(confluence.CLOUD_STORAGE, "My-rates"), (DATA_CENTER_STORAGE, "Page-Myrates")]
)
def test_a_document_has_the_anchors_of_its_kind_of_site(media_type: str, anchor: str) -> None:
    document = Document("wiki", "1", "<h1>My rates</h1>", "1", title="Page", media_type=media_type)

    parsed = confluence.parse_document(document)

    assert ([block.anchor for block in parsed.blocks], parsed.keeps_lines) == ([anchor], False)


def test_an_anchor_that_names_two_headings_is_that_of_the_first() -> None:
    place = '<ac:structured-macro ac:name="anchor"><ac:parameter ac:name="">a</ac:parameter></ac:structured-macro>'

    blocks = confluence.parse(f"<h1>{place}A</h1><h1>{place}B</h1><p>{place}</p><h1>C</h1><h2>a</h2>").blocks

    assert [block.anchor for block in blocks] == ["a", "B", "C", "a.1"]
