"""Real pages are read whole: no markup of their generators is left, and their links lead somewhere."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from knowledge.parse import markdown
from knowledge.parse.markdown.code import code_end, code_spans
from knowledge.parse.markdown.links import broken_links
from knowledge.types import Parsed

OWN = Path(__file__).parents[3] / "data" / "markdown"
SHARED = Path(__file__).parents[5] / "shared" / "data" / "kb"
FASTAPI, VKCLOUD = SHARED / "fastapi", SHARED / "vkcloud"
PAGES = {OWN: 3, FASTAPI: 488, VKCLOUD: 557}
LEFT_OVER = re.compile(
    r"\{/?(?:heading|linkto|var|const|counter|ifn?def|include|includetag|note|tabs?|cut|caption|video|params)\b[^}]*[}(]"
    r"|^\s*/{3,}|\{\*\s|\{ ?#|\|={3}|\[cols=|\{%|\{\{|^\s*:{3}|\[\^"
)


@cache
def pages_of(root: Path) -> Mapping[str, Parsed]:
    if not root.exists():
        pytest.skip(f"{root.name} is not beside the project")
    return {
        str(path.relative_to(root)): markdown.parse(path.read_text(encoding="utf-8"))
        for path in sorted(root.rglob("*.md"))
        if path.name != "README.md"
    }


def prose_of(text: str) -> Iterator[str]:
    """Yield the lines outside of code blocks, without the code within them."""
    lines, number = text.split("\n"), 0
    while number < len(lines):
        end = code_end(lines, number)
        if end == number:
            line = lines[number]
            for first, last in reversed(code_spans(lines, number)):
                line = line[:first] + line[last:]
            yield line
        number = max(end, number + 1)


@pytest.mark.parametrize("root", PAGES, ids=lambda root: root.name)
def test_every_page_is_parsed(root: Path) -> None:
    assert len(pages_of(root)) == PAGES[root]


@pytest.mark.parametrize("root", PAGES, ids=lambda root: root.name)
def test_no_markup_of_a_generator_is_left_outside_of_code(root: Path) -> None:
    left = [
        (path, line) for path, page in pages_of(root).items() for line in prose_of(page.text) if LEFT_OVER.search(line)
    ]

    assert left == []


@pytest.mark.parametrize("root", PAGES, ids=lambda root: root.name)
def test_pages_that_were_read_do_not_change_again(root: Path) -> None:
    changed = [path for path, page in pages_of(root).items() if markdown.parse(page.text).text != page.text]

    assert changed == []


@pytest.mark.parametrize("root", PAGES, ids=lambda root: root.name)
def test_blocks_are_in_order(root: Path) -> None:
    for page in pages_of(root).values():
        position = 0
        for block in page.blocks:
            assert position <= block.start <= block.end <= len(page.text)
            position = block.end


def test_every_place_that_fastapi_links_to_is_there() -> None:
    assert list(broken_links(pages_of(FASTAPI))) == []
