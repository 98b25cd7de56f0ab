"""Who only thanks asks nothing; whoever says more does."""

import pytest

from bot.core.courtesy import is_courtesy


@pytest.mark.parametrize(
    "text",
    [
        "Thanks!",
        "ok, thank you very much :pray:",
        "Great 👍",
        ":+1:",
        "🙏",
        "Спасибо большое!",
        "Дуже дякую, все вийшло",
        "¡Muchísimas gracias!",
        "Vale, gracias.",
    ],
)
def test_thanks_are_no_question(text: str) -> None:
    assert is_courtesy(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "???",
        "ok?",
        "Thanks, and how do I renew it",
        "thankless",
        "Okay so the VPN",
        "VPN",
        "24",
        "Спасибо, а сколько это стоит",
        "Понятно?",
        "Gracias por nada de lo del hotel",
    ],
)
def test_what_says_more_is_a_question(text: str) -> None:
    assert not is_courtesy(text)
