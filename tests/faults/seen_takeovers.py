"""What is seen of a takeover, on the platforms and in the database: whether each side has exactly one of each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bot.core.phrases import phrase
from bot.core.tickets.state import OWNED
from tests.scenario.takeover_office import ANN, Asker, Desk, Takeover
from tests.scenario.takeover_sides import TelegramDesk
from tests.scenario.whole_bot import HANDED_OVER, beginning

SENT_AGAIN = phrase("sent_again", "en")
# Where each act leads.
STATES: Mapping[str, str] = {
    "ask": "open",
    "claim": "claimed",
    "reply": "answered",
    "follow_up": "claimed",
    "close": "closed",
    "return": "returned",
}


@dataclass
class Dialog:
    """What was done until now, and what was said.

    `unconfirmed` are the kinds of messages of which one was sent, and the bot died before it knew that.
    """

    asked_on: str
    desk_on: str
    asker: Asker
    desk: Desk
    question: str
    reply: str
    follow_up: str
    acts: list[str] = field(default_factory=list)
    unconfirmed: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Sign:
    """A message that has to be there once: how it is known, and of what kind it is to those who send it."""

    name: str
    kind: str
    is_in: Callable[[str], bool]


def problems(office: Takeover, dialog: Dialog) -> list[str]:
    """Return which promises are broken; [] where all are kept."""
    return [
        *_of_side("the asker", dialog.asked_on, dialog.asker.read(), _asker_signs(dialog), dialog.unconfirmed),
        *_of_side("the desk", dialog.desk_on, dialog.desk.shown(), _desk_signs(dialog), dialog.unconfirmed),
        *_of_topics(dialog),
        *_of_card(dialog),
        *_of_ticket(office, dialog),
        *_left_behind(office),
    ]


def has_heard(office: Takeover) -> bool:
    """Tell whether all that happened on Telegram is taken in; Slack may tell again what it was not thanked for."""
    return not office.telegram.pending_update_ids


def _has(words: str) -> Callable[[str], bool]:
    return lambda text: words in text


def _asker_signs(dialog: Dialog) -> Iterator[Sign]:
    acts = dialog.acts
    if "ask" in acts:
        yield Sign("that a person is asked", "message", lambda text: any(words in text for words in HANDED_OVER))
    if "reply" in acts:
        yield Sign("the reply", "reply", _has(dialog.reply))
    if "close" in acts:
        yield Sign("that it is closed", "told", _has(beginning("asker_closed")))
    if "return" in acts:
        yield Sign("that the bot answers again", "told", _has(phrase("asker_returned", "en")))


def _desk_signs(dialog: Dialog) -> Iterator[Sign]:
    acts = dialog.acts
    if "ask" in acts:
        yield Sign("the card", "card", _has(dialog.question))
    if "follow_up" in acts:
        yield Sign("the follow-up", "follow_up", _has(dialog.follow_up))
    if "close" in acts:
        yield Sign("the suggestion", "suggest", _has(phrase("desk_suggest", "en")))


def _of_side(
    side: str, platform: str, read: Sequence[str], signs: Iterator[Sign], unconfirmed: set[str]
) -> Iterator[str]:
    """Yield what a side does not have exactly once, but for one repeat that says so where nobody can look for it."""
    known = [*signs]
    for sign in known:
        found = [text for text in read if sign.is_in(text)]
        marked = sum(SENT_AGAIN in text for text in found)
        plain = len(found) - marked
        may_repeat = platform == "telegram"
        is_unconfirmed = may_repeat and sign.kind in unconfirmed
        is_doubled = len(found) > (2 if is_unconfirmed else 1)
        if not found:
            yield f"I1: {side} lacks {sign.name}"
        elif plain > 1 or marked > (1 if may_repeat else 0) or is_doubled:
            yield f"I2: {side} has {sign.name} {plain} times and {marked} times marked"
    for text in read:
        if not any(sign.is_in(text) for sign in known):
            yield f"I2: {side} was told what nobody wanted: {text[:80]!r}"


def _of_topics(dialog: Dialog) -> Iterator[str]:
    if not isinstance(dialog.desk, TelegramDesk):
        return
    topics, most = len(dialog.desk.topics()), 2 if "topic" in dialog.unconfirmed else 1
    if not 1 <= topics <= most:
        yield f"I2: {topics} topics instead of {most}"
    used = [topic for topic in dialog.desk.topics() if dialog.desk.in_topic(topic)]
    if len(used) > 1:
        yield f"I2: {len(used)} topics are used"


def _of_card(dialog: Dialog) -> Iterator[str]:
    """Yield where the card does not show what the ticket is by now."""
    cards = [text for text in dialog.desk.shown() if dialog.question in text]
    state = phrase(f"state_{STATES[dialog.acts[-1]]}", "en")
    if cards and f"· {state}" not in cards[-1]:
        yield f"I1: the card does not say that it is {state}: {cards[-1][:80]!r}"
    if cards and STATES[dialog.acts[-1]] in OWNED and ANN not in cards[-1]:
        yield f"I1: the card does not say who has it: {cards[-1][:80]!r}"


def _of_ticket(office: Takeover, dialog: Dialog) -> Iterator[str]:
    tickets = office.rows(f"select id, state from ticket where question = '{dialog.question}'")
    if len(tickets) != 1:
        yield f"I2: {len(tickets)} tickets instead of 1"
        return
    number, state = tickets[0]
    happened = [
        kind for (kind,) in office.rows(f"select kind from ticket_event where ticket_id = {number} order by id")
    ]
    if state != STATES[dialog.acts[-1]]:
        yield f"I1: the ticket is {state} after {dialog.acts}"
    if happened != dialog.acts[1:]:
        yield f"I2: {happened} has happened instead of {dialog.acts[1:]}"


def _left_behind(office: Takeover) -> Iterator[str]:
    yield from office.open_rows()
    yield from (f"I3: the button of query {query} still waits" for query in office.telegram.open_queries())
    yield from (f"I3: a status stands in {place}" for place in office.slack.standing_statuses())
