"""An operator's words are found where they begin a word, in any case and script."""

import pytest

from bot.core.watchwords import mentions


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("I want to SUE you", "sue"),
        ("They sued us", "sue"),
        ("Меня хотят УВОЛИТЬ!", "увол"),
        ("Мене звільняють", "Звільн"),
        ("¿Cuánto es mi SALARIO?", "salario"),
        ("Was ist mit der STRASSE", "straße"),
        ("我想起诉你们", "起诉"),
        ("ｓａｌａｒｙ please", "salary"),
        ("a raise\nof   pay", "raise of pay"),
        ("Wie viel Gehalt/Lohn?", "lohn"),
        ("what about #metoo", "#metoo"),
        ("cafe\u0301 closed", "café"),
    ],
)
def test_a_word_is_found_with_any_ending(text: str, word: str) -> None:
    assert mentions(text, ["other", word])


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The issue with the tissue", "sue"),
        ("education", "cat"),
        ("приволье", "воль"),
        ("anything", ""),
        ("anything", "  "),
        ("1.5", "1?5"),
        ("raise my pay", "raise of pay"),
    ],
)
def test_what_only_looks_like_it_is_not(text: str, word: str) -> None:
    assert not mentions(text, [word])
