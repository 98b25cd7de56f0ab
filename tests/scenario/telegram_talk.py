"""One bot at work on Telegram for many tests: each brings its own people, and where it matters its own chat."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from tests.scenario.model_desk import READING, write
from tests.scenario.slack_talk import FILES as SHARED_FILES
from tests.scenario.slack_talk import KEY, PAID, SOURCES, STAFF
from tests.scenario.slack_talk import careful as careful_as_on_slack
from tests.scenario.talks import WholeTalk, in_other_words
from tests.scenario.telegram_bot import TelegramBot, telegram_bot
from tests.scenario.whole_bot import worded_by
from tests.wire.anthropic import Block, Honest, Plan, Prompt, Slow, anthropic_server
from tests.wire.anthropic.models.honest import cite
from tests.wire.anthropic.models.words import sentences_of
from tests.wire.telegram import Message, TelegramServer

BURST_S = 0.25
# Somebody whom the operator knows, and a group whose members read what the staff may.
LINKED, STAFF_GROUP = 800_000_001, -5_000_001
# Chats with rules of their own.
UNSURE, VOLUNTEERED, MIGRATES = -5_000_002, -1_001_800_000_003, -5_000_004
# What the deep link with this name asks.
RENEWAL = "renewal"
# Whoever asks with this word gets all of the Russian archive, up to so many characters.
AT_LENGTH = "подробно"
# Whoever asks with this word can watch the answer grow for some seconds.
GRADUALLY, GROWS_BY, SENTENCE_S = "gradually", 6, 0.9
_ASKED_LENGTH = re.compile(rf"{AT_LENGTH} (\d+)")
MORE = f"""
[telegram.questions]
{RENEWAL} = "How long does renewing a VPN certificate take?"

[telegram.audiences]
"{STAFF_GROUP}" = ["{STAFF}"]

[linking.people]
"telegram:{LINKED}" = "{PAID}"

{SOURCES}
[[places]]
channel = "{UNSURE}"
threshold = 1.0

[[places]]
channel = "{MIGRATES}"
sources = ["kitchen"]

[[places]]
channel = "{VOLUNTEERED}"
answers_all = true
"""
SHELVES = 12
RUSSIAN_ARCHIVE = "# Бумажный архив\n\n" + " ".join(
    f"На полке {number} бумажного архива 📦 лежат подписанные договоры с клиентами, накладные, письма страховой"
    f" компании, налоговые декларации и протоколы собраний за {1990 + number} год 👩‍💻, а также отчёты о ремонте"
    f" здания, списки оборудования, копии писем поставщикам и чеки за поездки, которые хранятся {number + 10} лет."
    for number in range(SHELVES)
)
# The same said in other words is another sentence.
IN_OTHER_WORDS = ((" подписанные договоры", " договоры"), (", накладные", ", а также накладные"), ("лежат", "есть"))
# Signs that mean something in Markdown, and nothing here.
ODD_FACT = "retry_count_max is 2*3*4 in [section_a] of *every file_name_v2"
ODD = "# Printer queue\n\nThe setting " + re.sub(r"([_*\[\]])", r"\\\1", ODD_FACT) + " of the printer on floor 3.\n"
ODD_QUESTION = "What is the setting retry_count_max of the printer queue?"
CODE = "\n".join(f"queue_{number} = start(retry_count_max={number * 3}, path='q_{number}.txt')" for number in range(8))
SCRIPT = f"# The queue script\n\nThe script that starts all printer queues:\n\n```python\n{CODE}\n```\n"
# Whoever asks for it gets the code alone.
SCRIPT_QUESTION = "Show me the script that starts all printer queues."
# What may be clicked: the commands in what the bot says of itself; and a time, which is only clickable below a video.
COMMANDS = ("ask", "bot", "human", "sources", "why", "language", "link", "forget", "help")
CLICKABLE = frozenset({*(f"/{name}" for name in COMMANDS), "18:00"})
FILES = {
    **SHARED_FILES,
    "pages/ru/archive.md": f"{RUSSIAN_ARCHIVE}\n",
    "pages/en/queue.md": ODD,
    "pages/en/script.md": SCRIPT,
}


def careful(prompt: Prompt) -> Plan:
    """Answer with the sources' own sentences, in the manner and the length that the question wants."""
    if asked := _ASKED_LENGTH.search(prompt.question):
        return _at_length(prompt, int(asked[1]))
    if prompt.question == SCRIPT_QUESTION:
        code = [one for one in sentences_of(prompt.sources) if CODE[:10] in one.text]
        return Plan(tuple(block for one in code for block in prompt.say(one.text, [cite(one)])))
    if GRADUALLY in prompt.question:
        return Slow(Honest(sentences=GROWS_BY, openings={}), sentence_s=SENTENCE_S)(prompt)
    return careful_as_on_slack(prompt)


def _at_length(prompt: Prompt, characters: int) -> Plan:
    """Say so much of the Russian archive."""
    found = [one for one in sentences_of(prompt.sources) if "бумажного архива" in one.text]
    blocks: list[Block] = []
    for text, found_in in ((text, one) for one in found for text in in_other_words(one.text, IN_OTHER_WORDS)):
        if sum(len(block.text) for block in blocks) < characters:
            blocks += prompt.say(text, [cite(found_in)])
    return Plan(tuple(blocks))


@dataclass
class TelegramTalk(WholeTalk[TelegramBot, int]):
    """A bot at work on Telegram, and the people and chats that tests bring."""

    _people: Iterator[int] = field(default_factory=lambda: count(800_001_000))
    _groups: Iterator[int] = field(default_factory=lambda: count(5_001_000))
    _supergroups: Iterator[int] = field(default_factory=lambda: count(1_001_800_001_000))

    @property
    def telegram(self) -> TelegramServer:
        """The loopback Telegram."""
        return self.at_work.telegram

    def person(self, *, language: str | None = "en") -> int:
        """Bring somebody new, who has started the bot."""
        user = next(self._people)
        self.telegram.add_user(user, f"Person {user}", language=language)
        return user

    def group(self, *people: int, chat: int = 0) -> int:
        """Let people into a group of their own, or into the one that is named."""
        chat = chat or -next(self._groups)
        self.telegram.add_group(chat, [*people])
        return chat

    def supergroup(self, *people: int, chat: int = 0, is_forum: bool = False, is_admin: bool = False) -> int:
        """Let people into a supergroup of their own, or into the one that is named."""
        chat = chat or -next(self._supergroups)
        self.telegram.add_supergroup(chat, [*people], is_forum=is_forum, is_admin=is_admin)
        return chat

    def answer(self, chat: int, question: int, number: int = 1) -> Message:
        """Wait for what replies to a message, until nothing more comes, and return its message with a number."""
        return self.parts(chat, question, at_least=number)[number - 1]

    def parts(self, chat: int, question: int, *, at_least: int = 1) -> list[Message]:
        """Wait for all that replies to a message, and return it."""
        self.until(lambda: len(self.telegram.answers(chat, reply_to=question)) >= at_least)
        self.settled(chat)
        return self.telegram.answers(chat, reply_to=question)

    def last(self, chat: int, number: int) -> Message:
        """Wait for the message of the bot with a number in a chat, until nothing more comes, and return it."""
        self.until(lambda: len(self.telegram.answers(chat)) >= number)
        self.settled(chat)
        return self.telegram.answers(chat)[number - 1]

    def settled(self, chat: int) -> None:
        """Wait until all that was said in a chat is taken in, and nothing is left to do about it."""
        self.until(lambda: all(one.chat != chat for one in list(self.telegram.updates.waiting)))
        self.until(lambda: self.messages(chat, "state in ('waiting', 'answering', 'replied') or is_revised") == 0)

    def confirmed(self, chat: int, message: int) -> None:
        """Wait until the bot has confirmed the update that brought a message."""
        update = self.telegram.update_of(chat, message)
        self.until(lambda: update in self.telegram.updates.confirmed)

    def rows_of(self, chat: int, column: str) -> list[object]:
        """Return what stands in a column of the messages that people wrote in a chat, oldest first."""
        statement = f"select {column} from message where channel = '{chat}' and role = 'user' order by id"
        return [value for (value,) in self.at_work.rows(statement)]


@contextmanager
def open_telegram_talk(
    folder: Path, home: Path, database_url: str, *, telegram: str = "", more: str = MORE
) -> Iterator[TelegramTalk]:
    """Start a bot whose model is honest, and wait until it listens."""
    write(folder, FILES)
    with anthropic_server(careful, reading=READING) as model:
        settings = telegram_bot(
            folder,
            home,
            database_url,
            answer=f"{worded_by(model)}\nmax_output_tokens = 16000",
            telegram=telegram,
            burst_s=BURST_S,
            more=more,
            secrets={"ANTHROPIC_API_KEY": KEY},
        )
        with settings as at_work:
            at_work.telegram.allowed_clickables |= CLICKABLE
            at_work.bot.sync()
            at_work.start()
            yield TelegramTalk(at_work, model)
