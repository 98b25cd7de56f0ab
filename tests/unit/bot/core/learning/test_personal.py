"""What tells of a person is found, and what only looks so is left alone."""

import time

import pytest

from bot.core.learning.manners import without_manners
from bot.core.learning.personal import personal, without

FOUND = [
    ("write to olena.k@gmail.com please", "email", "olena.k@gmail.com"),
    ("пишіть на оленка@пошта.укр", "email", "оленка@пошта.укр"),
    ("телефон +380 (50) 123-45-67, дякую", "phone", "+380 (50) 123-45-67"),
    ("call 044 123 45 67 now", "phone", "044 123 45 67"),
    ("llame al 0034612345678", "phone", "0034612345678"),
    ("card 4111 1111 1111 1111 was charged", "card", "4111 1111 1111 1111"),
    ("карта 5500-0000-0000-0004", "card", "5500-0000-0000-0004"),
    ("to UA213223130000026007233566001 please", "iban", "UA213223130000026007233566001"),
    ("DE89 3704 0044 0532 0130 00 is mine", "iban", "DE89 3704 0044 0532 0130 00"),
    ("my passport 12345678", "number", "12345678"),
    ("order 4711 is late", "number", "4711"),
    ("замовлення №4711 не прийшло", "number", "4711"),
    ("мой заказ АБ-12345", "number", "АБ-12345"),
    ("pedido A-4711/2", "number", "A-4711/2"),
    ("from 203.0.113.7 I get an error", "ip", "203.0.113.7"),
    ("from 2001:db8::7 too", "ip", "2001:db8::7"),
    ("ask @olena_k or her boss", "handle", "@olena_k"),
    ("ask <@U012ABCDEF> about it", "user", "<@U012ABCDEF>"),
    ("user U012AB3CD said so", "user", "U012AB3CD"),
    ("see tg://user?id=123456", "user", "tg://user?id=123456"),
    ("open https://x.example/a?token=abc&x=1 now", "secret", "?token=abc&x=1"),
    ("https://ann:secret@x.example/a", "secret", "ann:secret"),
    ("https://x.example/share/AbC123dEf456GhI789jKl0/view", "secret", "AbC123dEf456GhI789jKl0"),
    ("use xoxb-1234567890-abcdefghij", "secret", "xoxb-1234567890-abcdefghij"),
    ("bot 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0", "secret", "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0"),
]
LEFT = [
    "write to support@shop.example",
    "it costs 1 500 000 UAH",
    "from 2024-11-30 to 31.12.2025",
    "in the years 2024-2026",
    "port 8080 of version 5.2.0",
    "open http://127.0.0.1:8000/docs",
    "see https://docs.example/pages/12345678 for more",
    "call us at 14:30, room 305",
    "the order is late",
    "замовлення на 500 гривень",
    "60 requests a minute, 100000 a day",
    "a half of ½ and ²³",
]


@pytest.mark.parametrize(("text", "kind", "piece"), FOUND)
def test_what_tells_of_a_person_is_found(text: str, kind: str, piece: str) -> None:
    found = personal(text)

    assert [(one.kind, text[one.start : one.end]) for one in found] == [(kind, piece)]


@pytest.mark.parametrize("text", LEFT)
def test_what_tells_of_nobody_is_left_alone(text: str) -> None:
    assert personal(text) == []


@pytest.mark.parametrize("text", ["Олена каже", "спитайте Олену", "Оленою сказано", "OLENA says"])
def test_a_known_name_is_found_in_any_case(text: str) -> None:
    found = personal(text, known=["Олена", "Olena"])

    assert [one.kind for one in found] == ["name"]


def test_a_word_that_only_begins_like_a_name_is_left_alone() -> None:
    assert personal("оленячий парк і Олександр", known=["Олена"]) == []


def test_names_that_a_model_found_are_taken_with_the_rest() -> None:
    text = "Ann Lee, +1 202 555 0143"

    assert [one.kind for one in personal(text, names=[(0, 7)])] == ["name", "phone"]


def test_a_link_is_cut_short_and_all_else_is_marked() -> None:
    text = "See https://x.example/a?token=abc or ask ann@mail.example."

    assert without(text, personal(text), lambda kind: f"[{kind}]") == "See https://x.example/a or ask [email]."


@pytest.mark.parametrize(
    "piece",
    ["1 ", "a.", "a@", "@abc ", "Олена ", "order 4711 ", "f:", "order 1", "hi ", "https://a/?token", "Аа ", "-", "(1"],
)
def test_a_huge_text_is_read_in_bounded_time(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    started = time.process_time()

    personal(text, known=["Олена Коваль"])
    without_manners(text)

    assert time.process_time() - started < 5.0
