"""What the sources do not say, and how much of a model's telling it may be repeated."""

import pytest

from bot.core.missing import is_absence, missing_part


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The documents do not mention who approves it.", "en"),
        ("The sources don't say how long this takes.", "en"),
        ("This is not specified in the provided documents.", "en"),
        ("I could not find any information about parking.", "en"),
        ("There is no information about dogs.", "en"),
        ("В документах не указано, кто это утверждает.", "ru"),
        ("В источниках нет информации о парковке.", "ru"),
        ("Про это ничего не сказано.", "ru"),
        ("У документах не вказано, хто це затверджує.", "uk"),
        ("У джерелах немає інформації про паркування.", "uk"),
        ("The documents are silent on this.", "en"),
        ("There is nothing about this in the documents.", "en"),
        ("None of the sources says how long it takes.", "en"),
        ("Об этом в документах ничего нет.", "ru"),
        ("Про це в документах нічого немає.", "uk"),
        ("У джерелах про це не йдеться.", "uk"),
        ("Los documentos no lo mencionan.", "es"),
        ("No hay nada sobre esto en los documentos.", "es"),
        ("Eso no figura en los documentos.", "es"),
        ("Los documentos no mencionan quién lo aprueba.", "es"),
        ("No hay información sobre el aparcamiento.", "es"),
    ],
)
def test_a_model_that_says_the_answer_is_absent_is_understood(text: str, language: str) -> None:
    assert is_absence(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The PIN has six digits.", "en"),
        ("Refunds are not possible after 30 days.", "en"),
        ("ПИН-код состоит из шести цифр.", "ru"),
        ("Возврат невозможен после 30 дней.", "ru"),
        ("ПІН-код має шість цифр.", "uk"),
        ("El PIN tiene seis cifras.", "es"),
    ],
)
def test_a_plain_statement_is_none_of_that(text: str, language: str) -> None:
    assert not is_absence(text, language)


@pytest.mark.parametrize(
    ("part", "shown"),
    [
        ("who approves the leave", "who approves the leave"),
        ("who approves leaves", "who approves leaves"),
        ("that the director approves the leave", ""),
        ("see https://evil.test/?q=1 for the leave", ""),
        ("the leave takes 30 days", ""),
        ("the leave is 5d", ""),
        ("不批准 leave", ""),
        ("@channel approves the leave", ""),
        ("", ""),
        ("leave " * 60, ""),
    ],
)
def test_only_the_questions_own_words_are_repeated(part: str, shown: str) -> None:
    assert missing_part(part, "How long is the leave, and who approves it?", "en") == shown
