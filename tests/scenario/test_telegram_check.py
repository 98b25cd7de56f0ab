"""`check` finds what is not right on Telegram's side, and says what to do; the menu is as it should be."""

import time

import pytest

from bot.channels.finding import Finding
from bot.channels.telegram.check import check
from bot.channels.telegram.clients import open_bot
from bot.channels.telegram.menu import show_menu
from bot.channels.telegram.open import build
from bot.channels.telegram.secrets import TelegramSecrets
from bot.channels.telegram.settings import TelegramSettings
from bot.cli import DONE, WRONG_USE
from bot.core.phrases import languages, phrase
from knowledge.errors import SettingsProblem
from tests.fakes.telegram_ports import FakeOffered
from tests.scenario.conftest import Commands
from tests.scenario.telegram_listening import SECRETS, Choice, settings_for
from tests.wire.telegram import ASKER, BOT_NAME, SUPERGROUP, TOKEN, Fault, TelegramServer, telegram_at_work

WEBHOOK = {"mode": "webhook", "public_url": "https://answers.example.com"}
URL = "https://answers.example.com/telegram"


async def found_at(
    telegram: TelegramServer,
    choice: Choice | None = None,
    *,
    secrets: TelegramSecrets = SECRETS,
    volunteers: frozenset[str] = frozenset(),
) -> list[Finding]:
    settings = settings_for(telegram, {"menu": True, **(choice or {})})
    async with open_bot(settings, secrets) as bot:
        return await check(settings, bot, volunteers)


def problems(findings: list[Finding]) -> list[str]:
    return [str(finding) for finding in findings if not finding.is_good]


async def test_a_new_bot_is_as_it_should_be() -> None:
    with telegram_at_work() as telegram:
        findings = await found_at(telegram)

    said = "; ".join(map(str, findings))
    assert problems(findings) == []
    assert all(part in said for part in (f"@{BOT_NAME}", "privacy mode is on", "/setprivacy", "no webhook is set"))


async def test_a_token_that_telegram_refuses_is_told_without_showing_it() -> None:
    with telegram_at_work() as telegram:
        findings = await found_at(telegram, secrets=TelegramSecrets("12345:wrong-one"))

    (problem,) = problems(findings)
    assert "TELEGRAM_BOT_TOKEN" in problem
    assert "@BotFather" in problem
    assert "wrong-one" not in problem


@pytest.mark.parametrize(
    ("privacy_mode", "volunteers", "is_problem"),
    [
        (True, {str(SUPERGROUP)}, True),
        (False, {str(SUPERGROUP)}, False),
        (True, {"C0SLACK"}, False),
        (True, set(), False),
    ],
)
async def test_privacy_mode_is_a_problem_only_where_all_of_a_group_is_to_be_answered(
    privacy_mode: bool, volunteers: set[str], is_problem: bool
) -> None:
    with telegram_at_work() as telegram:
        telegram.privacy_mode = privacy_mode
        findings = await found_at(telegram, volunteers=frozenset(volunteers))

    assert ["add it again" in problem for problem in problems(findings)] == [True] * is_problem


@pytest.mark.parametrize(
    ("choice", "url", "told"),
    [
        ({}, "https://old.example.com/bot12345:test", "a webhook at old.example.com is set"),
        (WEBHOOK, "", "none is set"),
        (WEBHOOK, "https://old.example.com/bot12345:test", "it is at old.example.com"),
        (WEBHOOK, URL, f"webhook: {URL}"),
    ],
)
async def test_where_updates_go_is_told_against_what_is_chosen(choice: Choice, url: str, told: str) -> None:
    with telegram_at_work() as telegram:
        telegram.webhook.url = url
        findings = await found_at(telegram, choice)

    said = "; ".join(map(str, findings))
    assert problems(findings) == []
    assert told in said
    assert "0 updates wait" in said
    assert TOKEN not in said


async def test_a_webhook_that_fails_is_told_with_what_to_look_at() -> None:
    with telegram_at_work() as telegram:
        telegram.says(ASKER, ASKER, "how?")
        telegram.webhook.url = URL
        telegram.webhook.last_error, telegram.webhook.last_error_at = "Connection refused", int(time.time())
        (problem,) = problems(await found_at(telegram, WEBHOOK))

    assert "Connection refused" in problem
    assert "the proxy" in problem


async def test_the_menu_is_set_once_in_each_language_for_both_kinds_of_chats() -> None:
    with telegram_at_work() as telegram:
        async with open_bot(settings_for(telegram), SECRETS) as bot:
            before = await found_at(telegram)
            await show_menu(bot)
            await show_menu(bot)
            after = await found_at(telegram)

    assert len(telegram.calls_of("setMyCommands")) == 2 * (1 + len(languages()))
    menus = {language: commands for (scope, language), commands in telegram.commands.items() if "private" in scope}
    assert {language: commands[0] for language, commands in menus.items()} == {
        language: {"command": "ask", "description": phrase("command_ask", language or "en")}
        for language in ("", *languages())
    }
    told = ["does not show" in str(findings[-1]) for findings in (before, after)]
    assert told == [True, False]


async def test_without_the_menu_nothing_is_lost() -> None:
    with telegram_at_work() as telegram:
        telegram.inject("setMyCommands", Fault.html_502())
        async with open_bot(settings_for(telegram), SECRETS) as bot:
            await show_menu(bot)

    assert telegram.commands == {}


async def test_the_channel_s_check_fails_over_any_problem_and_says_all_else_too() -> None:
    environment = {"TELEGRAM_BOT_TOKEN": TOKEN}
    with telegram_at_work() as telegram:
        stores = FakeOffered(volunteers=frozenset({str(SUPERGROUP)}))
        async with build(settings_for(telegram), offered=stores.offered(), environment=environment) as channel:
            with pytest.raises(SettingsProblem, match="answers_all"):
                await channel.check()
        async with build(settings_for(telegram), offered=FakeOffered().offered(), environment=environment) as channel:
            assert BOT_NAME in await channel.check()


@pytest.mark.parametrize(
    ("settings", "token", "remedy"),
    [
        (TelegramSettings(), "", "BotFather"),
        (TelegramSettings(), "no token", "BotFather"),
        (TelegramSettings(mode="webhook"), TOKEN, "public_url"),
    ],
)
async def test_what_is_missing_to_open_it_is_told(settings: TelegramSettings, token: str, remedy: str) -> None:
    with pytest.raises(SettingsProblem, match=remedy):
        async with build(settings, offered=FakeOffered().offered(), environment={"TELEGRAM_BOT_TOKEN": token}):
            pass


@pytest.mark.parametrize(
    ("question", "code", "told"),
    [
        ("Cómo entro?", DONE, f"https://t.me/{BOT_NAME}?start=q_Q8OzbW8gZW50cm8_"),
        ("How do I renew it?", DONE, f"https://t.me/{BOT_NAME}?start=renewal"),
        ("How " + "very " * 20 + "long", WRONG_USE, "[telegram.questions]"),
    ],
)
def test_the_command_prints_a_link_that_opens_the_bot(commands: Commands, question: str, code: int, told: str) -> None:
    with telegram_at_work() as telegram:
        commands.configure(
            f'[telegram]\napi_url = "{telegram.url}"\n[telegram.questions]\nrenewal = "How do I renew it?"\n'
        )
        done = commands.run("telegram", "deep-link", question, TELEGRAM_BOT_TOKEN=TOKEN)

    assert done.returncode == code
    assert told in (done.stderr if code else done.stdout)
