"""Deep links to passages."""

import pytest

from knowledge.links import passage_link


@pytest.mark.parametrize(
    ("url", "anchor", "expected"),
    [
        (None, "a", None),
        ("https://x.example/p", "a", "https://x.example/p"),
        ("https://x.example/p#{anchor}", "How-to", "https://x.example/p#How-to"),
        ("https://x.example/p#{anchor}", None, "https://x.example/p"),
        (
            "https://x.example/p#{anchor}",
            'Ключ "a" <b>',
            "https://x.example/p#%D0%9A%D0%BB%D1%8E%D1%87%20%22a%22%20%3Cb%3E",
        ),
        ("https://x.example/p#L{start_line}-L{end_line}", "a", "https://x.example/p#L3-L7"),
    ],
)
def test_a_link_leads_to_its_passage(url: str | None, anchor: str | None, expected: str | None) -> None:
    assert passage_link(url, anchor=anchor, start_line=3, end_line=7) == expected
