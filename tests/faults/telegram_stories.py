"""What people do on Telegram in a chaos, by the dice."""

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random

from tests.faults.story import QUESTIONS, Story
from tests.faults.telegram_lines import Line
from tests.scenario.slack_talk import SLOWLY
from tests.scenario.telegram_talk import TelegramTalk
from tests.scenario.whole_bot import UNKNOWN
from tests.wire.telegram import MENTION, Fault, Message

BURST_S = 0.25
# What is no burst was written so long apart, all of it a while ago.
BEGAN_S, APART_S = 3600, 10
STEPS = ("fetched", "received", "accepted", "stored", "taken", "worded", "planned", "begun", "sent", "noted", "growing")
REFUSED = (
    Fault.refused(400, "Bad Request: can't parse entities: entity begins in the middle of a symbol"),
    Fault.refused(400, "Bad Request: ENTITY_BOUNDS_INVALID"),
)
LOST = (
    Fault.lost_confirmation(),
    Fault.html_502(does_work=True),
    Fault.hang(1.0, does_work=True),
    Fault.html_502(),
    Fault.cut_before(),
    Fault.hang(1.0),
    Fault.flood(),
)
FAULTS: Mapping[str, Sequence[Fault]] = {
    "sendMessage": (*LOST, *REFUSED, Fault.delayed(0.5)),
    "editMessageText": (*LOST, *REFUSED, Fault.delayed(0.5)),
    "sendMessageDraft": (*LOST, *REFUSED),
    "sendChatAction": LOST,
    "editMessageReplyMarkup": LOST,
    "deleteMessage": LOST,
    "getUpdates": LOST,
}
# What ends all connections to the database but the one that asks for it.
CUT = """
select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
"""
GOOD, BAD, HUMAN = "g:", "b:", "h:"


class TelegramStory(Story[int]):
    """What happens between one person and the bot, directly and in a chat of theirs with others."""

    steps = STEPS

    def __init__(self, talk: TelegramTalk, dice: Random, log: list[str], room: int, topic: int | None = None) -> None:
        super().__init__(dice, log, talk.telegram.chats[room].members[0], talk.at_work.bot)
        self.lines: list[Line] = []
        self._talk = talk
        self._telegram = talk.telegram
        self._room = room
        self._topic = topic
        self._is_blocked = False
        self._date = int(time.time()) - BEGAN_S

    def cut(self) -> None:
        """End all connections to the database."""
        self.log.append("cut")
        self._talk.at_work.rows(CUT)

    def block(self) -> None:
        """Let the person block the bot, so that what it owes them cannot come."""
        self.log.append(f"{self.person} block")
        self._is_blocked = True
        self._telegram.blocks(self.person)
        for line in self.lines:
            line.is_owed &= line.chat != self.person

    def unblock(self) -> None:
        """Let the person take the bot back."""
        self.log.append(f"{self.person} unblock")
        self._telegram.unblocks(self.person)
        self._is_blocked = False

    def migrate(self) -> tuple[int, int]:
        """Let the group become a supergroup; return both numbers."""
        self.log.append(f"{self.person} migrate")
        before, self._room = self._room, self._telegram.migrates(self._room)
        return before, self._room

    def _acts(self) -> Mapping[Callable[[], object], int]:
        return {
            self._ask: 6,
            self._follow_up: 2,
            self._burst: 2,
            self._edit: 4,
            self._press: 3,
            self._repeat: 3,
            self._stumble: 5,
        }

    def _start(self) -> None:
        self._talk.at_work.start()

    def _ask(self, *, is_slow: bool = False) -> None:
        text = self._dice.choice([*QUESTIONS, UNKNOWN]) if not is_slow else next(iter(QUESTIONS))
        is_slow = is_slow or (text != UNKNOWN and self._dice.random() < 0.2)
        is_direct = not self._is_blocked and self._dice.random() < 0.4
        said = f"{text} Answer {SLOWLY}." if is_slow else text
        self._say(self.person if is_direct else self._room, text, said=said)

    def _say(
        self, chat: int, text: str, *, said: str = "", reply_to: int | None = None, later_s: int = APART_S
    ) -> None:
        """Ask a text, perhaps in other words."""
        self._date += later_s
        topic = self._topic if chat == self._room else None
        said = said or text
        said = said if chat == self.person or reply_to else f"{MENTION} {said}"
        number = self._telegram.says(self.person, chat, said, topic=topic, reply_to=reply_to, date=self._date)
        self.lines.append(Line(chat, number, topic, text))

    def _follow_up(self) -> None:
        """Reply to an answer, without a mention."""
        if answers := self._answers():
            answer = self._dice.choice(answers)
            self._say(answer.chat, self._dice.choice([*QUESTIONS]), reply_to=answer.id)

    def _burst(self) -> None:
        """Ask in pieces, written in one go."""
        if self._is_blocked:
            return
        text = self._dice.choice([*QUESTIONS])
        first, last = text.rsplit(maxsplit=1)
        self._say(self.person, text, said=first)
        time.sleep(self._dice.uniform(0.0, BURST_S / 2))
        self._say(self.person, text, said=last, later_s=0)
        for line in self.lines[-2:]:
            line.is_piece = True

    def _edit(self) -> None:
        """Change a question, whether it waits, is being answered, or was answered; or the one just asked."""
        here = [line for line in self.lines if self._is_reachable(line.chat) and not line.is_press]
        pressed = {line.text for line in self.lines if line.is_press}
        if here := [line for line in here if f"{line.chat} {line.message}" not in pressed]:
            line = self._dice.choice([here[-1], *here])
            line.text, line.is_edited, line.is_piece = self._dice.choice([*QUESTIONS, UNKNOWN]), True, False
            self.log.append(f"    {line.chat} {line.message}: {line.text}")
            self._telegram.edits(self.person, line.chat, line.message, f"{MENTION} {line.text}")

    def _press(self) -> None:
        """Press a button below an answer; a person is asked for once, over a question that nobody changes."""
        if not (answers := self._answers()):
            return
        answer, kind = self._dice.choice(answers), self._dice.choice([GOOD, BAD, HUMAN])
        asked = next((line for line in self.lines if (line.chat, line.message) == (answer.chat, answer.reply_to)), None)
        if asked is None or asked.is_edited or any(line.message == answer.id for line in self.lines if line.is_press):
            kind = GOOD
        data = next((str(one["callback_data"]) for one in answer.buttons if str(one["callback_data"])[:2] == kind), "")
        if not data:
            return
        if kind == HUMAN and asked:
            text = f"{asked.chat} {asked.message}"
            self.lines.append(Line(answer.chat, answer.id, answer.topic, text, is_press=True))
        self.log.append(f"    {answer.chat} {answer.id} {data}")
        for _ in range(self._dice.randint(1, 2)):
            self._telegram.presses(self.person, answer.chat, answer.id, data)

    def _answers(self) -> list[Message]:
        chats = [chat for chat in (self.person, self._room) if self._is_reachable(chat)]
        return [one for chat in chats for one in self._telegram.answers(chat) if one.buttons]

    def _is_reachable(self, chat: int) -> bool:
        return chat == self._room or (chat == self.person and not self._is_blocked)

    def _repeat(self) -> None:
        """Deliver a message again that was confirmed already; of its texts, the one that it has now."""
        updates = self._telegram.updates
        ours = {f"{line.chat} {line.message}": line for line in self.lines}
        last = {_name(update): number for number, update in list(updates.issued.items()) if _name(update) in ours}
        if done := [number for number in last.values() if number in updates.confirmed]:
            self._telegram.redelivers(self._dice.choice(done))

    def _stumble(self) -> None:
        method = self._dice.choice([*FAULTS])
        fault = self._dice.choice(FAULTS[method])
        chat = None if method == "getUpdates" else self._dice.choice([self._room, self.person])
        self.log.append(f"    {method} {fault.name} {chat}")
        self._telegram.inject(method, fault, chat=chat)


def _name(update: Mapping[str, object]) -> str:
    body = update.get("message") or update.get("edited_message")
    return f"{body['chat']['id']} {body['message_id']}" if isinstance(body, dict) else ""


def begin(talk: TelegramTalk, dice: Random, log: list[str], number: int) -> TelegramStory:
    """Begin the story of somebody new: the first one's group is of the old kind, for it will move."""
    person, kind = talk.person(), "group" if number == 0 else dice.choice(["group", "supergroup", "forum"])
    if kind == "group":
        return TelegramStory(talk, dice, log, talk.group(person))
    room = talk.supergroup(person, is_forum=kind == "forum")
    topic = talk.telegram.add_topic(room, "VPN", topic=11, opened_by=person) if kind == "forum" else None
    return TelegramStory(talk, dice, log, room, topic)
