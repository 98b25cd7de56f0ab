"""Passages are short, whole, verbatim, and know where they stand."""

import re
import time

import pytest

from knowledge.chunk.headings import MAX_CHARACTERS
from knowledge.parse import markdown
from knowledge.parse import text as plain
from knowledge.types import Passage
from tests.fakes.cutting import cut
from tests.fakes.odd_texts import huge_texts, odd_texts

CUTTING_TIME_S = 30.0
HUGE = huge_texts()
LONG = {
    "en": "The service restarts every night at three. " * 60,
    "ru": "Служба перезапускается каждую ночь в три часа. " * 60,
    "uk": "Служба перезапускається щоночі о третій годині. " * 60,
    "es": "El servicio se reinicia cada noche a las tres. " * 60,
    "zh": "服务每天凌晨三点重新启动。" * 200,
    "xx": "nospaces" * 400,
}


def passages(text: str, *, language: str = "en", title: str = "Title") -> list[Passage]:
    return cut(markdown.parse(text), title=title, language=language)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def paragraph(characters: int) -> str:
    return ("word " * (characters // 5)).strip()


def test_a_passage_knows_its_headings_anchor_and_lines() -> None:
    text = "Intro.\n\n# A { #a }\n\n## B\n\nFirst.\nSecond.\n\n## C\n\nThird.\n"

    found = passages(text)

    assert [(p.text, p.heading, p.anchor, p.start_line, p.end_line) for p in found] == [
        ("Intro.", (), None, 1, 1),
        ("First.\nSecond.", ("A", "B"), "b", 7, 8),
        ("Third.", ("A", "C"), "c", 12, 12),
    ]


def test_a_heading_leaves_the_path_when_its_level_returns() -> None:
    text = "# A\n\n### B\n\nx\n\n## C\n\ny\n\n# D\n\nz\n"

    assert [passage.heading for passage in passages(text)] == [("A", "B"), ("A", "C"), ("D",)]


def test_what_is_indexed_begins_with_title_and_headings_each_said_once() -> None:
    text = "# Title\n\n## Part\n\nSome **bold** text.\n"

    assert [passage.search_text for passage in passages(text)] == ["Title > Part\nSome bold text."]
    assert passages(text, title="Other")[0].search_text.startswith("Other > Title > Part\n")


def test_paragraphs_share_a_passage_while_they_fit_and_are_not_torn() -> None:
    parts = [paragraph(350), paragraph(350), paragraph(350), paragraph(790)]

    found = [passage.text for passage in passages("\n\n".join(parts))]

    assert found == [f"{parts[0]}\n\n{parts[1]}", parts[2], parts[3]]


@pytest.mark.parametrize("language", LONG)
@pytest.mark.parametrize("mark", ["", "- ", "> "])
def test_a_long_block_is_torn_into_short_passages_without_loss(language: str, mark: str) -> None:
    text = mark + LONG[language].strip()

    found = passages(text, language=language)

    assert max(len(passage.text) for passage in found) <= MAX_CHARACTERS
    assert "".join(passage.text for passage in found).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("language", ["en", "ru", "uk", "es", "zh"])
def test_a_long_paragraph_is_torn_at_sentences(language: str) -> None:
    found = passages(LONG[language].strip(), language=language)

    assert {passage.text[-1] for passage in found} <= {".", "。"}


def test_a_torn_list_item_is_indexed_with_what_a_reader_sees_of_it() -> None:
    sentence = (
        'It <span style="display:none">hides SECRET words</span> <!-- SECRET --> and [links](https://e.x/SECRET). '
    )
    text = "- " + sentence * 30

    found = passages(text)

    assert len(found) > 1
    assert "SECRET" not in "".join(passage.search_text for passage in found)
    assert words("".join(passage.search_text for passage in found)).count("links") == 30


@pytest.mark.parametrize(
    "text",
    [
        f"Seen. <span hidden>{'SECRET and more. ' * 200}</span> Seen. {paragraph(900)}",
        f"Seen. <span data-x='{'x ' * 900}' style='display:none'>SECRET</span> {paragraph(900)}",
        f"<span data-x='{'x ' * 900}' style='display:none'>SECRET</span> Seen. {paragraph(900)}",
        f"Seen. <!-- {'SECRET. ' * 300} --> {paragraph(900)}",
        f"<div>Seen. {paragraph(900)}\n<p hidden>{'SECRET. ' * 200}</p>\n{paragraph(900)}\n</div>",
        f"<div hidden>\n\n{'SECRET. ' * 200}\n\n</div>\n\nSeen.",
        f"| Seen |\n|---|\n| {paragraph(900)} <i hidden>{'SECRET. ' * 200}</i> |\n",
    ],
)
def test_hidden_text_is_never_indexed_however_long_it_is(text: str) -> None:
    indexed = " ".join(passage.search_text for passage in passages(text))

    assert "SECRET" not in indexed
    assert "Seen" in indexed


def test_long_code_is_torn_at_lines() -> None:
    code = "".join(f"    call_number_{number}(argument)\n" for number in range(60))

    found = passages(f"```\n{code}```\n")

    assert max(len(passage.text) for passage in found) <= MAX_CHARACTERS
    assert "\n".join(passage.text for passage in found) == f"```\n{code}```"


def test_a_table_header_goes_with_its_first_row() -> None:
    header = "| Name | Meaning |\n|---|---|\n"
    rows = "".join(f"| name {number} | {paragraph(150)} |\n" for number in range(12))

    found = passages(f"{paragraph(700)}\n\n{header}{rows}")

    assert max(len(passage.text) for passage in found) <= MAX_CHARACTERS
    assert found[1].text.startswith(f"{header}| name 0 |")
    assert all("Name | Meaning" in passage.search_text for passage in found[1:])


def test_a_visible_character_is_not_cut() -> None:
    family = "👩\u200d👩\u200d👧\u200d👦"

    found = passages(family * 200)

    assert max(len(passage.text) for passage in found) <= MAX_CHARACTERS
    assert {passage.text.replace(family, "") for passage in found} == {""}


@pytest.mark.parametrize(
    "text", ["", "\n\n", "<!-- only a comment -->", "# Only a heading", "---\ntitle: x\n---\n", "***"]
)
def test_a_document_that_says_nothing_has_no_passage(text: str) -> None:
    assert passages(text) == []


def test_any_text_has_verbatim_passages_that_lose_no_word() -> None:
    for text in odd_texts():
        parsed = markdown.parse(text)
        found = cut(parsed, title="", language="en")
        lines = text.split("\n")
        for passage in found:
            assert passage.text in "\n".join(lines[passage.start_line - 1 : passage.end_line]), text
        indexed = "\n".join(passage.search_text for passage in found)
        assert all(block.text in indexed for block in parsed.blocks if block.kind != "heading"), text


def test_plain_text_is_indexed_as_it_is() -> None:
    text = "If a <b and c> d, see &amp; *this*. " * 40

    found = cut(plain.parse(text), title="t", language="en")

    assert " ".join(passage.text for passage in found) == text.strip()
    assert [passage.search_text for passage in found] == [f"t\n{passage.text}" for passage in found]


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_text_is_cut_in_bounded_time(name: str) -> None:
    parsed = plain.parse(HUGE[name])
    started = time.perf_counter()

    found = cut(parsed, title="t", language="en")

    assert time.perf_counter() - started < CUTTING_TIME_S
    assert max((len(passage.text) for passage in found), default=0) <= MAX_CHARACTERS


@pytest.mark.parametrize("behind", ["- first\n- second", "```\ncode\n```"])
def test_a_label_goes_with_what_it_opens(behind: str) -> None:
    found = passages(f"{paragraph(785)}\n\nDo this:\n\n{behind}")

    assert [passage.text for passage in found] == [paragraph(785), f"Do this:\n\n{behind}"]
