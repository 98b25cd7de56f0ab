"""Facts of a sentence are found again in a passage that says the same, and only there."""

import pytest

from bot.core.verify.facts.check import Fact, facts_of, missing_facts

# (language of the sentence, sentence, language of the passage, passage that says the same)
RESTATED = [
    ("en", "The PIN works for three days.", "en", "A PIN is valid for 3 days."),
    ("en", "Wait 30 minutes.", "en", "It takes half an hour."),
    ("en", "Wait 30 minutes.", "en", "It takes 30 min."),
    ("en", "The fee is 5%.", "en", "We charge five percent."),
    ("en", "The fee is 5 per cent.", "en", "We charge 5 % of it."),
    ("en", "It costs 5 dollars.", "en", "It costs $5."),
    ("en", "It costs €1.90.", "en", "A return costs 1.90 EUR."),
    ("en", "It costs €1.9.", "en", "A return costs €1.90."),
    ("en", "The limit is 1,200 requests.", "en", "The limit is 1200 requests."),
    ("en", "The limit is 1 200 requests.", "en", "The limit is 1,200 requests."),
    ("en", "Two hundred and five people came.", "en", "205 people came."),
    ("en", "Twenty-one days.", "en", "21 days."),
    ("en", "It holds 2.5 million rows.", "en", "It holds 2,500,000 rows."),
    ("en", "A dozen lockers.", "en", "12 lockers."),
    ("en", "It lasts 3–5 days.", "en", "It lasts from 3 to 5 days."),
    ("en", "It lasts three to five days.", "en", "It lasts 3-5 days."),
    ("en", "Answers come within 3 days.", "en", "Answers come within 3 working days."),
    ("en", "The cursor lives for 1 hour.", "en", "A cursor is good for an hour."),
    ("en", "60 requests per 1 minute.", "en", "60 requests per minute."),
    ("en", "The first answer takes 16 hours.", "en", "Plan: Starter; First answer, hours: 16"),
    ("en", "It closes at 3 pm.", "en", "It closes at 15:00."),
    ("en", "It closes at 3:30 p.m.", "en", "It closes at 15:30."),
    ("en", "It opens at noon.", "en", "It opens at 12:00."),
    ("en", "Until March 5, 2024.", "en", "Until 5 March 2024."),
    ("en", "Until March 5th, 2024.", "en", "Until 2024-03-05."),
    ("en", "Until 3/5/2024.", "en", "Until March 5, 2024."),
    ("en", "Until 5 March.", "en", "Until 2024-03-05."),
    ("en", "In March 2024.", "en", "On March 5, 2024."),
    ("en", "Since Python v3.11.2.", "en", "Needs Python 3.11.2 or later."),
    ("en", "Since Python 3.11+.", "en", "Needs Python 3.11."),
    ("en", "See https://Kestrel.example/docs.", "en", "See https://kestrel.example/docs/ for more."),
    ("en", "Error kl-5029 means this.", "en", "The error is `KL-5029`."),
    ("en", "The report of Ivan's team.", "en", "Ivan wrote it with his team."),
    ("en", "Run `pip install fastapi` first.", "en", "First run pip  install fastapi."),
    ("en", "It was the 19th century.", "en", "It was the nineteenth century."),
    ("en", "It was the XIX century.", "en", "It was the 19th century."),
    ("en", "It was in the 1990s.", "en", "It began in the 1990s."),
    ("en", "At -5 °C it stops.", "en", "At −5 °C the motor stops."),
    ("ru", "Код действует трое суток, то есть 3 дня.", "ru", "Код действует 3 дня."),
    ("ru", "Код действует трёх дней.", "ru", "Срок — 3 дня."),
    ("ru", "Код действует 3-х дней.", "ru", "Срок — три дня."),
    ("ru", "Трёхдневный срок.", "ru", "Срок 3 дня."),
    ("ru", "С двадцатью пятью шкафами.", "ru", "25 шкафов."),
    ("ru", "Ждите 30 минут.", "ru", "Ждите полчаса."),
    ("ru", "Ждите 30 мин.", "ru", "Ждите тридцать минут."),
    ("ru", "Это 5 процентов.", "ru", "Это 5 %."),
    ("ru", "Это стоит 5 долларов.", "ru", "Это стоит $5."),
    ("ru", "До 1 200 запросов.", "ru", "До 1\u202f200 запросов."),
    ("ru", "Это 2,5 млн рублей.", "ru", "Это 2 500 000 рублей."),
    ("ru", "Полтора года — это 1,5 года.", "ru", "Срок 1,5 года."),
    ("ru", "До 5 марта 2024 года.", "ru", "До 05.03.2024."),
    ("ru", "Работаем с 9 до 18 часов.", "ru", "Работаем с 9:00 до 18:00."),
    ("ru", "По понедельникам закрыто.", "ru", "Понедельник: закрыто"),
    ("ru", "Мы живём в Москве.", "ru", "Город Москва."),
    ("ru", "Спросите у Ивана Петровича.", "ru", "Вам поможет Иван Петрович."),
    ("ru", "В двадцать первом веке.", "ru", "В XXI веке."),
    ("uk", "Код діє протягом п'яти днів.", "uk", "Код діє 5 днів."),
    ("uk", "Код діє п’ять днів.", "uk", "Код діє 5 днів."),
    ("uk", "Чекайте 24 години.", "uk", "Чекайте 24 год."),
    ("uk", "Це коштує 0,32 євро.", "uk", "Вартість 0,32 €."),
    ("uk", "До 5 березня 2024 року.", "uk", "До 05.03.2024."),
    ("uk", "Ми живемо у Києві.", "uk", "Місто Київ."),
    ("uk", "Запитайте у Харкові.", "uk", "Місто Харків."),
    ("uk", "Пів року.", "uk", "6 місяців."),
    ("es", "Dura tres días.", "es", "Dura 3 días."),
    ("es", "Treinta y cinco días.", "es", "35 días."),
    ("es", "Cuesta 1.200,50 €.", "es", "Cuesta 1200,50 euros."),
    ("es", "Es el 5 por ciento.", "es", "Es el 5 %."),
    ("es", "Espere media hora.", "es", "Espere 30 minutos."),
    ("es", "Son dos millones.", "es", "Son 2 000 000."),
    ("es", "El 25 de diciembre de 2024.", "es", "El 25/12/2024."),
    ("es", "A las 3 de la tarde.", "es", "A las 15:00."),
    ("es", "Los lunes cerramos.", "es", "Cerrado: lunes"),
    ("es", "Pregunte en Málaga.", "es", "Oficina de Malaga."),
    ("ru", "Код действует 3 дня.", "en", "A PIN is valid for three days."),
    ("ru", "Лимит — 1 200 запросов в минуту.", "en", "The limit is 1,200 requests per minute."),
    ("ru", "До 5 марта 2024 года.", "en", "Until March 5, 2024."),
    ("ru", "Каждый понедельник в 15:00.", "en", "Every Monday at 3 pm."),
    ("ru", "Откройте Конфлюенс.", "en", "Open Confluence."),
    ("ru", "Офис в Киеве.", "uk", "Офіс у Києві."),
    ("ru", "Ошибка KL-5029 значит, что шкаф занят.", "en", "KL-5029 means that the locker is busy."),
    ("uk", "Офіс у Києві.", "en", "The office is in Kyiv."),
    ("uk", "Рахунок на 5 євро до 5 березня.", "en", "An invoice of €5 by March 5."),
    ("es", "Dura 24 horas.", "ru", "Длится двадцать четыре часа."),
    ("es", "La factura llega el 5 de marzo.", "en", "The invoice comes on March 5th."),
    ("en", "Kyiv is open on Monday.", "uk", "Київ працює в понеділок."),
    ("de", "Der Code gilt 3 Tage und kostet 1,90 €.", "de", "Gültig: 3 Tage, Preis 1,90 €."),
    ("zh", "代码有效期为3天，错误KL-5029。", "zh", "有效3天。KL-5029"),
    ("ar", "المدة ٣٠ يوما", "en", "It takes 30 days."),
]


@pytest.mark.parametrize(("language", "sentence", "other", "passage"), RESTATED)
def test_facts_that_are_written_another_way_are_found(language: str, sentence: str, other: str, passage: str) -> None:
    assert missing_facts(sentence, language, [(passage, other)]) == ()


# (language of the sentence, sentence, language of the passage, passage, what it does not have)
CHANGED = [
    ("en", "It works for 3 hours.", "en", "It works for 3 days.", "3 hours"),
    ("en", "It works for 4 days.", "en", "It works for 3 days.", "4 days"),
    ("en", "It works for four days.", "en", "It works for three days.", "four days"),
    ("en", "It costs $5.", "en", "It costs €5.", "$5"),
    ("en", "It takes 5% off.", "en", "It takes $5 off.", "5%"),
    ("en", "It stops at 5 °C.", "en", "It stops at -5 °C.", "5 °C"),
    ("en", "Needs Python 3.1.", "en", "Needs Python 3.10.", "3.1"),
    ("en", "Needs 1.2.4.", "en", "Needs 1.2.3.", "1.2.4"),
    ("en", "The second payment is free.", "en", "The first payment is free.", "second"),
    ("en", "The first payment is free.", "en", "The second payment is free.", "first"),
    ("en", "Until March 6, 2024.", "en", "Until March 5, 2024.", "March 6, 2024"),
    ("en", "Until April 5, 2024.", "en", "Until March 5, 2024.", "April 5, 2024"),
    ("en", "Until March 5, 2023.", "en", "Until March 5, 2024.", "March 5, 2023"),
    ("en", "It opens at 3 am.", "en", "It opens at 3 pm.", "3 am"),
    ("en", "Open on Tuesday.", "en", "Open on Monday.", "Tuesday"),
    ("en", "The error is KL-5028.", "en", "The error is KL-5029.", "KL-5028"),
    ("en", "Set max_length there.", "en", "Set min_length there.", "max_length"),
    ("en", "Use the --fast flag.", "en", "Use the --slow flag.", "--fast"),
    ("en", "See https://a.example/x.", "en", "See https://a.example/y.", "https://a.example/x"),
    ("en", "See https://b.example/x.", "en", "See https://a.example/x.", "https://b.example/x"),
    ("en", "Write to a@kestrel.example.", "en", "Write to b@kestrel.example.", "a@kestrel.example"),
    ("en", "Ask Maria about it.", "en", "Ask Peter about it.", "Maria"),
    ("en", "It answers over HTTPS.", "en", "It answers over FTP.", "HTTPS"),
    ("en", "Run `pip install flask` first.", "en", "Run `pip install fastapi` first.", "pip install flask"),
    ("en", 'Choose the "Report a fault" label.', "en", 'Choose the "Report a problem" label.', "fault"),
    ("ru", "Код действует 3 часа.", "ru", "Код действует 3 дня.", "3 часа"),
    ("ru", "Код действует четыре дня.", "ru", "Код действует три дня.", "четыре дня"),
    ("ru", "Пятидневный срок.", "ru", "Трёхдневный срок.", "Пятидневный"),
    ("ru", "До 5 апреля.", "ru", "До 5 марта.", "5 апреля"),
    ("ru", "Мы живём в Казани.", "ru", "Мы живём в Москве.", "Казани"),
    ("ru", "Спросите Марину.", "ru", "Спросите Марию.", "Марину"),
    ("ru", "Откройте «Настройки → Тариф».", "ru", "Откройте «Настройки → Оплата».", "Тариф"),
    ("ru", "Выполните pip install.", "ru", "Выполните npm install.", "pip"),
    ("uk", "Код діє 4 дні.", "uk", "Код діє 3 дні.", "4 дні"),
    ("uk", "Код діє 24 дні.", "uk", "Код діє 24 години.", "24 дні"),
    ("uk", "Офіс у Львові.", "uk", "Офіс у Києві.", "Львові"),
    ("es", "Dura 3 horas.", "es", "Dura 3 días.", "3 horas"),
    ("es", "Dura 1 día.", "es", "Dura 5 días. El día empieza.", "1 día"),
    ("es", "Hay 2 casilleros.", "es", "Hay una taquilla.", "2"),
    ("es", "El 25 de enero.", "es", "El 25 de diciembre.", "25 de enero"),
    ("es", "La oficina de Sevilla.", "es", "La oficina de Madrid.", "Sevilla"),
    ("ru", "Код действует 4 дня.", "en", "It works for three days.", "4 дня"),
    ("ru", "Код действует 3 часа.", "en", "It works for three days.", "3 часа"),
    ("ru", "Офис в Казани.", "en", "The office is in Kyiv.", "Казани"),
    ("es", "La factura llega el 6 de marzo.", "en", "The invoice comes on March 5th.", "6 de marzo"),
    ("en", "Write to Peter on Monday.", "uk", "Напишіть Марії у понеділок.", "Peter"),
    ("zh", "代码有效期为4天。", "zh", "有效3天。", "4"),
]


@pytest.mark.parametrize(("language", "sentence", "other", "passage", "missing"), CHANGED)
def test_a_changed_fact_is_missing(language: str, sentence: str, other: str, passage: str, missing: str) -> None:
    assert missing in missing_facts(sentence, language, [(passage, other)])


def test_a_fact_has_its_kind_its_value_and_how_it_is_written() -> None:
    facts = facts_of("Send KST-0231 within three days to a@kestrel.example, says Ivan.", "en")

    assert set(facts) == {
        Fact("code", "kst0231", "KST-0231"),
        Fact("number", "3 day", "three days"),
        Fact("email", "a@kestrel.example", "a@kestrel.example"),
        Fact("name", "ivan", "Ivan"),
    }


def test_a_year_may_stand_in_the_heading() -> None:
    windows = [("The fair opens on March 5.", "en"), ("Plans for 2024", "en")]

    assert missing_facts("The fair opens on March 5, 2024.", "en", windows) == ()


def test_nothing_is_borne_out_without_a_window() -> None:
    assert missing_facts("It takes 3 days.", "en", []) == ("3 days",)


def test_a_translated_title_is_not_asked_for_in_another_language() -> None:
    windows = [("Open “Settings and billing”.", "en")]

    assert missing_facts("Откройте «Настройки и оплата».", "ru", windows) == ()


@pytest.mark.parametrize(
    ("sentence", "missing"),
    [
        ("Используйте `Kestrel` для отправки.", ()),
        ("Используйте Sparrow для отправки.", ("Sparrow",)),
        ("Используйте класс для отправки.", ()),
    ],
)
def test_a_heading_bears_out_no_name_in_the_place_of_the_passage_s_own(sentence: str, missing: tuple[str, ...]) -> None:
    windows = [("Use Kestrel to send it.", "en"), ("Kestrel and Sparrow", "en")]

    assert missing_facts(sentence, "ru", windows) == missing


@pytest.mark.parametrize(("passage", "missing"), [("There are two boxes.", ("семью",)), ("We love the family.", ())])
def test_a_word_that_may_be_a_number_is_one_where_the_passage_has_another(
    passage: str, missing: tuple[str, ...]
) -> None:
    assert missing_facts("Здесь шкаф с семью ячейками.", "ru", [(passage, "en")]) == missing


def test_a_known_acronym_may_be_spelled_out_in_another_language() -> None:
    windows = [("Документация имеет интерфейс и идентификатор.", "ru")]

    assert missing_facts("The docs have a UI and an ID.", "en", windows) == ()
