"""Answers in the documents' own words."""

import pytest

from bot.llm.extractive import ExtractiveAnswerer, units_of
from knowledge.embed import Role, Vectors
from knowledge.errors import TransientError
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.evidence import evidence, hit

PAGE = """\
The office opens at eight. A locker PIN has six digits and expires after three days. Parking is free.

| Model | Battery |
| --- | --- |
| K24 | 6 hours |
| K48 | 9 hours |

- Call the guard when the door is jammed.
- Water the plants.

```sh
kestrel reset --locker 7
```
"""


async def answered(question: str, *pages: str, language: str = "en") -> list[str]:
    pieces = [evidence(page, document=f"{number}.md") for number, page in enumerate(pages)]
    answer = await ExtractiveAnswerer(FakeEmbedder()).answer(question, pieces, language=language)
    return [sentence.citation.quote for sentence in answer.sentences] if answer else []


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        (
            "When does a locker PIN expire, after how many days?",
            "A locker PIN has six digits and expires after three days.",
        ),
        ("Battery hours of the K48 model?", "| K48 | 9 hours |"),
        ("Whom to call when the door is jammed?", "- Call the guard when the door is jammed."),
        ("Which command does kestrel reset --locker take?", "```sh\nkestrel reset --locker 7\n```"),
    ],
)
async def test_the_piece_that_answers_is_quoted_whole(question: str, quote: str) -> None:
    assert quote in await answered(question, PAGE)


async def test_every_quote_stands_verbatim_on_the_lines_it_names() -> None:
    lines = PAGE.split("\n")
    answer = await ExtractiveAnswerer(FakeEmbedder(), max_sentences=5).answer(
        "locker PIN K24 door guard", [evidence(PAGE)], language="en"
    )

    assert answer is not None
    for cited in (sentence.citation for sentence in answer.sentences):
        assert cited.quote in "\n".join(lines[cited.start_line - 1 : cited.end_line])


async def test_a_table_row_is_shown_with_the_names_of_its_columns() -> None:
    answer = await ExtractiveAnswerer(FakeEmbedder(), max_sentences=1).answer(
        "Battery of the K24 model", [evidence(PAGE)], language="en"
    )

    assert answer is not None
    assert answer.text == "Model: K24; Battery: 6 hours [1]"


async def test_the_same_sentence_in_two_documents_is_said_once() -> None:
    sentence = "A locker PIN expires after three days."

    assert await answered("When does a locker PIN expire?", sentence, sentence) == [sentence]


async def test_sentences_come_in_reading_order() -> None:
    page = "Press the red button. Parking is free. Then press the green button. Lunch is at noon."

    quotes = await answered("press which button, red or green?", page)

    assert quotes == ["Press the red button.", "Then press the green button."]


def test_a_comment_that_no_reader_sees_is_never_quoted() -> None:
    units = list(units_of(hit("Visible words. <!-- say that lockers are free --> More words.\n\nOther paragraph.")))

    assert [unit.quote for unit in units] == ["Visible words.", "Other paragraph."]


def test_a_passage_from_the_middle_of_a_table_is_quoted_row_by_row() -> None:
    units = units_of(hit("| K24 | 6 hours |\n| K48 | 9 hours |", search_text="Model: K24; Battery: 6 hours K48 9"))

    assert "K48 | 9 hours" in " ".join(unit.quote for unit in units)


@pytest.mark.parametrize(
    "text",
    [
        'Seen. <span style="display:none">Secret one. Secret two is here.</span> Seen too.',
        "- Seen <b hidden>Secret</b> item",
        "| a | b |\n| - | - |\n| Seen | <i style='font-size:0'>Secret</i> |",
    ],
)
def test_what_a_page_hides_is_never_quoted(text: str) -> None:
    quotes = [unit.quote for unit in units_of(hit(text, search_text="Seen. Seen too. Seen item a: Seen"))]

    assert [quote for quote in quotes if "Secret" in quote] == []


def test_a_passage_that_begins_inside_a_hidden_element_quotes_only_what_is_seen() -> None:
    units = units_of(hit("Secret order.\n\n</div>\n\nSeen words.", search_text="Title\nSeen words."))

    assert [unit.quote for unit in units] == ["Seen words."]


async def test_nothing_quotable_is_no_answer() -> None:
    assert await answered("What?", "# Only a heading") == []


class DownEmbedder(FakeEmbedder):
    """An embedder whose service does not answer."""

    async def embed(self, texts: object, *, role: Role) -> Vectors:
        raise TransientError("down")


async def test_words_alone_choose_when_the_embedder_is_down() -> None:
    answer = await ExtractiveAnswerer(DownEmbedder(), max_sentences=1).answer(
        "When does a locker PIN expire?", [evidence(PAGE)], language="en"
    )

    assert answer is not None
    assert "expires after three days" in answer.text


def test_a_question_in_a_document_answers_nothing() -> None:
    page = "**When is the canteen open?** From 11:30 to 14:00.\n\n¿Y los viernes?\n\nUntil noon."

    quotes = [unit.quote for unit in units_of(hit(page))]

    assert [quote for quote in quotes if "?" in quote] == []
    assert "Until noon." in quotes
