"""Presentations show what their slides show, in reading order; each block leads to its slide."""

from collections.abc import Callable
from io import BytesIO

import pptx
import pytest
from pptx.presentation import Presentation
from pptx.slide import Slide
from pptx.util import Inches

from knowledge.parse.office import pptx as parser
from knowledge.types import Parsed


def parsed(*writes: Callable[[Slide], object], layout: int = 1) -> Parsed:
    """Return a presentation with a slide for each function that fills one."""
    show: Presentation = pptx.Presentation()
    show.core_properties.title = "Deck"
    for write in writes:
        write(show.slides.add_slide(show.slide_layouts[layout]))
    file = BytesIO()
    show.save(file)
    return parser.read(file.getvalue())


def name(slide: Slide, title: str) -> None:
    shape = slide.shapes.title
    assert shape is not None
    shape.text_frame.text = title


def box(slide: Slide, left: float, top: float, text: str) -> None:
    slide.shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(1)).text_frame.text = text


def titled(slide: Slide) -> None:
    name(slide, "Setup")
    body = slide.placeholders[1].text_frame
    body.text = "First"
    inner = body.add_paragraph()
    inner.text, inner.level = "inner", 1
    body.add_paragraph().text = "Second"


def test_a_slide_is_a_heading_with_its_list_and_each_block_leads_there() -> None:
    document = parsed(titled, titled)

    assert document.text.startswith("Setup\n\n- First\n  - inner\n- Second\n\nSetup")
    assert [block.anchor for block in document.blocks] == ["slide-1"] * 3 + ["slide-2"] * 3
    assert document.blocks[0].kind == "heading"
    assert document.metadata["title"] == "Deck"


def test_shapes_are_read_by_lines_from_the_left() -> None:
    def write(slide: Slide) -> None:
        box(slide, 1, 5, "below")
        box(slide, 5, 1.1, "right")
        box(slide, 1, 1, "left")
        group = slide.shapes.add_group_shape()
        group.shapes.add_textbox(Inches(1), Inches(6), Inches(1), Inches(1)).text_frame.text = "grouped"

    texts = [block.text for block in parsed(write, layout=6).blocks]

    assert texts == ["Slide 1", "left", "right", "below", "grouped"]


def test_tables_have_their_header_and_merged_cells() -> None:
    def write(slide: Slide) -> None:
        table = slide.shapes.add_table(3, 2, Inches(1), Inches(1), Inches(4), Inches(2)).table
        for row, cells in enumerate((["Plan", "Price"], ["Basic", "5"], ["", "7"])):
            for column, text in enumerate(cells):
                table.cell(row, column).text = text
        table.cell(1, 0).merge(table.cell(2, 0))

    texts = [block.text for block in parsed(write, layout=6).blocks[1:]]

    assert texts == ["Plan | Price", "Plan: Basic; Price: 5", "Plan: Basic; Price: 7"]


def test_notes_stand_under_a_heading_of_their_slide() -> None:
    def write(slide: Slide) -> None:
        titled(slide)
        notes = slide.notes_slide.notes_text_frame
        assert notes is not None
        notes.text = "Say hello."

    *_, heading, notes = parsed(write).blocks

    assert (heading.text, heading.level, notes.text, notes.anchor) == ("Notes", 2, "Say hello.", "slide-1")


def hidden_slide(slide: Slide) -> None:
    name(slide, "SECRET")
    slide._element.set("show", "0")


def hidden_shape(slide: Slide) -> None:
    box(slide, 1, 1, "SECRET")
    slide.shapes[-1]._element.xpath("./p:nvSpPr/p:cNvPr")[0].set("hidden", "1")


def beside_the_slide(slide: Slide) -> None:
    box(slide, -5, 1, "SECRET")
    box(slide, 1, 50, "SECRET")


@pytest.mark.parametrize("write", [hidden_slide, hidden_shape, beside_the_slide])
def test_what_nobody_is_shown_is_left_out(write: Callable[[Slide], None]) -> None:
    assert "SECRET" not in parsed(titled, write).text


def test_slides_keep_their_numbers_when_one_is_hidden() -> None:
    assert {block.anchor for block in parsed(hidden_slide, titled).blocks} == {"slide-2"}
