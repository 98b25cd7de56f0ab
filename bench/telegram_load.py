"""Many chats that wrote while the bot was away, and what became of it: unanswered, doubled, out of order, refused."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.scenario.telegram_bot import SENT_AGAIN
from tests.wire.telegram import MENTION, Asked, Message, TelegramServer

# Of so many chats one is a group, and the others are private.
A_GROUP_OF = 5
FIRST_PERSON, FIRST_GROUP = 900_000_000, -900_000_000
SEED = 20
ANSWER = "The documentation says: A VPN certificate expires after 90 days."
QUESTIONS = (
    "When does a VPN certificate expire?",
    "How long does renewing a VPN certificate take?",
    "When does the dishwasher start?",
    "Which version is the VPN client?",
)
# Slow enough that no two messages of a chat are taken for one question.
WRITTEN_EVERY_S = 3
LOOK_EVERY_S = 0.2


class Crowd:
    """People with a private chat each and some groups of them; `asked` is what was written, in order."""

    def __init__(self, telegram: TelegramServer, chats: int) -> None:
        self.telegram = telegram
        self.asked: list[Asked] = []
        people = [telegram.add_user(FIRST_PERSON + number).id for number in range(chats)]
        in_groups = people[: chats // A_GROUP_OF]
        groups = [telegram.add_group(FIRST_GROUP - number, [one]).id for number, one in enumerate(in_groups)]
        self._writers = dict(zip([*groups, *people[len(groups) :]], people, strict=True))

    def write(self, each: int) -> None:
        """Write so many messages in each chat, mixed as by people who do not know of each other, the same each time."""
        chats = [chat for chat in self._writers for _ in range(each)]
        random.Random(SEED).shuffle(chats)
        first_s = int(time.time()) - len(chats) * WRITTEN_EVERY_S
        for number, chat in enumerate(chats):
            text = f"{QUESTIONS[number % len(QUESTIONS)]} ({number})"
            text = text if chat > 0 else f"{MENTION} {text}"
            date = first_s + number * WRITTEN_EVERY_S
            self.asked.append(Asked(chat, self.telegram.says(self._writers[chat], chat, text, date=date)))

    def replies(self, asked: Asked) -> list[Message]:
        """Return what the bot replied to a message."""
        return self.telegram.answers(asked.chat, reply_to=asked.message)

    def sent(self) -> int:
        """Return how many messages of the bot Telegram took."""
        return sum(call.status == 200 for call in self.telegram.calls_of("sendMessage"))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the messages; `marked` replies say that they may have come before, `unmarked` doubles do not.

    A marked one may be the only one: nobody knew whether the first had arrived.
    """

    unanswered: int
    doubled: int
    unmarked: int
    marked: int
    out_of_order: int
    refused: int


def outcome(crowd: Crowd) -> Outcome:
    """Count the replies to each message."""
    replies = [crowd.replies(one) for one in crowd.asked]
    return Outcome(
        unanswered=sum(not found for found in replies),
        doubled=sum(max(0, len(found) - 1) for found in replies),
        unmarked=sum(max(0, sum(not _is_repeat(one) for one in found) - 1) for found in replies),
        marked=sum(_is_repeat(one) for found in replies for one in found),
        out_of_order=sum(_out_of_order(crowd, chat) for chat in {one.chat for one in crowd.asked}),
        refused=len(crowd.telegram.limits.refused),
    )


def _out_of_order(crowd: Crowd, chat: int) -> int:
    """Count the first replies in a chat that came behind one to a later message."""
    found, last = 0, 0
    for asked in dict.fromkeys(one.reply_to or 0 for one in crowd.telegram.answers(chat) if not _is_repeat(one)):
        found += asked < last
        last = max(last, asked)
    return found


def _is_repeat(message: Message) -> bool:
    return any(text in message.text for text in SENT_AGAIN)


def until(is_so: Callable[[], object], within_s: float) -> None:
    """Wait until something is so; the server, in this process, is asked seldom, for it has to be quick."""
    started_s = time.monotonic()
    while not is_so():
        assert time.monotonic() - started_s < within_s, "it did not happen in time"
        time.sleep(LOOK_EVERY_S)


def last_sent_s(crowd: Crowd) -> float:
    """Return when the last reply was to be seen, by the steady clock."""
    shown: Sequence[Message] = [one for asked in crowd.asked for one in crowd.replies(asked)]
    return max((one.moments[0].at_s for one in shown), default=float("nan"))
