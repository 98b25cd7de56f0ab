"""What is read around a passage ends at headings, and holds as much as a model is to read."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from knowledge.chunk.sections import with_sections
from knowledge.chunk.token_estimate import estimated_tokens
from knowledge.parse import markdown
from knowledge.types import Passage, Section
from tests.fakes.cutting import cut

PAGES = st.lists(
    st.one_of(
        st.sampled_from(["# One", "## Two", "### Three", "## Four"]),
        st.integers(min_value=1, max_value=90).map("words of a paragraph ".__mul__),
    ),
    max_size=20,
).map("\n\n".join)


def sections_of(text: str, *, max_tokens: int) -> tuple[list[Passage], list[Section], list[str]]:
    parsed = markdown.parse(text)
    passages, sections = with_sections(parsed, cut(parsed), max_tokens=max_tokens)
    return passages, sections, [parsed.text[section.start : section.end] for section in sections]


def page(*parts: str) -> str:
    return "\n\n".join(parts)


def test_a_page_that_fits_is_one_section_from_its_first_heading_on() -> None:
    text = "---\ntitle: x\n---\n\n# A\n\none\n\n## B\n\ntwo\n"

    _, sections, texts = sections_of(text, max_tokens=100)

    assert texts == ["# A\n\none\n\n## B\n\ntwo"]
    assert (sections[0].start_line, sections[0].end_line) == (5, 11)


def test_a_longer_page_is_cut_at_headings_and_small_neighbours_stay_together() -> None:
    long = "word " * 60
    text = page("# A", "intro", "## B", "small", "## C", "small too", "## D", long, "## E", "end")

    _, _, texts = sections_of(text, max_tokens=60)

    assert [part.split("\n")[0] for part in texts] == ["# A", "## D", "## E"]


def test_what_stands_under_one_heading_alone_is_cut_between_passages() -> None:
    text = page("# A", *["word " * 150] * 4)

    passages, _, texts = sections_of(text, max_tokens=600)

    assert [passage.section for passage in passages] == [0, 0, 1, 1]
    assert all(estimated_tokens(part) <= 600 for part in texts)


@given(PAGES, st.integers(min_value=20, max_value=400))
def test_every_passage_lies_in_its_section_and_sections_do_not_overlap(text: str, max_tokens: int) -> None:
    passages, sections, _ = sections_of(text, max_tokens=max_tokens)

    around = [sections[passage.section] for passage in passages]
    assert all(
        one.start <= passage.start and passage.end <= one.end for one, passage in zip(around, passages, strict=True)
    )
    assert all(before.end <= after.start for before, after in pairwise(sections))
    assert sorted({passage.section for passage in passages}) == list(range(len(sections)))
