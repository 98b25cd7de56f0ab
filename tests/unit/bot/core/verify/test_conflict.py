"""Two sentences contradict each other only if they speak of one thing and nothing but a value or a negation differs."""

import pytest

from bot.core.verify.conflict import contradicts

CONFLICTS = [
    ("en", "The refund period is 30 days.", "The refund period is 90 days."),
    ("en", "You may bring a dog.", "You may not bring a dog."),
    ("en", "The office opens at 9:00.", "The office opens at 10:00."),
    ("en", "The deadline is 5 May 2026.", "The deadline is 6 May 2026."),
    ("en", "The option is enabled by default.", "The option is disabled by default."),
    ("en", "Passwords must have at least 8 characters.", "Passwords must have at least 12 characters."),
    ("ru", "Срок возврата — 30 дней.", "Срок возврата составляет 14 дней."),
    ("ru", "С собакой входить можно.", "С собакой входить нельзя."),
    ("uk", "Паління дозволено на балконі.", "Паління заборонено на балконі."),
    ("es", "El plazo de devolución es de 30 días.", "El plazo de devolución es de 60 días."),
    ("es", "Se puede fumar en la terraza.", "No se puede fumar en la terraza."),
]
BOTH_TRUE = [
    ("en", "Plan A includes 5 users", "Plan B includes 10 users"),
    ("en", "K24: 6 hours", "K48: 9 hours"),
    ("en", "Version 2 costs €29.", "Version 3 costs €49."),
    ("en", "Step 3 asks for the code.", "Step 4 asks for the code."),
    ("en", "In 2014 revenue was 5 million euros.", "In 2015 revenue was 6 million euros."),
    ("en", "The refund period is 30 days.", "The refund period is 30 days after the delivery."),
    ("en", "The refund period is 30 days.", "The refund period for members is 90 days."),
    ("en", "Refunds are possible for 30 days.", "Refunds are not possible after 30 days."),
    ("en", "Courier delivery takes 3 days.", "Postal delivery takes 5 days."),
    ("en", "It costs 5 euros.", "It costs 6 euros."),
    ("en", "The refund period is 30 days.", "The refund period is 30 days."),
    ("en", "", "."),
    ("ru", "Тариф А включает 5 пользователей.", "Тариф Б включает 10 пользователей."),
    ("es", "El plan Casa cuesta 49 €.", "El plan Oficina cuesta 69 €."),
]


@pytest.mark.parametrize(("language", "one", "other"), CONFLICTS)
def test_sees_a_contradiction_from_either_side(language: str, one: str, other: str) -> None:
    assert (contradicts(one, other, language), contradicts(other, one, language)) == (True, True)


@pytest.mark.parametrize(("language", "one", "other"), BOTH_TRUE)
def test_sees_none_where_both_can_be_true(language: str, one: str, other: str) -> None:
    assert (contradicts(one, other, language), contradicts(other, one, language)) == (False, False)
