"""A webhook desk's table, and its secret."""

import base64

import pytest
from pydantic import ValidationError

from bot.desks.webhook_settings import WebhookDeskSettings, secrets_of
from knowledge.errors import SettingsProblem

GOOD = "whsec_" + base64.b64encode(b"0" * 32).decode()
VARIABLE = "DESK_WEBHOOK_SECRET"


def settings(url: str = "https://desk.example.org/hook", *, local: bool = False) -> WebhookDeskSettings:
    return WebhookDeskSettings(name="it", url=url, local=local)


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("https://desk.example.org/hook?token=t", False),
        ("https://10.0.0.7/hook", True),
        ("http://127.0.0.1:8080/hook", True),
        ("http://[::1]:8080/hook", True),
        ("http://localhost/hook", True),
    ],
)
def test_an_address_that_nobody_listens_to_on_the_way_is_taken(url: str, local: bool) -> None:
    assert settings(url, local=local).url == url


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://desk.example.org/hook", False),
        ("http://desk.example.org/hook", True),
        ("http://127.0.0.1/hook", False),
        ("http://127.0.0.1.example.org/hook", True),
        ("ftp://127.0.0.1/hook", True),
        ("https:///hook", False),
        ("https://ann:secret@desk.example.org/hook", False),
    ],
)
def test_any_other_address_is_refused(url: str, local: bool) -> None:
    with pytest.raises(ValidationError):
        settings(url, local=local)


@pytest.mark.parametrize("given", [GOOD, GOOD.removeprefix("whsec_")])
def test_a_secret_is_read_with_its_prefix_or_without(given: str) -> None:
    assert secrets_of(settings(), {VARIABLE: f" {given}\n"}) == (given,)


def test_two_secrets_are_read_while_one_takes_the_place_of_the_other() -> None:
    assert secrets_of(settings(), {VARIABLE: f"{GOOD} {GOOD[:-4]}{GOOD[-4:]}"}) == (GOOD, GOOD)


@pytest.mark.parametrize("given", ["", "canary", "whsec_canary", f"{GOOD} canary", "whsec_" + "0" * 4, GOOD + GOOD * 2])
def test_what_is_no_secret_is_refused_without_being_shown(given: str) -> None:
    with pytest.raises(SettingsProblem, match=VARIABLE) as raised:
        secrets_of(settings(), {VARIABLE: given})

    assert "canary" not in str(raised.value)


def test_the_variable_of_the_secret_can_be_another_one() -> None:
    own = WebhookDeskSettings(name="it", url="https://desk.example.org", secret_env="IT_SECRET")

    assert secrets_of(own, {"IT_SECRET": GOOD}) == (GOOD,)
