"""One bot at work for many tests: each brings its own people, and where it matters its own channel."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from tests.scenario.model_desk import READING, write
from tests.scenario.slack_bot import SlackBot, slack_bot, worded_by
from tests.scenario.talks import WholeTalk, in_other_words
from tests.wire.anthropic import Block, Honest, Plan, Prompt, Slow, anthropic_server
from tests.wire.anthropic.models.honest import cite
from tests.wire.anthropic.models.words import sentences_of
from tests.wire.slack import TEAM, Post, SlackServer
from tests.wire.slack.events import message_posted
from tests.wire.slack.messages import Message
from tests.wire.slack.payloads import rich_text
from tests.wire.slack.workspace import ChannelKind

BURST_S = 0.25
# Whoever asks with this word gets an answer that takes its time.
SLOWLY = "slowly"
SLOW = f"Please say {SLOWLY} when a VPN certificate expires"
SENTENCE_S = 1.2
KEY = "sk-ant-secret-0123456789"
# Slack is asked about each channel once, and not too often: most tests only need a thread.
LOBBIES = 8
ROOMS = [f"C1R{number:03d}" for number in range(120)]
# Channels with rules of their own, and one where the bot does not answer.
IN_SPANISH, UNSURE, KITCHEN_ONLY, VOLUNTEERED, UNLISTED = "C2ES", "C2UNSURE", "C2KITCHEN", "C2ALL", "C3UNLISTED"
PAID = "payroll@example.com"
WAGES = "# Wages\n\nWages are paid on the 27th of each month. A bonus of 700 euros is paid in December.\n"
WAGES_QUESTION, WAGES_FACT = "On which day of the month are wages paid?", "27th"
# What every member of the workspace may read, and guests may not.
STAFF = "group:home/staff"
PARKING = "# Parking\n\nThe code of the parking barrier is changed every 8 weeks.\n"
PARKING_QUESTION, PARKING_FACT = "How often is the code of the parking barrier changed?", "8 weeks"
TABLE = (
    "# Printer rooms\n\n| Floor | Printer room | Toner shelf |\n|---|---|---|\n"
    "| Ground floor | Room 014 | Shelf B |\n| Second floor | Room 214 | Shelf K |\n"
)
SOURCES = f"""
[[sources]]
name = "wages"
kind = "folder"
path = "wages"
audience = ["user:{PAID}"]

[[sources]]
name = "parking"
kind = "folder"
path = "parking"
audience = ["{STAFF}"]

[[sources]]
name = "kitchen"
kind = "folder"
path = "kitchen"
"""
MORE = f"""
{SOURCES}
[[places]]
channel = "{IN_SPANISH}"
language = "es"

[[places]]
channel = "{UNSURE}"
threshold = 1.0

[[places]]
channel = "{KITCHEN_ONLY}"
sources = ["kitchen"]

[[places]]
channel = "{VOLUNTEERED}"
answers_all = true
"""
# Long enough that many of its sentences are more than a message holds.
ARCHIVE = "# The paper archive\n\n" + " ".join(
    f"Shelf {number} of the paper archive holds the signed contracts with customers, the delivery notes, the insurance"
    f" letters and the tax returns of the year {1990 + number}, which are kept for {number + 10} years."
    for number in range(12)
)
FILES = {
    "pages/en/archive.md": f"{ARCHIVE}\n",
    "wages/wages.md": WAGES,
    "parking/parking.md": PARKING,
    "kitchen/kettle.md": "# Kettle\n\nThe kettle is descaled every 6 weeks.\n",
    "pages/en/printers.md": TABLE,
}


# Whoever asks for one gets a table, or an answer that no single message holds.
AS_TABLE, EVERYTHING = "as a table", "everything"
TABLE_ROWS = ("| Floor | Printer room |", "| Ground floor | Room 014 |", "| Second floor | Room 214 |")
# The same said in other words is another sentence.
IN_OTHER_WORDS = (("holds", "has"), ("the signed", "signed"), (", the delivery", ", delivery"))


def careful(prompt: Prompt) -> Plan:
    """Answer with the sources' own sentences, in the manner that the question wants."""
    if AS_TABLE in prompt.question:
        first = next(found for found in sentences_of(prompt.sources) if "Floor" in found.text)
        return Plan(tuple(Block(f"{row}\n", (cite(first, span=2),), finishes=row) for row in TABLE_ROWS))
    if EVERYTHING in prompt.question:
        found = [one for one in sentences_of(prompt.sources) if "paper archive" in one.text]
        said = [(text, one) for one in found for text in in_other_words(one.text, IN_OTHER_WORDS)]
        return Plan(tuple(block for text, one in said for block in prompt.say(text, [cite(one)])))
    honest = Honest(openings={})
    return Slow(honest, sentence_s=SENTENCE_S)(prompt) if SLOWLY in prompt.question else honest(prompt)


@dataclass
class Talk(WholeTalk[SlackBot, str]):
    """A bot at work on Slack, and the people and channels that tests bring."""

    _people: Iterator[int] = field(default_factory=lambda: count(1))
    _rooms: Iterator[str] = field(default_factory=lambda: iter(ROOMS[LOBBIES:]))
    _lobbies: Iterator[int] = field(default_factory=lambda: count())

    @property
    def slack(self) -> SlackServer:
        """The loopback Slack."""
        return self.at_work.slack

    def person(self, email: str | None = None, *, is_guest: bool = False, locale: str = "en-US") -> str:
        """Bring somebody new."""
        user = f"U1P{next(self._people):04d}"
        added = self.slack.workspaces[TEAM].add_user(user, email=email)
        added.is_restricted, added.locale = is_guest, locale
        return user

    def lobby(self, *people: str) -> str:
        """Let people into a public channel that other tests write in too."""
        lobby = ROOMS[next(self._lobbies) % LOBBIES]
        return self.room(*people, name=lobby)

    def room(self, *people: str, kind: ChannelKind = "public", name: str = "", has_bot: bool = True) -> str:
        """Let people into a channel of their own, or into the one that is named."""
        name = name or next(self._rooms)
        home = self.slack.workspaces[TEAM]
        if name not in home.channels:
            home.add_channel(name, kind=kind, has_bot=has_bot)
        home.channels[name].members.extend(people)
        return name

    def direct(self, user: str) -> str:
        """Return the direct messages of somebody with the bot."""
        return self.slack.workspaces[TEAM].dm(user).id

    def says_late(self, user: str, channel: str, text: str, *, hours: float) -> str:
        """Deliver now what somebody wrote some hours ago."""
        slack, ts = self.slack, f"{time.time() - hours * 3600:.6f}"
        with slack.lock:
            message = Message(ts, user, TEAM, text, rich_text(text))
            slack.channel(channel).messages[ts] = message
            message.note()
            message_posted(slack, slack.channel(channel), message)
        return ts

    def answer(self, channel: str, thread: str, number: int = 1) -> Post:
        """Wait for the answer with a number in a thread, until it is whole, and return it."""
        self.until(lambda: len(self._whole(channel, thread)) >= number)
        return self._whole(channel, thread)[number - 1]

    def _whole(self, channel: str, thread: str) -> list[Post]:
        return [post for post in self.slack.answers(channel, thread=thread) if not post.is_streaming]

    def whisper(self, channel: str, user: str, number: int = 1) -> Post:
        """Wait for what somebody alone is told in a channel, and return it."""
        self.until(lambda: len(self.slack.whispers(channel, user)) >= number)
        return self.slack.whispers(channel, user)[number - 1]

    def last_direct(self, user: str, number: int = 1) -> Post:
        """Wait for what the bot writes to somebody directly, and return it."""
        channel = self.direct(user)
        self.until(lambda: len(self.slack.answers(channel)) >= number)
        return self.slack.answers(channel)[number - 1]

    def settled(self, channel: str) -> None:
        """Wait until nothing is left to do about a channel."""
        self.until(lambda: self.messages(channel, "state in ('waiting', 'answering', 'replied')") == 0)


@contextmanager
def open_talk(folder: Path, home: Path, database_url: str) -> Iterator[Talk]:
    """Start a bot whose model is honest, and wait until it listens."""
    write(folder, FILES)
    listed = f"channels = {json.dumps(ROOMS)}\nworkspace_tags = {json.dumps([STAFF])}"
    with anthropic_server(careful, reading=READING) as model:
        settings = slack_bot(
            folder,
            home,
            database_url,
            answer=f"{worded_by(model)}\nmax_output_tokens = 16000",
            slack=listed,
            burst_s=BURST_S,
            more=MORE,
            secrets={"ANTHROPIC_API_KEY": KEY},
        )
        with settings as at_work:
            at_work.bot.sync()
            at_work.start()
            yield Talk(at_work, model)
