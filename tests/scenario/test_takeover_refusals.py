"""Who may not take over is refused, told so and recorded; what comes twice, or out of order, changes nothing twice (S32)."""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from bot.core.phrases import phrase
from tests.databases import fresh_database
from tests.scenario.takeover_office import ANN, BOB, STAYS_S, Asker, Desk, Takeover, taking_over
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
STATE, REFUSED = (
    "select state from ticket where question = '{question}'",
    """
select actor, details ->> 'act' from ticket_event join ticket on ticket.id = ticket_id
where kind = 'refused' and question = '{question}'
""",
)
numbers = count(1)


@dataclass(frozen=True, slots=True)
class Tried:
    """What somebody tried who may not: about which question, who, and what they have been told since."""

    question: str
    actor: str
    told: Callable[[], str]
    act: str = "claim"
    state: str = "open"


@pytest.fixture(scope="module")
def office(
    tmp_path_factory: pytest.TempPathFactory, embedded_home: Path, database_server: str, database_template: str
) -> Iterator[Takeover]:
    """One bot for all: each question has an asker of its own."""
    folder = tmp_path_factory.mktemp("refusals")
    with (
        fresh_database(database_server, template=database_template) as database_url,
        taking_over(folder, embedded_home, database_url, desks=CLOSED) as at_work,
    ):
        at_work.slack.workspaces[TEAM].add_channel(CLOSED_CHANNEL)
        people = [*TELEGRAM_PEOPLE.values()]
        at_work.telegram.add_supergroup(CLOSED_CHAT, people, is_forum=True, is_admin=True)
        at_work.telegram.says(people[0], CLOSED_CHAT, "Welcome!")
        at_work.bot.sync()
        at_work.start()
        yield at_work


def _question(animal: str) -> str:
    return f"Who feeds the office {animal} {next(numbers)} on Sundays?"


def _begun(office: Takeover, asked_on: str, desk_on: str) -> tuple[Asker, Desk]:
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
    _, desk = _begun(office, "slack", "slack")
    assert isinstance(desk, SlackDesk)
    office.slack.clicks(STRANGER, SLACK_DESK, desk.button("claim"), "desk_claim", team=AWAY)
    return Tried(desk.question, f"slack:{STRANGER}", lambda: _whispered(office, STRANGER))


def _another_desks_on_slack(office: Takeover) -> Tried:
    other = _closed_on_slack(office)
    _, desk = _begun(office, "slack", "slack")
    assert isinstance(desk, SlackDesk)
    _forge(office, desk.button("claim"), _ticket(office, other.question))
    return Tried(other.question, f"slack:{desk.people[ANN]}", desk.clicks(ANN, "claim"))


def _another_desks_on_telegram(office: Takeover) -> Tried:
    other = _closed_on_telegram(office)
    _, desk = _begun(office, "telegram", "telegram")
    assert isinstance(desk, TelegramDesk)
    user, message = TELEGRAM_PEOPLE[ANN], desk.button("claim")[0]
    query = office.telegram.presses_raw(user, desk.chat, message, other.button("claim")[1])
    return Tried(other.question, f"telegram:{user}", _told(office.telegram, query))


def _from_another_chat(office: Takeover) -> Tried:
    _, desk = _begun(office, "telegram", "telegram")
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


@pytest.mark.parametrize("tries", TRIED.values(), ids=TRIED)
def test_who_may_not_is_refused_told_so_and_recorded(office: Takeover, tries: Callable[[Takeover], Tried]) -> None:
    tried = tries(office)
    office.sees(tried.told)

    assert tried.told() == phrase("desk_refused", "en")
    assert office.rows(REFUSED.format(question=tried.question)) == [(tried.actor, tried.act)]
    assert office.rows(STATE.format(question=tried.question)) == [(tried.state,)]


@pytest.mark.parametrize("desk_on", ["slack", "telegram"])
def test_of_two_who_claim_at_once_one_wins_and_the_other_is_told_by_whom(office: Takeover, desk_on: str) -> None:
    _, desk = _begun(office, "slack", desk_on)
    with ThreadPoolExecutor(2) as both:
        told = dict(zip((ANN, BOB), both.map(lambda who: desk.presses(who, "claim"), (ANN, BOB)), strict=True))
    winner, loser = (ANN, BOB) if told[ANN] == phrase("desk_yours", "en") else (BOB, ANN)

    assert told == {winner: phrase("desk_yours", "en"), loser: phrase("desk_taken", "en", owner=winner)}
    office.sees(lambda: winner in desk.card())
    assert loser not in desk.card()


def _seen(office: Takeover, asker: Asker, desk: Desk) -> tuple[object, ...]:
    """Return all that there is of a takeover, on both sides and in the database."""
    events = f"select kind, actor, ticket_event.text from ticket_event join ticket on ticket.id = ticket_id where question = '{desk.question}'"
    return (
        asker.read(),
        desk.shown(),
        office.rows(f"{events} order by ticket_event.id"),
        office.rows("select count(*) from ticket"),
    )


@pytest.mark.parametrize(("asked_on", "desk_on"), [("slack", "telegram"), ("telegram", "slack")])
def test_what_is_delivered_again_changes_nothing_in_whatever_order(
    office: Takeover, asked_on: str, desk_on: str
) -> None:
    deliveries, updates = len(office.slack.deliveries), len(office.telegram.updates.issued)
    asker, desk = _begun(office, asked_on, desk_on)
    desk.presses(ANN, "claim")
    said = desk.says(ANN, "Bob does.")
    office.sees(lambda: asker.read()[-1].endswith("Bob does."))
    desk.edits(ANN, said, "Bob does, or Eve.")
    office.sees(lambda: asker.read()[-1].endswith("Bob does, or Eve."))
    asker.says("And on Mondays?")
    office.sees(lambda: "And on Mondays?" in desk.read()[-1])
    desk.presses(ANN, "return")
    office.sees(lambda: asker.read()[-1] == phrase("asker_returned", "en"))
    office.sees(office.is_settled)
    before = _seen(office, asker, desk)
    for delivery in reversed(office.slack.deliveries[deliveries:]):
        office.slack.redelivers(delivery)
        if delivery.kind == "events_api":
            office.slack.resends(delivery)
    for update in reversed([*office.telegram.updates.issued][updates:]):
        office.telegram.redelivers(update)
    office.sees(lambda: not office.telegram.pending_update_ids and office.slack.courier.is_idle)
    time.sleep(STAYS_S)
    office.sees(office.is_settled)

    assert _seen(office, asker, desk) == before


def test_what_comes_in_the_wrong_order_is_done_all_the_same(office: Takeover) -> None:
    asker, desk = _begun(office, "slack", "slack")
    slack = office.slack
    slack.courier.hold()
    desk.clicks(ANN, "claim")
    desk.says(ANN, "Bob does.")
    asker.says("Does he?")
    slack.courier.release(reverse=True)
    office.sees(lambda: asker.read()[-1].endswith("Bob does."))
    office.sees(lambda: "Does he?" in "".join(desk.read()) or office.rows("select 1 from ticket where false"))

    assert [text.endswith("Bob does.") for text in asker.read()].count(True) == 1
