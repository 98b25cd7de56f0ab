"""A ticket becomes a question in general words, and the answer as the person wrote it."""

import pytest

from bot.core.learning.draft import clean_answer, general_question, last_words, links_of
from bot.core.learning.entry import Lesson, Said

GENERAL = [
    ("Hi team, my order 4711 hasn't arrived, where is it? Thanks in advance!", "My order hasn't arrived, where is it?"),
    ("Hi Anna, how do I reset my password?", "How do I reset my password?"),
    ("My name is Bob and I need a new badge.", "I need a new badge."),
    ("Привіт! Мене звати Олена Коваль. Коли доставлять замовлення №4711? Дякую!", "Коли доставлять замовлення?"),
    ("Добрий день всім! Де можна припаркувати велосипед?", "Де можна припаркувати велосипед?"),
    (
        "Здравствуйте, Анна! Подскажите, пожалуйста, как вернуть деньги за заказ 12345? Мой номер +380 50 123 45 67.",
        "Как вернуть деньги за заказ?",
    ),
    ("Hola, me llamo Juan. ¿Dónde está mi pedido 88231? Gracias", "¿Dónde está mi pedido?"),
    ("Buenas tardes, una pregunta: ¿abren los sábados?", "¿abren los sábados?"),
    ("Where is the report for 2024?", "Where is the report for 2024?"),
    ("Hi, where is the thanks page?", "Where is the thanks page?"),
    ("High load on port 8080?", "High load on port 8080?"),
]


@pytest.mark.parametrize(("asked", "general"), GENERAL)
def test_a_question_is_put_in_general_words(asked: str, general: str) -> None:
    assert general_question(Lesson(asked, "en", ()))[0] == general


def test_what_was_taken_out_is_told() -> None:
    _, stripped = general_question(Lesson("Привіт, Олено! Пошта ivan@mail.example, замовлення 4711 де?", "uk", ()))

    assert [(one.kind, one.text) for one in stripped] == [
        ("name", "Олено"),
        ("email", "ivan@mail.example"),
        ("number", "4711"),
    ]


def test_the_asker_is_named_nowhere() -> None:
    answer, stripped = clean_answer(
        "Вітаю, Олено! Це видно в кабінеті. Олена Коваль має доступ.\n\nЗ повагою, Петро",
        known=["Олена Коваль"],
        shown=lambda kind: f"[{kind}]",
    )

    assert answer == "Це видно в кабінеті. [name] [name] має доступ."
    assert [one.text for one in stripped] == ["Олено", "Олена", "Коваль"]


def test_an_answer_keeps_its_lines_and_links() -> None:
    text = "Two steps:\n\n1. Open https://x.example/a.\n2. Press Save."

    answer, stripped = clean_answer(text, shown=lambda kind: kind)

    assert (answer, stripped) == (text, [])
    assert links_of(answer) == ("https://x.example/a",)


def said(kind: str, text: str, actor: str = "slack:U1") -> Said:
    return Said(kind, text, actor, "Ann")


LAST_WORDS = [
    ([said("claim", ""), said("reply", "One."), said("reply", "Two."), said("close", "")], "One.\n\nTwo."),
    ([said("reply", "Which plan?"), said("follow_up", "Pro.", "asker"), said("reply", "Press Save.")], "Press Save."),
    ([said("reply", "One."), said("note", "He is slow."), said("reply", "Two.")], "One.\n\nTwo."),
    ([said("reply", "Press Save."), said("follow_up", "Thanks!", "asker")], "Press Save."),
    ([said("ask", "Which plan?"), said("draft", "The draft.")], "The draft."),
]


@pytest.mark.parametrize(("events", "words"), LAST_WORDS)
def test_the_answer_is_what_a_person_said_last(events: list[Said], words: str) -> None:
    spoken = last_words(events)

    assert spoken is not None
    assert (spoken.text, spoken.actor, spoken.name) == (words, "slack:U1", "Ann")


def test_where_nobody_answered_there_is_nothing_to_learn() -> None:
    assert last_words([said("claim", ""), said("note", "Who knows?"), said("follow_up", "Hello?", "asker")]) is None
