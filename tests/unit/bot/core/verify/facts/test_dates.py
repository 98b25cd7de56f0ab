"""Dates, weekdays and times are the same in every notation."""

import pytest

from bot.core.verify.facts.check import facts_of


def dates(text: str, language: str) -> list[str]:
    return [fact.value for fact in facts_of(text, language) if fact.kind == "date"]


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("on March 5, 2024", "en", "2024-m3-5"),
        ("on 5th of March 2024", "en", "2024-m3-5"),
        ("on Mar. 5, 2024", "en", "2024-m3-5"),
        ("on 2024-03-05", "en", "2024-m3-5"),
        ("5 марта 2024 г.", "ru", "2024-m3-5"),
        ("5-го марта 2024 года", "ru", "2024-m3-5"),
        ("05.03.2024", "ru", "2024-m3-5"),
        ("5 березня 2024 року", "uk", "2024-m3-5"),
        ("el 5 de marzo de 2024", "es", "2024-m3-5"),
        ("el 5 de marzo del año 2024", "es", "2024-m3-5"),
        ("в марте 2024", "ru", "2024-m3"),
        ("in May", "en", "m5"),
        ("at 3 pm", "en", "15:00"),
        ("at 3:05 p.m.", "en", "15:05"),
        ("at 12 am", "en", "0:00"),
        ("at noon", "en", "12:00"),
        ("в 9 утра", "ru", "9:00"),
        ("в 3 часа дня", "ru", "15:00"),
        ("о 7 вечора", "uk", "19:00"),
        ("a las 9 de la mañana", "es", "9:00"),
        ("on Monday", "en", "1"),
        ("в понедельник", "ru", "1"),
        ("у понеділок", "uk", "1"),
        ("el lunes", "es", "1"),
    ],
)
def test_a_date_is_read(text: str, language: str, value: str) -> None:
    assert dates(text, language) == [value]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("it may march on", "en"),
        ("the sun sat there", "en"),
        ("виртуальная среда", "ru"),
        ("2 дня", "ru"),
        ("31.02 of it", "en"),
    ],
)
def test_a_word_like_a_date_is_none(text: str, language: str) -> None:
    assert dates(text, language) == []


def test_both_days_of_a_range_are_dates() -> None:
    assert sorted(dates("с 5–7 марта 2024", "ru")) == ["2024-m3-5", "2024-m3-7"]
