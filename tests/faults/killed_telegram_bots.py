"""Bots on Telegram that are killed at one step after another."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.killed_bots import MANY, SLOW_QUESTION, STALE_HOURS, Case, Lane, Servers, knowing
from tests.scenario.model_desk import READING
from tests.scenario.slack_talk import careful
from tests.scenario.telegram_bot import SENT_AGAIN, TelegramBot, telegram_bot
from tests.scenario.telegram_talk import TelegramTalk
from tests.scenario.whole_bot import HANDED_OVER, IN_DAYS, RENEWED, worded_by
from tests.wire.anthropic import anthropic_server
from tests.wire.telegram import ASKER, GROUP, MENTION, SUPERGROUP, Asked, Message
from tests.wire.telegram.seen import ACTION_S

HUMAN = "h:"
ANSWERED_WITHIN_S = 30.0
# Answers grow only where a good part of the minute's allowance is left.
SLOW_CHAT = GROUP


class TelegramLane(Lane[Asked]):
    """One bot that answers in a group, and directly."""

    def __init__(self, at_work: TelegramBot) -> None:
        super().__init__(at_work.bot)
        self._at_work = at_work

    def start(self) -> None:
        self._at_work.start()

    def wait_until_settled(self, asked: Asked, replies: int, within_s: float) -> None:
        self._at_work.telegram.wait_until(lambda: len(self._replies(asked)) >= replies and self._is_settled(), within_s)

    def problems(self, asked: Asked, replies: int) -> list[str]:
        # On a loaded machine what was on its way to be shown may come behind the reply; it goes by itself.
        telegram = self._at_work.telegram
        telegram.wait_until(lambda: not telegram.is_typing(asked.chat), 2 * ACTION_S)
        posts = self._replies(asked)
        extra = len(posts) - replies
        marked = sum(any(text in post.text for text in SENT_AGAIN) for post in posts)
        wrong = [f"{len(posts)} replies instead of {replies}: {[post.text[:80] for post in posts]}"]
        # What nobody can look for may come a second time, and says so.
        return [*(wrong if extra not in (0, marked) else []), *self._at_work.problems(asked)]

    def _is_settled(self) -> bool:
        # In this order: what has just been confirmed is in the database.
        return not self._at_work.telegram.pending_update_ids and self._at_work.is_settled()

    def _replies(self, asked: Asked) -> list[Message]:
        return [
            one
            for one in self._at_work.telegram.answers(asked.chat)
            if one.reply_to == asked.message and (IN_DAYS in one.text or any(text in one.text for text in HANDED_OVER))
        ]

    def ask(self, case: Case) -> tuple[Asked, int]:
        telegram = self._at_work.telegram
        chat = ASKER if case.way == "direct" else SLOW_CHAT if case.text == SLOW_QUESTION else SUPERGROUP
        text = case.text if chat == ASKER else f"{MENTION} {case.text}"
        if case.way not in ("button", "edited"):
            self._bot.dies_at(case.step)
            date = int(time.time() - STALE_HOURS * 3600) if case.way == "stale" else None
            return Asked(chat, telegram.says(ASKER, chat, text, date=date), outcome=case.outcome), 1
        first = text if case.way == "button" else f"{MENTION} {RENEWED}"
        asked = Asked(chat, telegram.says(ASKER, chat, first), outcome=case.outcome)
        telegram.wait_until(
            lambda: telegram.answers(chat, reply_to=asked.message) and self._is_settled(), ANSWERED_WITHIN_S
        )
        self._bot.dies_at(case.step)
        if case.way == "edited":
            telegram.edits(ASKER, chat, asked.message, text)
            return asked, 1
        (answer,) = telegram.answers(chat, reply_to=asked.message)
        telegram.presses(ASKER, chat, answer.id, _data(answer))
        return Asked(chat, answer.id, outcome=case.outcome), 1


def _data(answer: Message) -> str:
    """Return what the button below an answer says that asks for a person."""
    return next(data for button in answer.buttons if (data := str(button.get("callback_data"))).startswith(HUMAN))


@contextmanager
def open_telegram_lane(folder: Path, servers: Servers) -> Iterator[TelegramLane]:
    """Start a bot on a database of its own."""
    with servers.database() as url, open_telegram_bot(folder, servers.home, url) as talk:
        talk.at_work.start()
        yield TelegramLane(talk.at_work)


@contextmanager
def started_on_telegram(folder: Path, servers: Servers, *, burst_s: float = 0.0) -> Iterator[TelegramTalk]:
    """Start a bot on a database of its own, for people who talk to it."""
    folder.mkdir(exist_ok=True)
    with servers.database() as url, open_telegram_bot(folder, servers.home, url, burst_s=burst_s) as talk:
        # A time is only clickable below a video.
        talk.telegram.allowed_clickables.add("18:00")
        talk.at_work.start()
        yield talk


@contextmanager
def knowing_on_telegram(folder: Path, home: Path, database_server: str, template: str) -> Iterator[Servers]:
    """Make a database in which the handbook is known."""

    def sync(url: str) -> None:
        with open_telegram_bot(folder, home, url) as talk:
            talk.at_work.bot.sync()

    with knowing(home, database_server, template, sync) as servers:
        yield servers


@contextmanager
def open_telegram_bot(folder: Path, home: Path, database_url: str, *, burst_s: float = 0.0) -> Iterator[TelegramTalk]:
    """Write down a bot whose answers a model words, not started."""
    with (
        anthropic_server(careful, reading=READING) as model,
        telegram_bot(folder, home, database_url, answer=worded_by(model), burst_s=burst_s, secrets=MANY) as at_work,
    ):
        yield TelegramTalk(at_work, model)
