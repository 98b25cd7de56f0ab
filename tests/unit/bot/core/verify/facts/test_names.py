"""Names are told from other words, and compared in all their forms."""

import pytest

from bot.core.verify.facts.check import facts_of
from bot.core.verify.facts.names import stems
from bot.core.verify.facts.sounds import sounds_alike, sounds_of
from bot.core.verify.facts.tokens import folded


def names(text: str, language: str) -> list[str]:
    return [fact.shown for fact in facts_of(text, language) if fact.kind == "name"]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Ask Ivan Petrov about it.", "en", ["Ivan", "Petrov"]),
        ("Lockers are grey.", "en", []),
        ("FastAPI is fast.", "en", ["FastAPI"]),
        ("HTTP is a protocol.", "en", ["HTTP"]),
        ("I think I'm late.", "en", []),
        ("Мы живём в Москве.", "ru", ["Москве"]),
        ("Мы рады Вам и Вашим гостям.", "ru", []),
        ("Запустите uvicorn сами.", "ru", ["uvicorn"]),
        ("Номер НДС обязателен.", "ru", ["НДС"]),
        ("Мій друг з Івано-Франківська.", "uk", ["Івано", "Франківська"]),
        ("Vivo en Sevilla.", "es", ["Sevilla"]),
        ("Ich habe den Schlüssel und die API.", "de", ["API"]),
        ("THE DOOR MUST STAY SHUT.", "en", []),
    ],
)
def test_a_capital_inside_a_sentence_makes_a_name(text: str, language: str, expected: list[str]) -> None:
    assert names(text, language) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Москва", "Москвой"),
        ("Харків", "Харкова"),
        ("Київ", "Києві"),
        ("Ольга", "Ольгою"),
        ("Ivan's", "Ivan"),
        ("API", "APIs"),
        ("Málaga", "Malaga"),
    ],
)
def test_forms_of_one_name_share_a_stem(one: str, other: str) -> None:
    assert stems(folded(one)) & stems(folded(other))


@pytest.mark.parametrize(("one", "other"), [("Мария", "Марина"), ("Москва", "Казань"), ("Ivan", "Igor")])
def test_two_names_share_no_stem(one: str, other: str) -> None:
    assert not stems(folded(one)) & stems(folded(other))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Київ", "The office in Kyiv"),
        ("Киев", "The office in Kyiv"),
        ("Конфлюенс", "Open Confluence"),
        ("Уильям", "King William"),
        ("Пробоул", "the Pro Bowl"),
        ("Warsaw", "в Варшаве"),
        ("Nobel", "Нобелевской премии"),
        ("НАСА", "by NASA"),
    ],
)
def test_a_name_is_heard_in_another_script(name: str, text: str) -> None:
    assert sounds_alike(folded(name), sounds_of(text))


@pytest.mark.parametrize(
    ("name", "text"), [("Казань", "The office in Kyiv"), ("Пётр", "Ask Maria"), ("AWS", "в Азуре")]
)
def test_another_name_is_not_heard(name: str, text: str) -> None:
    assert not sounds_alike(folded(name), sounds_of(text))
