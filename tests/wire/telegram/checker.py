"""What Telegram's side can tell of the promises I1 to I3: nothing lost, nothing doubled, nothing left half done.

Works on plain data: what is asked is given as `Asked`, and what an answer looks like as `Signs`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tests.wire.telegram.messages import Message
from tests.wire.telegram.seen import Seen

Outcome = Literal["answered", "handed_over", "told", "anything", "nothing"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A message that was directed at the bot, and what has to come of it.

    `topic` is the forum topic it stands in. `also` are messages that belong to the same question, such as the lines of
    a burst: the answer may reply to any of them. `told`: any reply; `anything`: an answer, a hand-over or any reply.
    """

    chat: int
    message: int
    topic: int | None = None
    outcome: Outcome = "anything"
    also: tuple[int, ...] = ()


def _every(message: Message) -> bool:
    return bool(message.text.strip()) or message.media is not None


@dataclass(frozen=True, slots=True)
class Signs:
    """How to tell what a message of the bot is.

    `hand_over`, `repeat` and `interim` are texts that stand in such messages (interim: shown while work goes on, and
    gone in the end). `begins` tells whether a message begins an answer, and is no later part of one; `is_whole` whether
    it shows all that it should in the end. `other` are texts of messages that answer nothing, such as a notice.
    """

    hand_over: Sequence[str] = ()
    repeat: Sequence[str] = ()
    interim: Sequence[str] = ()
    other: Sequence[str] = ()
    begins: Callable[[Message], bool] = _every
    is_whole: Callable[[Message], bool] = _every

    def hands_over(self, message: Message) -> bool:
        """Tell whether a message says that people take over."""
        return _has(message, self.hand_over)

    def is_repeat(self, message: Message) -> bool:
        """Tell whether a message says that it may have come before."""
        return _has(message, self.repeat)


def check(telegram: Seen, rows: Sequence[Asked], signs: Signs | None = None) -> list[str]:
    """Return which promises are broken; [] where all are kept.

    Every row is owed: Telegram keeps what the bot has not confirmed, so nothing excuses a missing answer.
    """
    signs = signs or Signs()
    replies = {row: _replies(telegram, row, signs) for row in rows}
    problems = [f"I1: update {one} was never confirmed" for one in telegram.pending_update_ids]
    problems += [problem for row in rows for problem in _of_question(row, replies[row], signs)]
    for chat, topic in dict.fromkeys((row.chat, row.topic) for row in rows):
        inside = [row for row in rows if (row.chat, row.topic) == (chat, topic)]
        problems += _of_place(inside, [replies[row] for row in inside], signs)
    return [*problems, *_left_behind(telegram, signs)]


def _replies(telegram: Seen, row: Asked, signs: Signs) -> list[Message]:
    asked = {row.message, *row.also}
    found = [one for one in telegram.answers(row.chat, topic=row.topic) if one.reply_to in asked]
    return [one for one in found if not _has(one, signs.other)]


def _of_question(row: Asked, replies: Sequence[Message], signs: Signs) -> Iterator[str]:
    name, shown = f"{row.chat} {row.message}", [one.text[:80] for one in replies]
    if row.outcome == "nothing":
        if replies:
            yield f"I2: {name} got a reply and needs none: {shown}"
        return
    handed_over = [one for one in replies if signs.hands_over(one)]
    answers = [one for one in replies if one not in handed_over and signs.is_whole(one)]
    found = {"answered": answers, "handed_over": handed_over, "told": replies, "anything": [*answers, *handed_over]}
    if not found[row.outcome]:
        yield f"I1: {name} is not {row.outcome}; seen: {shown}"
    begun = [one for one in replies if signs.begins(one)]
    if sum(not signs.is_repeat(one) for one in begun) > 1 or len(begun) > 2:
        yield f"I2: {name} has {len(begun)} replies: {shown}"
    for text, times in Counter(one.text for one in replies if not signs.is_repeat(one)).items():
        if times > 1:
            yield f"I2: {name} shows the same text {times} times: {text[:80]}"


def _of_place(rows: Sequence[Asked], replies: Sequence[Sequence[Message]], signs: Signs) -> Iterator[str]:
    """Yield what is answered out of order in a chat or topic; repeats come when they come."""
    last = 0
    for row, found in sorted(zip(rows, replies, strict=True), key=lambda pair: pair[0].message):
        first = next((one.id for one in found if not signs.is_repeat(one)), None)
        if first is None:
            continue
        if first < last:
            yield f"I2: {row.chat} {row.message} was answered before an earlier question"
        last = max(last, first)


def _left_behind(telegram: Seen, signs: Signs) -> Iterator[str]:
    for chat in telegram.chat_ids():
        if (draft := telegram.standing_draft(chat)) is not None:
            yield f"I3: a draft is left in {chat}: {draft.text[:80]}"
        if telegram.is_typing(chat):
            yield f"I3: the bot is left typing in {chat}"
        for message in telegram.answers(chat):
            if _has(message, signs.other):
                continue
            if _has(message, signs.interim) or not (signs.hands_over(message) or signs.is_whole(message)):
                yield f"I3: half an answer is left in {chat} {message.id}: {message.text[:80]}"
    for query_id in telegram.open_queries():
        yield f"I3: the button of query {query_id} still waits"


def _has(message: Message, texts: Sequence[str]) -> bool:
    return any(text in message.text for text in texts)
