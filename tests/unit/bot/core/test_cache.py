"""Equal questions share a key, and nothing else does."""

from itertools import combinations

import pytest

from bot.core.cache import cache_key
from knowledge.types import PUBLIC, Reader


def key_of(question: str) -> bytes:
    return cache_key(question, "en", Reader(), "f")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("How do I reset my VPN password?", "  how do I\n reset  my vpn\u00a0password"),
        ("Reset the PIN.", "reset the pin"),
        ("Как сбросить пароль???", "как сбросить ПАРОЛЬ..."),
        ("Où est la clé ?", "où est la cle\u0301?"),
        ("ОБ'ЇЗД?", "ОБ'ЇЗД"),
        ("如何重置密码？", "如何重置密码"),
        ("كيف أغير كلمة المرور؟", "كيف أغير كلمة المرور"),
        ("Wo ist die STRASSE?", "wo ist die straße"),
    ],
)
def test_blanks_capitals_and_the_mark_at_the_end_make_no_difference(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What does ls -s print?", "What does ls -S print?"),
        ("What is 5!?", "What is 5?"),
        ("What is C#?", "What is C?"),
        ("What does cd .. do", "What does cd . do"),
        ("Where does it go after cd ..?", "Where does it go after cd .?"),
        ("What is error KL-1?", "What is error kl-1?"),
        ("Is it on?", "Is it not on?"),
        ("Чей это чай?", "Чеи это чаи?"),
        ("?", "."),
    ],
)
def test_what_makes_another_question_makes_another_key(one: str, other: str) -> None:
    assert key_of(one) != key_of(other)


def test_no_part_of_a_key_can_be_taken_for_another() -> None:
    keys = [
        cache_key(question, language, Reader(frozenset(tags)), fingerprint)
        for question, language, tags, fingerprint in [
            ("a", "b", [PUBLIC], "f"),
            ("ab", "", [PUBLIC], "f"),
            ('a", "b', None or "", [PUBLIC], "f"),
            ("a", "b", [PUBLIC, "f"], ""),
            ("a", "b", [f"{PUBLIC}f"], ""),
            ("a", "b", [], f"{PUBLIC}f"),
            ("a", None, ["b", PUBLIC], "f"),
        ]
    ]

    assert all(one != other for one, other in combinations(keys, 2))


def test_the_order_of_tags_makes_no_difference() -> None:
    keys = {cache_key("a", None, Reader(frozenset(tags)), "f") for tags in (["x", "y"], ["y", "x"])}

    assert len(keys) == 1
