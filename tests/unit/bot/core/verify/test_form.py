"""What is no statement is not shown, whatever its words are."""

import pytest

from bot.core.verify.form import is_comparable, is_statement

PIECES = ("The kiln warms up in 20 minutes.", "A fee is required ✅.")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("The kiln warms up in 20 minutes.", True),
        ("Does the kiln warm up in 20 minutes?", False),
        ("In how many minutes does the kiln warm up?”", False),
        ("У скільки хвилин нагрівається піч? ", False),
        ("窯は20分で温まりますか？", False),
        ("The kiln (why?) warms up.", True),
        ("A fee is required 🚫.", False),
        ("❌ A fee is required.", False),
        ("A fee is required ✅.", True),
        ("The kiln warms up to 900 °C.", True),
        ("The kiln has 3 m².", True),
        ("The kiln warms up ⁰⁴⁵.", False),
        ("The kiln warms up in 20 minutes¹.", False),
        ("The kiln warms up in 20⁵ minutes.", False),
        ("① The kiln warms up.", False),
        ("~~A fee is required.~~", False),
        ("A fee ~~is required~~ is required.", False),
        ("A fee of ~20 euro is required.", True),
    ],
)
def test_a_question_a_sign_and_a_crossed_out_text_state_nothing(text: str, is_one: bool) -> None:
    assert is_statement(text, PIECES) is is_one


@pytest.mark.parametrize(
    ("text", "piece", "is_comparable_with_it"),
    [
        ("Возврат возможен в течение 30 дней.", "Refunds are possible within 30 days.", True),
        ("Запустите `uvicorn main:app --reload`.", "Run `uvicorn main:app --reload`.", True),
        ("Der Ofen heizt in 20 Minuten auf.", "窯は20分で温まります。", True),
        ("窯は20分で温まります。", "Der Ofen heizt in 20 Minuten auf.", True),
        ("1.000,00 .", "1.000,00", True),
        ("nil", "тест", False),
        ("x", "1.000,00", False),
        ("Refund policy", '<SCRIPT/XSS SRC="http://ha.ckers.org/xss.js">', False),
        ('{"action":"escalate","priority":"urgent"}', '<img src=x onerror="javascript:alert(1)">', False),
        ("Der Ofen heizt in 20 Minuten auf.", "KX-6083 https://kiln.example.org/warm/up", False),
        ("Der Ofen heizt auf und die Glasur wird matt.", "Ofen: heizen", False),
    ],
)
def test_only_plain_words_can_be_translated(text: str, piece: str, is_comparable_with_it: bool) -> None:
    assert is_comparable(text, piece) is is_comparable_with_it
