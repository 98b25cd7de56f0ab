"""Dialogs as data, and what the bot decided in them, as its database tells."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from bot.core.handle import MAX_QUESTION_CHARACTERS
from bot.core.phrases import phrase
from tests.scenario.slack_talk import WAGES_QUESTION
from tests.scenario.whole_bot import EXPIRES, RENEWED, UNKNOWN, WholeBot

DECIDED_WITHIN_S = 60.0
LOOK_EVERY_S = 0.1
DISHWASHER = "When does the dishwasher start?"
OWN_WORDS = ("too_long", "refused_files", "refused_empty", "in_private")
# The answer, a hand-over and why, or the name of what else was said.
Outcome = str
ANSWER, JOINED, THANKS = "answer", "joined", "refused: thanks"


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody does next; where they do not wait, the next line comes before the answer to this one."""

    text: str = ""
    does: Literal["says", "sends a file", "edits", "asks for a person"] = "says"
    waits: bool = True


@dataclass(frozen=True, slots=True)
class Dialog:
    """What one person writes in a place, and what is to come of each message; the place is theirs alone, or public."""

    name: str
    lines: Sequence[Line]
    outcomes: Sequence[Outcome]
    is_public: bool = False
    reads_wages: bool = False
    language: str = "en"


def _asked(*texts: str) -> list[Line]:
    return [Line(text) for text in texts]


DIALOGS = (
    Dialog("a question", _asked(EXPIRES), [ANSWER]),
    Dialog("a question in public", _asked(EXPIRES), [ANSWER], is_public=True),
    Dialog("a follow-up", _asked(EXPIRES, RENEWED), [ANSWER, ANSWER]),
    Dialog("a follow-up in public", _asked(EXPIRES, RENEWED), [ANSWER] * 2, is_public=True),
    Dialog("edited before the answer", [Line(DISHWASHER, waits=False), Line(EXPIRES, does="edits")], [ANSWER]),
    Dialog(
        "in pieces",
        [Line("Hello!", waits=False), Line("I have a laptop.", waits=False), Line(RENEWED)],
        [JOINED, JOINED, ANSWER],
    ),
    Dialog("thanks", _asked(EXPIRES, "Great, thanks a lot!"), [ANSWER, THANKS]),
    Dialog("unknown", _asked(UNKNOWN), ["escalate: below_threshold"]),
    Dialog("unknown in public", _asked(UNKNOWN), ["escalate: below_threshold"], is_public=True),
    Dialog("too long", _asked("Very long. " * 370), ["too_long"]),
    Dialog("nothing but a file", [Line(does="sends a file")], ["refused_files"]),
    Dialog("a question with a file", [Line(EXPIRES, does="sends a file")], [ANSWER]),
    Dialog("nothing but the name", [Line()], ["refused_empty"], is_public=True),
    Dialog("Russian", _asked("Сколько действует пропуск?"), [ANSWER], language="ru"),
    Dialog("Ukrainian", _asked("Скільки триває щорічна відпустка?"), [ANSWER], language="uk", is_public=True),
    Dialog("Spanish", _asked("¿En cuántos días se reembolsan los gastos de viaje?"), [ANSWER], language="es"),
    Dialog("unknown, in Ukrainian", _asked("Хто годує кота в неділю?"), ["escalate: below_threshold"], language="uk"),
    Dialog("private knowledge, by who may read it", _asked(WAGES_QUESTION), [ANSWER], reads_wages=True),
    Dialog("private knowledge, by a stranger", _asked(WAGES_QUESTION), ["escalate: below_threshold"]),
    Dialog(
        "private knowledge in public",
        _asked(WAGES_QUESTION),
        ["escalate: below_threshold, in_private"],
        is_public=True,
        reads_wages=True,
    ),
    Dialog("a person", [Line(EXPIRES), Line(does="asks for a person")], [ANSWER, "escalate: asked"]),
    Dialog(
        "a person in public",
        [Line(EXPIRES), Line(does="asks for a person")],
        [ANSWER, "escalate: asked"],
        is_public=True,
    ),
)


class Chat(Protocol):
    """One person's conversation with the bot on some platform."""

    channel: str

    def says(self, line: Line, *, is_follow_up: bool) -> None:
        """Let the person write, perhaps in answer to the bot."""
        ...

    def edits(self, text: str) -> None:
        """Let the person change what they wrote last."""
        ...

    def asks_for_a_person(self) -> None:
        """Let the person press the button for it."""
        ...


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one message; `cited` are the source, the document and the quote behind each mark."""

    outcome: Outcome
    language: str | None
    relevance: float | None
    cited: tuple[tuple[object, ...], ...] = ()


def hold(dialog: Dialog, chat: Chat, bot: WholeBot) -> list[Decision]:
    """Let a dialog take place, and return what was decided of each of its messages."""
    stored, is_follow_up = 0, False
    for line in dialog.lines:
        stored += line.does != "edits"
        match line.does:
            case "edits":
                chat.edits(line.text)
            case "asks for a person":
                chat.asks_for_a_person()
            case _:
                chat.says(line, is_follow_up=is_follow_up)
        if line.waits:
            _wait_until_decided(bot, chat.channel, stored)
            is_follow_up = True
    return decisions(bot, chat.channel)


def _wait_until_decided(bot: WholeBot, channel: str, number: int) -> None:
    _wait(lambda: _count(bot, channel, "true") >= number)
    _wait(lambda: _count(bot, channel, "state in ('waiting', 'answering', 'replied') or is_revised") == 0)


def _wait(is_so: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + DECIDED_WITHIN_S
    while not is_so():
        assert time.monotonic() < deadline_s, "it was not decided in time"
        time.sleep(LOOK_EVERY_S)


def _count(bot: WholeBot, channel: str, condition: str) -> int:
    statement = f"select count(*) from message where channel = '{channel}' and role = 'user' and ({condition})"
    return int(str(bot.rows(statement)[0][0]))


def decisions(bot: WholeBot, channel: str) -> list[Decision]:
    """Return what was decided of each message of a channel, oldest first."""
    return [_decision(bot, row) for row in bot.rows(_DECIDED.format(channel=channel))]


def _decision(bot: WholeBot, row: tuple[object, ...]) -> Decision:
    state, reason, answer, relevance, language, ticket, ticket_relevance, ticket_language, said = row
    assert isinstance(said, list)
    if answer is not None:
        cited = bot.rows(f"select source, path, quote from citation where answer_id = {answer} order by marker")
        return Decision(ANSWER, str(language), _number(relevance), tuple(cited))
    names = [_name_of(text) for text in said]
    if ticket is not None:
        told = "".join(f", {name}" for name in names[1:])
        return Decision(f"escalate: {ticket}{told}", str(ticket_language), _number(ticket_relevance))
    outcome = ", ".join(names) or (JOINED if state == "joined" else f"{state}: {reason}")
    return Decision(outcome, None, None)


def _number(value: object) -> float | None:
    return None if value is None else float(str(value))


def _name_of(text: str) -> str:
    """Return the name of the sentence of its own that the bot said, "?" for any other."""
    limit = str(MAX_QUESTION_CHARACTERS)
    named = {phrase(name, "en", limit=limit) if name == "too_long" else phrase(name, "en"): name for name in OWN_WORDS}
    return named.get(text, "?")


_DECIDED = """
select message.state, message.reason, answer.id, answer.relevance, answer.language,
    ticket.reason, ticket.relevance, ticket.language,
    array(select plain from parcel where message_id = message.id order by position)
from message
left join answer on answer.message_id = message.id
left join ticket on ticket.message_id = message.id
where message.channel = '{channel}' and message.role = 'user'
order by message.id
"""
