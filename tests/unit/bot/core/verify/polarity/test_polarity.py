"""A sentence agrees with its text only if it says the same in negation, modality, limits, conditions and order."""

import pytest

from bot.core.verify.polarity.across import disagreement_across
from bot.core.verify.polarity.check import disagreement

DIFFERENT = [
    ("en", "You may bring a dog.", "You may not bring a dog.", "modality: may/must not"),
    ("en", "Refunds are paid in cash.", "Refunds are not paid in cash.", "negation added"),
    ("en", "The trial ends without notice.", "The trial ends with notice.", "negation dropped"),
    ("en", "You must return the key.", "You may return the key.", "modality: must/may"),
    ("en", "You should return the key.", "You must return the key.", "modality: should/must"),
    ("en", "The data is deleted.", "The data may be deleted.", "modality added"),
    ("en", "Only owners can remove lockers.", "Owners can remove lockers.", "only dropped"),
    (
        "en",
        "If the card is declined, the console turns read-only.",
        "The console turns read-only.",
        "condition dropped",
    ),
    ("en", "Refunds are paid unless the box was opened.", "Refunds are paid.", "condition dropped"),
    ("en", "Every plan is free except Enterprise.", "Every plan is free.", "except dropped"),
    ("en", "Install the update before you restart.", "Install the update after you restart.", "order: before/after"),
    ("en", "Choose at least 8 characters.", "Choose at most 8 characters.", "limit: at least/at most"),
    ("en", "The log is usually kept.", "The log is always kept.", "frequency: usually/always"),
    ("en", "Some plans include messages.", "All plans include messages.", "quantity: some/all"),
    ("en", "The option enables caching.", "The option disables caching.", "opposite: enables/disables"),
    ("en", "Denver beat Carolina in the final.", "Carolina beat Denver in the final.", "order"),
    ("en", "The courier keeps the parcel.", "The courier keeps the receipt.", "wording: parcel/receipt"),
    ("ru", "Деньги не возвращаются.", "Деньги возвращаются.", "negation dropped"),
    ("ru", "Вход с собакой запрещён.", "Вход с собакой разрешён.", "modality: must not/may"),
    ("ru", "Счёт нужно оплатить.", "Счёт можно оплатить.", "modality: must/can"),
    ("ru", "Если счёт не оплачен, шкаф отключается.", "Шкаф отключается.", "condition dropped"),
    ("ru", "Не более 3 адресов на счёт.", "Не менее 3 адресов на счёт.", "limit: at most/at least"),
    ("uk", "Гроші не повертаються.", "Гроші повертаються.", "negation dropped"),
    ("uk", "Ключ потрібно повернути.", "Ключ можна повернути.", "modality: must/can"),
    ("uk", "Якщо рахунок не сплачено, шафа вимикається.", "Шафа вимикається.", "condition dropped"),
    ("es", "El dinero no se devuelve.", "El dinero se devuelve.", "negation dropped"),
    ("es", "Debe devolver la llave.", "Puede devolver la llave.", "modality: must/may"),
    ("es", "Si la factura está pagada, el armario se abre.", "El armario se abre.", "condition dropped"),
]
SAME = [
    ("en", "You cannot cancel the order.", "You can't cancel the order."),
    ("en", "No payment card is needed.", "You don't need a payment card."),
    ("en", "Refunds are not paid unless you ask.", "Unless you ask, refunds are not paid."),
    ("en", "You use the service for a year.", "You can use the service for a year."),
    ("en", "Dogs are welcome, but not on the sofa.", "Dogs are welcome, but not on the sofa!"),
    ("en", "Pay before the end of May.", "Before the end of May, pay."),
    ("en", "The trial is short (but not free). It ends in June.", "The trial is short. It ends in June."),
    ("en", "Starter is small. Campus is not.", "Starter is small."),
    ("ru", "Никто не платит за хранение.", "За хранение не платит никто."),
    ("ru", "Посылку нельзя забрать без кода.", "Без кода посылку забрать нельзя."),
    ("uk", "Ключ не потрібно повертати.", "Повертати ключ не треба."),
    ("es", "Nadie paga el almacenaje.", "El almacenaje no lo paga nadie."),
    ("xx", "Iri ne povas veni.", "Iri povas veni."),
]
ACROSS = [
    ("ru", "Деньги не возвращаются.", "en", "The money is not refunded.", None),
    ("ru", "Деньги возвращаются.", "en", "The money is not refunded.", "negation dropped"),
    ("es", "Solo el dueño puede borrar.", "en", "Only the owner can delete.", None),
    ("es", "El dueño puede borrar.", "en", "Only the owner can delete.", "only dropped"),
    ("uk", "Ключ можна повернути.", "en", "You must return the key.", "modality: must/may"),
    ("uk", "Ключ потрібно повернути.", "en", "You should return the key.", None),
    ("en", "Restart it after the update.", "ru", "Перезапустите его перед обновлением.", "order: before/after"),
    ("en", "The key is returned.", "xx", "Ŝlosilo ne estas.", None),
    # What one language words without a negation, and what stands in an identifier or is kept as it is.
    ("en", "The box stays unlabelled.", "es", "La caja queda sin etiqueta.", None),
    ("en", "You do not have to label it.", "uk", "Підписувати її необов'язково.", None),
    ("ru", "Он не хранит ни имён, ни адресов.", "en", "It does not store names or addresses.", None),
    ("ru", "Ничего сделать нельзя.", "en", "Nothing can be done.", None),
    ("en", "Run it with --no-cache-dir.", "ru", "Запустите с --no-cache-dir.", None),
    ("en", "It answers 403 Forbidden.", "ru", "Он отвечает 403 Forbidden.", None),
    ("en", "It is no longer paid for.", "es", "Ya no se paga.", None),
    ("en", "It needs a key.", "ru", "Ему необходим ключ.", None),
    ("ru", "Он хранит имена.", "en", "It does not store names.", "negation dropped"),
    (
        "en",
        "It runs with fastapi-cloud-cli: see standard-no-fastapi-cli.",
        "ru",
        "Он работает без fastapi-cloud-cli.",
        "negation dropped",
    ),
]


@pytest.mark.parametrize(("language", "text", "sentence", "label"), DIFFERENT)
def test_tells_how_a_sentence_differs_from_its_text(language: str, text: str, sentence: str, label: str) -> None:
    assert disagreement(sentence, text, language) == label


@pytest.mark.parametrize(("language", "text", "sentence"), SAME)
def test_the_same_in_other_words_is_no_difference(language: str, text: str, sentence: str) -> None:
    assert disagreement(sentence, text, language) is None


@pytest.mark.parametrize(("language", "sentence", "other", "text", "label"), ACROSS)
def test_compares_across_languages(language: str, sentence: str, other: str, text: str, label: str | None) -> None:
    assert disagreement_across(sentence, language, text, other) == label


def test_a_value_of_one_row_is_not_said_of_another() -> None:
    rows = "Plan: Office; Price: €69; Lockers: 5\nPlan: Campus; Price: €99; Lockers: 20"

    assert disagreement("The Office plan has a price of €69.", rows, "en") is None
    assert disagreement("The Office plan has a price of €99.", rows, "en") == "mixed"
