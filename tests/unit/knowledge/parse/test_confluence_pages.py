"""Of real pages, and of generated ones, every word that a reader sees is kept, and nothing of the markup."""

import random
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from html import unescape
from itertools import count, pairwise
from pathlib import Path

import pytest

from knowledge.parse import confluence
from knowledge.types import Parsed
from tests.fakes.cutting import cut

ROOT = Path(__file__).parents[4]
# Pages under another licence lie beside the project, where they are at hand.
PAGES = sorted(
    {
        path.name: path
        for folder in (ROOT.parent / "shared/fixtures/confluence", ROOT / "tests/data/confluence")
        for path in folder.glob("*.storage.xml")
    }.values()
)
# What they show depends on who reads.
CONDITIONAL = {"show-if", "hide-if"}
UNSEEN = {"parameter", "placeholder", "task-id", "task-uuid", "task-status", "adf-attribute", "adf-fallback"}
IN_LINE = {"a", "b", "code", "del", "em", "i", "span", "strong", "sub", "sup", "u", "link", "link-body"} | {
    "plain-text-link-body",
    "inline-comment-marker",
}
MARKUP = re.compile(
    r"</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>|\b(?:ac|ri|at):[a-z]|<!|\]\]>|&(?:#\w+|[A-Za-z]\w*);|structured-macro"
)


def seen_by_a_reader(xhtml: str) -> str:
    """Read a page by other means than the parser: as a tree, all text but that of elements nobody sees."""
    resolved = re.sub(
        r"<!\[CDATA\[.*?\]\]>|&(?!amp;|lt;|gt;|quot;|#)\w+;",
        lambda match: match[0] if match[0].startswith("<") else unescape(match[0]),
        xhtml,
        flags=re.DOTALL,
    )
    return "".join(_texts(ET.fromstring(f'<page xmlns:ac="ac" xmlns:ri="ri" xmlns:at="at">{resolved}</page>')))


def _texts(element: ET.Element) -> Iterator[str]:
    name = element.tag.rpartition("}")[2]
    between = "" if name in IN_LINE else " "
    yield between
    if name not in UNSEEN and element.get("{ac}name") not in CONDITIONAL:
        yield element.text or ""
        for child in element:
            yield from _texts(child)
            yield child.tail or ""
    yield between


def is_well_formed(path: Path) -> bool:
    try:
        seen_by_a_reader(path.read_text(encoding="utf-8"))
    except ET.ParseError:
        return False
    return True


WELL_FORMED = [path for path in PAGES if is_well_formed(path)]
MALFORMED = [path for path in PAGES if path not in WELL_FORMED]


def missing_in_order(words: list[str], text: str) -> list[str]:
    """Return the words from the first one on that does not stand in the text behind those before it."""
    found = iter(text.split())
    return next((words[index:] for index, word in enumerate(words) if word not in found), [])


@pytest.mark.parametrize("path", WELL_FORMED, ids=lambda path: str(path.name))
def test_a_real_page_loses_no_word_and_keeps_no_markup(path: Path) -> None:
    xhtml = path.read_text(encoding="utf-8")
    seen = seen_by_a_reader(xhtml)

    parsed = confluence.parse(xhtml)

    in_passages = Counter(word for passage in cut(parsed) for word in passage.text.split())
    in_headings = Counter(word for block in parsed.blocks if block.kind == "heading" for word in block.text.split())
    assert missing_in_order(seen.split(), parsed.text) == []
    assert Counter(seen.split()) - in_passages - in_headings == Counter()
    assert left_over_markup(parsed, seen) == []


def left_over_markup(parsed: Parsed, seen: str) -> list[str]:
    """Return what looks like markup in any passage; code and escaped text that readers see may look so."""
    return [
        match[0]
        for passage in cut(parsed)
        for text in (passage.text, passage.search_text, *passage.heading)
        for match in MARKUP.finditer(text)
        if match[0] not in " ".join(seen.split()) and match[0] not in seen
    ]


@pytest.mark.parametrize("path", MALFORMED, ids=lambda path: str(path.name))
def test_a_real_page_that_is_not_well_formed_can_be_read(path: Path) -> None:
    parsed = confluence.parse(path.read_text(encoding="utf-8"))

    assert parsed.blocks
    assert left_over_markup(parsed, "") == []


@pytest.mark.parametrize("path", WELL_FORMED, ids=lambda path: str(path.name))
def test_a_real_page_reads_the_same_strictly_and_forgivingly(path: Path) -> None:
    xhtml = path.read_text(encoding="utf-8")

    assert confluence.parse(f"</x>{xhtml}") == confluence.parse(xhtml)


class PageMaker:
    """Makes well-formed pages of any nesting, of numbered words."""

    BLOCKS = ("<p>{}</p>", "<h2>{}</h2>", "<div>{}</div>", "<blockquote>{}</blockquote>", "<ul><li>{}</li></ul>")
    TABLES = (
        "<table><tbody><tr><th>{}</th></tr><tr><td>{}</td></tr></tbody></table>",
        "<table><tr><td>{}</td></tr></table>",
    )
    MACROS = (
        '<ac:structured-macro ac:name="info"><ac:parameter ac:name="title">{}</ac:parameter>'
        "<ac:rich-text-body>{}</ac:rich-text-body></ac:structured-macro>",
        '<ac:structured-macro ac:name="any"><ac:parameter ac:name="x">unseen</ac:parameter>'
        "<ac:rich-text-body>{}</ac:rich-text-body></ac:structured-macro>",
        "<ac:layout><ac:layout-section><ac:layout-cell>{}</ac:layout-cell></ac:layout-section></ac:layout>",
        "<ac:task-list><ac:task><ac:task-id>9</ac:task-id><ac:task-body>{}</ac:task-body></ac:task></ac:task-list>",
    )
    IN_LINE = ("<b>{}</b>", "<ac:link><ri:page ri:content-title='unseen'/><ac:link-body>{}</ac:link-body></ac:link>")
    UNSEEN = ("<p hidden='hidden'>unseen</p>", "<!-- unseen -->", "<ac:placeholder>unseen</ac:placeholder>")
    CODE = '<ac:macro ac:name="code"><ac:plain-text-body><![CDATA[{}]]></ac:plain-text-body></ac:macro>'

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._numbers = count()
        self.words: list[str] = []

    def blocks(self, depth: int) -> str:
        return "".join(self._block(depth) for _ in range(self._dice.randint(1, 4)))

    def _block(self, depth: int) -> str:
        kind = self._dice.randint(0, 9)
        if kind == 0:
            return self._dice.choice(self.UNSEEN)
        if kind == 1:
            return self.CODE.format(self._word())
        if kind < 5 or depth == 0:
            return f"<p>{self._line()}</p>"
        template = self._dice.choice((*self.BLOCKS, *self.TABLES, *self.MACROS))
        pieces = re.split(r"(\{\})", template)
        before = zip(["", *pieces], pieces, strict=False)
        return "".join(self._inside(last, depth) if piece == "{}" else piece for last, piece in before)

    def _inside(self, before: str, depth: int) -> str:
        # A heading and a title hold words alone.
        if before.endswith(('"title">', "<h2>")):
            return self._word()
        return self.blocks(depth - 1) if self._dice.random() < 0.7 else self._line()

    def _line(self) -> str:
        between = [" ", "<br/>", "\n", "&nbsp;"]
        return "".join(self._split_word() + self._dice.choice(between) for _ in range(self._dice.randint(1, 3)))

    def _split_word(self) -> str:
        word = self._word()
        place = self._dice.randint(0, len(word) - 1)
        return word[:place] + self._dice.choice(self.IN_LINE).format(word[place:])

    def _word(self) -> str:
        self.words.append(f"w{next(self._numbers)}x")
        return self.words[-1]


@pytest.mark.parametrize("seed", range(150))
def test_a_page_of_any_nesting_keeps_its_words_whole_and_in_order(seed: int) -> None:
    maker = PageMaker(seed)
    xhtml = maker.blocks(depth=seed % 7)

    parsed = confluence.parse(xhtml)

    assert re.findall(r"\w*\d+\w*", re.sub(r"^ *\d+\. ", "", parsed.text, flags=re.MULTILINE)) == maker.words
    assert "unseen" not in parsed.text
    assert all(before.end <= after.start for before, after in pairwise(parsed.blocks))
    assert all(block.start < block.end and block.text for block in parsed.blocks)
    assert "".join(parsed.text[block.start : block.end] for block in parsed.blocks).count("w") == len(maker.words)
