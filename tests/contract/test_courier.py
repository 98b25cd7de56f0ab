"""The mail hook carries what it is given, or says that it did not; nothing secret stands in what it says."""

import logging
from collections.abc import AsyncIterator

import pytest

from bot.core.linking import Courier
from bot.mail_hook import TOKEN_VARIABLE, open_mail_hook
from bot.tables import LinkingSettings
from knowledge.errors import TransientError
from tests.fakes.links import FakeCourier
from tests.wire.mail_hook import MailHookServer, mail_hook_server

ADDRESS, CODE = "ада@corp.example", "ABCD2345"


@pytest.fixture
async def server() -> AsyncIterator[MailHookServer]:
    async with mail_hook_server() as opened:
        yield opened


def settings(url: str) -> LinkingSettings:
    return LinkingSettings(mail_hook=url, local_mail_hook=True)


async def test_without_a_hook_nothing_is_carried() -> None:
    async with open_mail_hook(LinkingSettings(), {}) as courier:
        assert courier is None


@pytest.mark.parametrize(("environment", "authorized"), [({TOKEN_VARIABLE: "Bearer t"}, "Bearer t"), ({}, None)])
async def test_the_hook_is_told_whom_to_mail_what(
    server: MailHookServer, environment: dict[str, str], authorized: str | None
) -> None:
    async with open_mail_hook(settings(server.url), environment) as courier:
        assert courier is not None
        await courier.carry(ADDRESS, CODE, "uk")

    assert server.told == [{"email": ADDRESS, "code": CODE, "language": "uk"}]
    assert server.authorized_by == [authorized]


@pytest.mark.parametrize("status", [302, 400, 401, 429, 500])
async def test_what_the_hook_does_not_take_was_not_carried(
    server: MailHookServer, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    server.status = status
    caplog.set_level(logging.WARNING)

    async with open_mail_hook(settings(server.url), {TOKEN_VARIABLE: "canary"}) as courier:
        assert courier is not None
        with pytest.raises(TransientError) as raised:
            await courier.carry(ADDRESS, CODE, "en")

    assert str(status) in str(raised.value)
    for secret in (ADDRESS, CODE, "canary", server.url):
        assert secret not in str(raised.value) + caplog.text


async def test_a_hook_that_is_not_there_or_never_answers_carried_nothing(server: MailHookServer) -> None:
    server.wait_s = 60.0

    for url, timeout_s in ((server.url, 0.05), ("http://127.0.0.1:1/mail", 5.0)):
        async with open_mail_hook(settings(url), {}, timeout_s=timeout_s) as courier:
            assert courier is not None
            with pytest.raises(TransientError):
                await courier.carry(ADDRESS, CODE, "en")


async def test_the_fake_keeps_the_same_promises() -> None:
    works, sleeps = FakeCourier(), FakeCourier(works=False)
    courier: Courier = works

    await courier.carry(ADDRESS, CODE, "en")

    assert works.carried == [(ADDRESS, CODE, "en")]
    with pytest.raises(TransientError):
        await sleeps.carry(ADDRESS, CODE, "en")
