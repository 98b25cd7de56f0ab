"""Which language a text is written in."""

import pytest

from knowledge.language import language_of
from tests.fakes.odd_texts import odd_texts


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "How do I reset my password?"),
        ("en", "Reset password"),
        ("fr", "Comment réinitialiser mon mot de passe ?"),
        ("ru", "Как сбросить пароль от личного кабинета?"),
        ("uk", "Як скинути пароль від особистого кабінету?"),
        ("es", "¿Cómo puedo restablecer mi contraseña?"),
        ("zh", "如何重置我的密码？"),
        ("ru", "Как сбросить\nпароль?\n\n" + "Это написано по-русски. " * 500),
    ],
)
def test_the_language_is_recognised(language: str, text: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize("text", ["", " \n", "42", "😀", "-1042"])
def test_without_words_the_default_is_taken(text: str) -> None:
    assert language_of(text, default="uk") == "uk"


def test_any_text_has_a_language() -> None:
    assert all(language_of(text) for text in odd_texts())
