"""`answerdesk run`, `check` and `slack manifest` with whatever tokens there are; one process, or several."""

import time
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from bot.channels.slack.manifest import BOT_EVENTS, BOT_SCOPES
from bot.cli import DONE, PROBLEM, TERMINATED
from tests.scenario.conftest import Commands
from tests.scenario.slack_bot import EXPIRES, IN_DAYS, slack_bot
from tests.scenario.slack_talk import SLOW, Talk
from tests.wire.bot_process import BotProcess
from tests.wire.slack import ASKER, BOT_TOKEN, MENTION, PRIVATE, PUBLIC, slack_at_work

STOPS_WITHIN_S = 10.0
STARTS_WITHIN_S = 60.0
HEARS_AGAIN_WITHIN_S = 40.0
NO_TOKENS = {"SLACK_BOT_TOKEN": "", "SLACK_APP_TOKEN": "", "TELEGRAM_BOT_TOKEN": ""}


def said(process: BotProcess, *texts: str) -> None:
    """Wait until a process has said something."""
    deadline_s = time.monotonic() + STARTS_WITHIN_S
    while not all(text in process.log.read_text(encoding="utf-8") for text in texts):
        assert time.monotonic() < deadline_s, process.log.read_text(encoding="utf-8")
        assert process.is_running, process.log.read_text(encoding="utf-8")
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("tokens", "told"),
    [
        ({}, ["running: 1 source(s), answers", "slack is off: SLACK_BOT_TOKEN is not set"]),
        (
            {"TELEGRAM_BOT_TOKEN": "secret", "DISCORD_BOT_TOKEN": "secret"},
            [
                "slack is off: SLACK_BOT_TOKEN is not set",
                "telegram is off: TELEGRAM_BOT_TOKEN is no token of a bot",
                "discord is off: DISCORD_BOT_TOKEN is set, but this release has no such channel",
            ],
        ),
        (
            {"SLACK_BOT_TOKEN": "xoxb-1"},
            ["running: 1 source(s), answers", "slack is off: SLACK_APP_TOKEN is not set; it is an app-level token"],
        ),
    ],
    ids=["no tokens", "none that is any good", "half of Slack's"],
)
def test_without_slack_it_says_so_and_keeps_the_knowledge_in_step(
    tmp_path: Path, embedded_home: Path, database_url: str, tokens: Mapping[str, str], told: list[str]
) -> None:
    (tmp_path / "docs").mkdir()
    config = '[log]\nlevel = "info"\n[[sources]]\nname = "docs"\nkind = "folder"\npath = "docs"\n'
    (tmp_path / "answerdesk.toml").write_text(config, encoding="utf-8")
    process = BotProcess(tmp_path, embedded_home, database_url, {**NO_TOKENS, **tokens})
    process.start()
    try:
        said(process, *told, "synced")

        assert process.stop() == TERMINATED
    finally:
        process.kill()
    assert "secret" not in process.log.read_text(encoding="utf-8")


def test_a_token_that_slack_refuses_is_told_with_its_remedy_while_syncs_go_on(
    tmp_path: Path, embedded_home: Path, database_url: str
) -> None:
    wrong = {"SLACK_BOT_TOKEN": "xoxb-wrong"}
    with slack_bot(tmp_path, embedded_home, database_url, secrets=wrong) as at_work:
        at_work.bot.start()

        said(at_work.bot, "invalid_auth", "copy the Bot User OAuth Token (xoxb-) anew", "synced")
        assert at_work.bot.is_running
    assert "xoxb-wrong" not in at_work.bot.log.read_text(encoding="utf-8")


def test_with_both_tokens_slack_is_on_and_a_socket_gone_deaf_is_noticed(
    tmp_path: Path, embedded_home: Path, database_url: str
) -> None:
    """Complaints 7 and 8: the bot shows as online, and has heard nothing for hours."""
    both = {"TELEGRAM_BOT_TOKEN": "secret"}
    with slack_bot(tmp_path, embedded_home, database_url, slack="deaf_minutes = 0.1", secrets=both) as at_work:
        at_work.bot.sync()
        at_work.start()
        said(at_work.bot, "slack is on", "telegram is off")
        before = at_work.slack.says(ASKER, PRIVATE, f"{MENTION} {EXPIRES}")
        at_work.slack.wait_until(lambda: at_work.slack.answers(PRIVATE, thread=before), HEARS_AGAIN_WITHIN_S)
        at_work.slack.deafens()
        ts = at_work.slack.says(ASKER, PUBLIC, f"{MENTION} {EXPIRES}")

        at_work.slack.wait_until(lambda: at_work.slack.answers(PUBLIC, thread=ts), HEARS_AGAIN_WITHIN_S)
        assert "the socket is deaf" in at_work.bot.log.read_text(encoding="utf-8")
        at_work.slack.wait_until(at_work.is_settled)
        assert [IN_DAYS in post.text for post in at_work.slack.answers(PUBLIC)] == [True]


def test_told_to_stop_it_ends_soon_and_the_question_is_answered_by_the_next_one(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    ts = talk.slack.says(asker, room, f"{MENTION} {SLOW}")
    talk.until(lambda: talk.messages(room, "state = 'answering'"))
    started = time.monotonic()
    code = talk.at_work.bot.stop()
    stopped_s = time.monotonic() - started
    talk.at_work.start()

    assert code == TERMINATED
    assert stopped_s < STOPS_WITHIN_S
    assert IN_DAYS in talk.answer(room, ts).text
    talk.settled(room)
    assert len(talk.slack.answers(room)) == 1


def test_two_bots_on_one_database_answer_every_question_once(talk: Talk) -> None:
    asked = [(user, talk.room(user)) for user in (talk.person() for _ in range(6))]
    with talk.beside():
        for user, room in asked * 2:
            talk.slack.says(user, room, f"{MENTION} {SLOW} for {user}")
        for _, room in asked:
            talk.until(lambda room=room: talk.slack.answers(room))  # type: ignore[misc]
            talk.settled(room)

    texts = {room: [post.text for post in talk.slack.answers(room)] for _, room in asked}
    assert {room: [IN_DAYS in text for text in shown] for room, shown in texts.items()} == {
        room: [True] for _, room in asked
    }
    assert talk.slack.open_streams() == []


def test_one_process_may_listen_and_another_one_answer(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    talk.at_work.bot.stop()
    try:
        with talk.beside("--only", "slack"):
            ts = talk.slack.says(asker, room, f"{MENTION} {EXPIRES}")
            talk.until(lambda: talk.messages(room, "state = 'waiting'"))
            assert talk.stays(lambda: not talk.slack.answers(room))
            with talk.beside("--only", "worker"):
                assert IN_DAYS in talk.answer(room, ts).text
                talk.settled(room)
    finally:
        talk.at_work.start()


def test_the_manifest_asks_for_all_that_the_bot_needs(commands: Commands) -> None:
    done = commands.run("slack", "manifest")

    manifest = yaml.safe_load(done.stdout)
    assert done.returncode == DONE
    assert sorted(manifest["oauth_config"]["scopes"]["bot"]) == sorted(BOT_SCOPES)
    assert sorted(manifest["settings"]["event_subscriptions"]["bot_events"]) == sorted(BOT_EVENTS)
    assert manifest["settings"]["socket_mode_enabled"] is True


@pytest.mark.parametrize(
    ("scopes", "token", "code", "told"),
    [
        (BOT_SCOPES, BOT_TOKEN, DONE, ["ok   channel slack: SLACK_BOT_TOKEN: the bot is", "Socket Mode is on"]),
        (
            [scope for scope in BOT_SCOPES if scope != "im:history"],
            BOT_TOKEN,
            PROBLEM,
            ["fail channel slack: SLACK_BOT_TOKEN: scopes are missing: im:history", "then Reinstall to Workspace"],
        ),
        (BOT_SCOPES, "xoxb-wrong", PROBLEM, ["fail channel slack: SLACK_BOT_TOKEN", "copy the Bot User OAuth Token"]),
    ],
    ids=["as it should be", "a scope is missing", "a wrong token"],
)
def test_check_says_of_slack_what_works_or_what_to_click(
    commands: Commands, database_url: str, scopes: list[str], token: str, code: int, told: list[str]
) -> None:
    with slack_at_work() as slack:
        slack.token_book.tokens[BOT_TOKEN].scopes = tuple(scopes)
        config = (commands.folder / "answerdesk.toml").read_text(encoding="utf-8")
        commands.configure(f'{config}[slack]\napi_url = "{slack.api_url}"\n')
        done = commands.run("check", SLACK_BOT_TOKEN=token, SLACK_APP_TOKEN=slack.app_token, DATABASE_URL=database_url)

    assert done.returncode == code, done.stdout
    assert [text for text in told if text not in done.stdout] == []
    assert "xoxb-wrong" not in done.stdout
