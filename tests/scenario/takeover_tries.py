"""What those try who may not take over."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count

from bot.core.phrases import phrase
from tests.scenario.takeover_office import ANN, BOB, Asker, Desk, Takeover
from tests.scenario.takeover_sides import SLACK_DESK, TELEGRAM_PEOPLE, SlackDesk, TelegramDesk
from tests.wire.slack import ASKER, COLLEAGUE, MENTION, PUBLIC, TEAM
from tests.wire.telegram import MENTION as ON_TELEGRAM_MENTION
from tests.wire.telegram import TelegramServer

CLOSED_CHANNEL, CLOSED_CHAT = "C0CLOSED", -1_001_900_000_009
# At these only one of them may act.
ONE_ON_SLACK, ONE_ON_TELEGRAM = "U0ONEANN", TELEGRAM_PEOPLE[ANN]
CLOSED = f"""
[[desks]]
name = "closed"
kind = "chat"
platform = "slack"
channel = "{CLOSED_CHANNEL}"
words = ["canary"]
only_people = true
people = {{ "slack:{ONE_ON_SLACK}" = "Ann" }}

[[desks]]
name = "closed too"
kind = "chat"
platform = "telegram"
channel = "{CLOSED_CHAT}"
words = ["goldfish"]
only_people = true
people = {{ "telegram:{ONE_ON_TELEGRAM}" = "Ann" }}
"""
AWAY, STRANGER = "T0AWAY", "U0AWAY01"
numbers = count(1)


@dataclass(frozen=True, slots=True)
class Tried:
    """What somebody tried who may not: about which question, who, and what they have been told since."""

    question: str
    actor: str
    told: Callable[[], str]
    act: str = "claim"
    state: str = "open"


def _question(animal: str) -> str:
    return f"Who feeds the office {animal} {next(numbers)} on Sundays?"


def begun(office: Takeover, asked_on: str, desk_on: str) -> tuple[Asker, Desk]:
    """Return an asker whose question has just come to a desk."""
    asker = office.asker(asked_on, next(numbers))
    question = _question("parrot" if desk_on == "telegram" else "cat")
    desk = office.desk(desk_on, "parrot", question)
    asker.asks(question)
    office.sees(desk.card)
    office.sees(asker.read)
    return asker, desk


def _ticket(office: Takeover, question: str) -> int:
    ((number,),) = office.rows(f"select id from ticket where question = '{question}'")
    return int(str(number))


def _closed_on_slack(office: Takeover) -> SlackDesk:
    """Return a desk on Slack where only one of two may act, with a card."""
    question = _question("canary")
    people = {ANN: ONE_ON_SLACK, BOB: f"U0BOB{next(numbers)}"}
    for user in people.values():
        office.slack.workspaces[TEAM].add_user(user)
        office.slack.channel(CLOSED_CHANNEL).members.append(user)
    desk = SlackDesk(office.slack, question, people, CLOSED_CHANNEL)
    office.asker("slack", next(numbers)).asks(question)
    office.sees(desk.card)
    return desk


def _closed_on_telegram(office: Takeover) -> TelegramDesk:
    desk = TelegramDesk(office.telegram, CLOSED_CHAT, _question("goldfish"))
    office.asker("telegram", next(numbers)).asks(desk.question)
    office.sees(desk.card)
    return desk


def _not_listed_on_slack(office: Takeover) -> Tried:
    desk = _closed_on_slack(office)
    return Tried(desk.question, f"slack:{desk.people[BOB]}", desk.clicks(BOB, "claim"))


def _not_listed_on_telegram(office: Takeover) -> Tried:
    desk = _closed_on_telegram(office)
    return Tried(desk.question, f"telegram:{TELEGRAM_PEOPLE[BOB]}", desk.clicks(BOB, "claim"))


def _words_on_slack(office: Takeover) -> Tried:
    desk = _closed_on_slack(office)
    desk.says(BOB, "I do.")
    return Tried(desk.question, f"slack:{desk.people[BOB]}", lambda: "".join(desk.read()), "reply")


def _words_on_telegram(office: Takeover) -> Tried:
    desk = _closed_on_telegram(office)
    desk.says(BOB, "I do.")
    return Tried(desk.question, f"telegram:{TELEGRAM_PEOPLE[BOB]}", lambda: "".join(desk.read()), "reply")


def _of_another_workspace(office: Takeover) -> Tried:
    _, desk = begun(office, "slack", "slack")
    assert isinstance(desk, SlackDesk)
    office.slack.clicks(STRANGER, SLACK_DESK, desk.button("claim"), "desk_claim", team=AWAY)
    return Tried(desk.question, f"slack:{STRANGER}", lambda: _whispered(office, STRANGER))


def _another_desks_on_slack(office: Takeover) -> Tried:
    other = _closed_on_slack(office)
    _, desk = begun(office, "slack", "slack")
    assert isinstance(desk, SlackDesk)
    _forge(office, desk.button("claim"), _ticket(office, other.question))
    return Tried(other.question, f"slack:{desk.people[ANN]}", desk.clicks(ANN, "claim"))


def _another_desks_on_telegram(office: Takeover) -> Tried:
    other = _closed_on_telegram(office)
    _, desk = begun(office, "telegram", "telegram")
    assert isinstance(desk, TelegramDesk)
    user, message = TELEGRAM_PEOPLE[ANN], desk.button("claim")[0]
    query = office.telegram.presses_raw(user, desk.chat, message, other.button("claim")[1])
    return Tried(other.question, f"telegram:{user}", _told(office.telegram, query))


def _from_another_chat(office: Takeover) -> Tried:
    _, desk = begun(office, "telegram", "telegram")
    assert isinstance(desk, TelegramDesk)
    user = TELEGRAM_PEOPLE[ANN]
    query = office.telegram.presses_raw(user, user, 1, desk.button("claim")[1])
    return Tried(desk.question, f"telegram:{user}", _told(office.telegram, query))


def _somebody_elses_return_on_slack(office: Takeover) -> Tried:
    slack, question = office.slack, _question("parrot")
    desk = office.desk("telegram", "parrot", question)
    thread = slack.says(ASKER, PUBLIC, f"{MENTION} {question}")
    office.sees(desk.card)
    desk.says(ANN, "Nobody does.")
    office.sees(lambda: "Nobody does." in slack.answers(PUBLIC, thread=thread)[-1].text)
    slack.clicks(COLLEAGUE, PUBLIC, slack.answers(PUBLIC, thread=thread)[-1].ts, "desk_return")
    told = lambda: "".join(one.text for one in slack.whispers(PUBLIC, COLLEAGUE))  # noqa: E731 # as elsewhere
    return Tried(question, f"slack:{COLLEAGUE}", told, "return", "answered")


def _somebody_elses_return_on_telegram(office: Takeover) -> Tried:
    telegram, question = office.telegram, _question("cat")
    asker, other, group = 920_000_001, 920_000_002, -4_900_001
    for user in (asker, other):
        telegram.add_user(user, language="en")
    telegram.add_group(group, [asker, other])
    desk = office.desk("slack", "", question)
    telegram.says(asker, group, f"{ON_TELEGRAM_MENTION} {question}")
    office.sees(desk.card)
    desk.says(ANN, "Nobody does.")
    office.sees(lambda: "Nobody does." in telegram.answers(group)[-1].text)
    query = telegram.presses_newest(other, group, phrase("press_back", "en"))
    return Tried(question, f"telegram:{other}", _told(telegram, query), "return", "answered")


def _whispered(office: Takeover, user: str) -> str:
    return "".join(one.text for one in office.slack.whispers(SLACK_DESK, user))


def _told(telegram: TelegramServer, query: str) -> Callable[[], str]:
    def told() -> str:
        answer = telegram.told(query)
        return (answer.text or "") if answer else ""

    return told


def _forge(office: Takeover, message: str, ticket: int) -> None:
    """Let the buttons of a message say that they are those of another ticket."""
    with office.slack.lock:
        shown = office.slack.message(SLACK_DESK, message)
        shown.blocks = json.loads(re.sub(r'"value": "\d+"', f'"value": "{ticket}"', json.dumps(shown.blocks)))


TRIED: Mapping[str, Callable[[Takeover], Tried]] = {
    "a press of who is not listed, on Slack": _not_listed_on_slack,
    "a press of who is not listed, on Telegram": _not_listed_on_telegram,
    "words of who is not listed, on Slack": _words_on_slack,
    "words of who is not listed, on Telegram": _words_on_telegram,
    "a press from another workspace": _of_another_workspace,
    "a forged press for the ticket of another desk, on Slack": _another_desks_on_slack,
    "a forged press for the ticket of another desk, on Telegram": _another_desks_on_telegram,
    "a forged press in another chat": _from_another_chat,
    "the return of what somebody else asked, on Slack": _somebody_elses_return_on_slack,
    "the return of what somebody else asked, on Telegram": _somebody_elses_return_on_telegram,
}
