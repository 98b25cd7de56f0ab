"""Links between pages lead where they say."""

from pathlib import Path

import pytest

from knowledge.parse import markdown
from knowledge.parse.markdown.links import Link, broken_links, internal_links, target_of

OWN = Path(__file__).parents[3] / "data" / "markdown"
PAGES = ("a.md", "ru/x/y/y.md", "ru/x/z.md", "ru/x/w/index.md", "en/a.md")


@pytest.mark.parametrize(
    ("page", "path", "target"),
    [
        ("a.md", "", "a.md"),
        ("a.md", "ru/x/z.md", "ru/x/z.md"),
        ("a.md", "/ru/x/y", "ru/x/y/y.md"),
        ("a.md", "ru/x/w/", "ru/x/w/index.md"),
        ("ru/x/y/y.md", "../z", "ru/x/z.md"),
        ("ru/x/z.md", "../w", "ru/x/w/index.md"),
        ("ru/x/z.md", "../../../en/a.md", "en/a.md"),
        ("a.md", "missing.md", None),
        ("a.md", "../../../../etc/passwd", None),
    ],
)
def test_a_link_leads_to_the_file_that_its_address_stands_for(page: str, path: str, target: str | None) -> None:
    assert target_of(Link(path, ""), page, PAGES) == target


def test_only_links_inside_the_site_are_internal() -> None:
    text = (
        "[a](b.md#c) [d](https://e.org) [f](mailto:g@h.org) [i](#j) <a href='k'>l</a> `[m](n)` ![o](p.png) [q](//r.org)"
    )

    assert list(internal_links(markdown.parse(text))) == [Link("b.md", "c"), Link("", "j"), Link("k", "")]


def test_all_links_of_the_example_pages_resolve() -> None:
    pages = {str(path.relative_to(OWN)): markdown.parse(path.read_text(encoding="utf-8")) for path in OWN.rglob("*.md")}

    links = [(page, link) for page, parsed in pages.items() for link in internal_links(parsed)]

    assert [link for page, link in links if target_of(link, page, pages) is None] == []
    assert list(broken_links(pages)) == []


def test_a_link_to_a_place_that_is_not_there_is_reported() -> None:
    pages = {"a.md": markdown.parse("[x](b.md#gone) [y](b.md#here_it_is)"), "b.md": markdown.parse("# Here it is")}

    assert list(broken_links(pages)) == [("a.md", Link("b.md", "gone"))]
