"""Bots on Slack that are killed at one step after another."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.channels.slack.render.blocks import ASK_HUMAN
from tests.faults.killed_bots import MANY, STALE_HOURS, Case, Lane, Servers, knowing
from tests.scenario.model_desk import READING
from tests.scenario.slack_bot import slack_bot
from tests.scenario.slack_talk import Talk, careful
from tests.scenario.whole_bot import worded_by
from tests.wire.anthropic import anthropic_server
from tests.wire.slack import ASKER, MENTION, PUBLIC, Asked


class SlackLane(Lane[Asked]):
    """One bot that answers in a channel."""

    def __init__(self, talk: Talk) -> None:
        super().__init__(talk.at_work.bot)
        self._talk = talk

    def start(self) -> None:
        self._talk.at_work.start()

    def wait_until_settled(self, asked: Asked, replies: int, within_s: float) -> None:
        slack, at_work = self._talk.slack, self._talk.at_work
        self._talk.until(
            lambda: len(slack.answers(PUBLIC, thread=asked.root)) >= replies and at_work.is_settled(), within_s
        )

    def problems(self, asked: Asked, replies: int) -> list[str]:
        posts = self._talk.slack.answers(PUBLIC, thread=asked.root)
        wrong = [f"{len(posts)} replies instead of {replies}: {[post.text[:80] for post in posts]}"]
        return [*(wrong if len(posts) != replies else []), *self._talk.at_work.problems(asked)]

    def ask(self, case: Case) -> tuple[Asked, int]:
        slack, text = self._talk.slack, f"{MENTION} {case.text}"
        if case.way != "button":
            self._bot.dies_at(case.step)
            late = case.way == "stale"
            ts = (
                self._talk.says_late(ASKER, PUBLIC, text, hours=STALE_HOURS)
                if late
                else slack.says(ASKER, PUBLIC, text)
            )
            return Asked(PUBLIC, ts, ASKER, outcome=case.outcome), 1
        ts = slack.says(ASKER, PUBLIC, text)
        answer = self._talk.answer(PUBLIC, ts)
        self._talk.until(self._talk.at_work.is_settled)
        self._bot.dies_at(case.step)
        slack.clicks(ASKER, PUBLIC, answer.ts, ASK_HUMAN)
        return Asked(PUBLIC, ts, ASKER, outcome=case.outcome), 2


@contextmanager
def open_slack_lane(folder: Path, servers: Servers) -> Iterator[SlackLane]:
    """Start a bot that may be killed again and again."""
    with started_on_slack(folder, servers) as talk:
        yield SlackLane(talk)


@contextmanager
def started_on_slack(folder: Path, servers: Servers) -> Iterator[Talk]:
    """Start a bot on a database of its own."""
    folder.mkdir(exist_ok=True)
    with servers.database() as url, open_slack_talk(folder, servers.home, url) as talk:
        talk.at_work.start()
        yield talk


@contextmanager
def knowing_on_slack(folder: Path, home: Path, database_server: str, template: str) -> Iterator[Servers]:
    """Make a database in which the handbook is known."""

    def sync(url: str) -> None:
        with open_slack_talk(folder, home, url) as talk:
            talk.at_work.bot.sync()

    with knowing(home, database_server, template, sync) as servers:
        yield servers


@contextmanager
def open_slack_talk(folder: Path, home: Path, database_url: str) -> Iterator[Talk]:
    """Write down a bot whose answers a model words, not started."""
    with (
        anthropic_server(careful, reading=READING) as model,
        slack_bot(folder, home, database_url, answer=worded_by(model), secrets=MANY) as at_work,
    ):
        yield Talk(at_work, model)
