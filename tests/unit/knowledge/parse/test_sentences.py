"""Sentence borders in several languages, and in texts of any length."""

import pytest

from knowledge.parse.sentences import sentence_spans
from tests.fakes.odd_texts import odd_texts


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["Ask Dr. Smith.", "He knows version 2.3.1!"]),
        ("ru", ["Откройте приложение.", "Нажмите «Сброс»."]),
        ("uk", ["Відкрийте застосунок.", "Натисніть «Скинути»."]),
        ("es", ["¿Cómo funciona?", "Pulse el botón."]),
        ("zh", ["打开应用。", "点击重置。"]),
        ("xx", ["One here.", "Two there."]),
    ],
)
def test_each_sentence_is_found(language: str, sentences: list[str]) -> None:
    text = "".join(sentences) if language == "zh" else "  ".join(sentences)

    assert [text[start:end] for start, end in sentence_spans(text, language)] == sentences


def test_a_long_text_has_the_sentences_of_its_parts() -> None:
    sentences = [f"Sentence number {number} says a little." for number in range(500)]
    text = " ".join(sentences)

    assert [text[start:end] for start, end in sentence_spans(text, "en")] == sentences


def test_nothing_but_white_space_stands_between_sentences() -> None:
    for text in odd_texts():
        outside, position = [], 0
        for start, end in sentence_spans(text, "en"):
            outside.append(text[position:start])
            position = end
        assert not "".join([*outside, text[position:]]).strip(), text
