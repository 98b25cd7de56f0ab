"""What was asked in a chaos on Telegram, and whether it was answered as it should be."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.faults.story import QUESTIONS
from tests.scenario.telegram_bot import SENT_AGAIN
from tests.scenario.telegram_talk import TelegramTalk
from tests.scenario.whole_bot import HANDED_OVER
from tests.wire.telegram import Asked, Message, Signs, check
from tests.wire.telegram.checker import Outcome


def is_whole(message: Message) -> bool:
    """Tell whether a message is an answer to its end: only then there is something to press below it."""
    return any(fact in message.text for fact in QUESTIONS.values()) and bool(message.buttons)


SIGNS = Signs(hand_over=HANDED_OVER, repeat=SENT_AGAIN, is_whole=is_whole)
HALF = re.compile(r"I3: half an answer is left in (-?\d+) (\d+)")
CHAT = re.compile(r"-?\d{7,}")
REFUSED = "refused 400"
JOINED = """
select own.channel, own.message, head.message from message as own join message as head on head.id = own.joined_to
where own.state = 'joined'
"""


GIVEN_UP = """
select own.channel, regexp_replace(own.message, ':[0-9]+$', '')
from parcel join message as head on head.id = parcel.message_id
join message as own on own.id = head.id or own.joined_to = head.id
where parcel.state = 'sent' and parcel.sent_as is null and parcel.attempts > 1 and not parcel.is_gone
"""


@dataclass
class Line:
    """A message to the bot, or a button that was pressed below one (`is_press`); `text` is what it asks now,
    where it `is_piece` together with another one.

    `is_owed` False: whether it is answered depends on which was faster; answered twice it must not be.
    """

    chat: int
    message: int
    topic: int | None
    text: str
    is_owed: bool = True
    is_edited: bool = False
    is_press: bool = False
    is_piece: bool = False

    @property
    def name(self) -> str:
        """What the bot has stored it as."""
        return f"{self.chat} human:{self.message}" if self.is_press else f"{self.chat} {self.message}"

    @property
    def outcome(self) -> Outcome:
        """What has to come of it."""
        return "answered" if self.text in QUESTIONS else "handed_over"

    def is_met_by(self, reply: Message) -> bool:
        """Tell whether a reply is one to what is asked now."""
        return QUESTIONS[self.text] in reply.text if self.text in QUESTIONS else SIGNS.hands_over(reply)


@dataclass
class Past:
    """What nobody could have prevented any more: of this round, and of those before it.

    `moved` are the groups that became supergroups, `blocked` the people who did not let the bot write for a while.
    """

    moved: dict[int, int] = field(default_factory=dict)
    blocked: set[int] = field(default_factory=set)

    def excuses(self, talk: TelegramTalk, problem: str) -> bool:
        """Tell whether a problem is none."""
        # Nobody knows any more of a button whose process died.
        if "the button of query" in problem:
            return True
        # What had begun to grow in a group that has moved is out of reach; so is a draft where one may not write.
        if any(f"left in {chat}" in problem for chat in (*self.moved, *self.blocked)):
            return True
        half = HALF.match(problem)
        return half is not None and _is_repeated(talk, talk.telegram.message(int(half[1]), int(half[2])))


def _is_repeated(talk: TelegramTalk, half: Message) -> bool:
    """Tell whether the beginning of an answer, whose name was never known, is followed by all of it, which says so."""
    return any(one.reply_to == half.reply_to and SIGNS.is_repeat(one) for one in talk.telegram.answers(half.chat))


def judged(talk: TelegramTalk, lines: Sequence[Line], past: Past) -> list[str]:
    """Return which promises are broken."""
    groups = _joined(talk, [line for line in lines if line.chat not in past.moved])
    given_up = _given_up(talk)
    owed = [group for group in groups if all(line.is_owed and line.name not in given_up for line in group)]
    doubled = [one for one in _checked(talk, groups) if one.startswith("I2")]
    problems = [*dict.fromkeys([*_checked(talk, owed), *doubled])]
    misjudged = _misjudged(talk)
    problems = [problem for problem in problems if not past.excuses(talk, problem)]
    for group in groups:
        if any(line.is_edited for line in group) and _was_unconfirmed(talk, group):
            # The repeat was marked, and is revised; nobody can find the one that came before it.
            problems = [one for one in problems if not one.startswith(f"I2: {group[0].chat} {group[-1].message} ")]
        problems += _of_texts(talk, group) if group in owed else ()
    for before, now in past.moved.items():
        if there := [line for line in lines if line.chat == before]:
            problems += _of_moved(talk, there, before, now)
    problems = [problem for problem in problems if not misjudged & {int(chat) for chat in CHAT.findall(problem)}]
    return [*problems, *(f"alarm: {alarm}" for alarm in talk.telegram.alarms), *talk.at_work.open_rows()]


def _checked(talk: TelegramTalk, groups: Sequence[Sequence[Line]]) -> list[str]:
    """Return what is wrong with lines; a button may be pressed below any message, and has no place in their order."""
    written = [_asked(group) for group in groups if not group[0].is_press]
    pressed = [_asked(group) for group in groups if group[0].is_press]
    return [
        problem for asked in (written, *([one] for one in pressed)) for problem in check(talk.telegram, asked, SIGNS)
    ]


def _given_up(talk: TelegramTalk) -> set[str]:
    """Return what was answered twice, and nobody knows whether either answer has arrived: there is no third one."""
    return {f"{channel} {message}" for channel, message in talk.at_work.rows(GIVEN_UP)}


def _misjudged(talk: TelegramTalk) -> set[int]:
    """Return the chats where the dice had Telegram refuse the form of what had none, which it never would."""
    calls = [*talk.telegram.calls_of("sendMessage"), *talk.telegram.calls_of("editMessageText")]
    refused = [call for call in calls if call.fault == REFUSED and not call.items("entities")]
    return {call.chat for call in refused if isinstance(call.chat, int)}


def _joined(talk: TelegramTalk, lines: Sequence[Line]) -> list[list[Line]]:
    """Return the lines in groups, each of which the bot took for one question; the head comes last."""
    heads = {(str(channel), str(own)): str(head) for channel, own, head in talk.at_work.rows(JOINED)}
    groups: dict[tuple[int, str, bool], list[Line]] = {}
    for line in sorted(lines, key=lambda line: line.message):
        head = str(line.message) if line.is_press else heads.get((str(line.chat), str(line.message)), str(line.message))
        groups.setdefault((line.chat, head, line.is_press), []).append(line)
    return [*groups.values()]


def _asked(group: Sequence[Line]) -> Asked:
    last, also = group[-1], tuple(line.message for line in group[:-1])
    return Asked(last.chat, last.message, last.topic, last.outcome if _is_clear(group) else "anything", also)


def _is_clear(group: Sequence[Line]) -> bool:
    """Tell whether lines ask one thing: of two in one, or of a piece, nobody can tell what is answered."""
    is_broken = len(group) == 1 and group[0].is_piece
    return not is_broken and len({line.text for line in group}) == 1


def _of_texts(talk: TelegramTalk, group: Sequence[Line]) -> Iterator[str]:
    """Yield which question is answered as it was before it was changed."""
    replies = _replies(talk, group)
    met = [group[0].is_met_by(reply) for reply in replies]
    is_met = any(met) if _was_unconfirmed(talk, group) else all(met)
    if _is_clear(group) and not is_met:
        seen = [one.text for one in replies]
        yield f"I2: {group[0].chat} {group[-1].message} asks {group[0].text} and is told {seen}"


def _replies(talk: TelegramTalk, group: Sequence[Line]) -> list[Message]:
    return [one for one in talk.telegram.answers(group[0].chat) if one.reply_to in {line.message for line in group}]


def _was_unconfirmed(talk: TelegramTalk, group: Sequence[Line]) -> bool:
    """Tell whether a reply was sent of which the bot does not know the name."""
    replies = _replies(talk, group)
    return len(replies) > 1 and any(SIGNS.is_repeat(one) or SENT_AGAIN[0] in " ".join(one.texts) for one in replies)


def _of_moved(talk: TelegramTalk, lines: Sequence[Line], before: int, now: int) -> Iterator[str]:
    """Yield what is wrong with what was asked in a group that moved: replies in its new place name no question."""
    found = [one for line in lines for one in _replies(talk, [line])]
    found += [one for one in talk.telegram.answers(now) if one.reply_to is None]
    found = [one for one in found if SIGNS.hands_over(one) or is_whole(one)]
    first = [one for one in found if not SIGNS.is_repeat(one)]
    most = len(lines) + sum(line.is_edited for line in lines)
    joined = {head for channel, own, head in talk.at_work.rows(JOINED) if str(channel) in (str(before), str(now))}
    if len(found) < len(lines) - len(joined) or len(first) > most:
        yield f"I1: {len(lines)} questions in {before}, now {now}, have {[one.text[:80] for one in found]}"
