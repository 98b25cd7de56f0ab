"""Who may not take over is refused and told so; what comes twice or out of order changes nothing twice (S32)."""

import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from bot.core.phrases import phrase
from tests.scenario.conftest import Site
from tests.scenario.takeover_office import ANN, BOB, STAYS_S, Asker, Desk, Takeover, taking_over
from tests.scenario.takeover_sides import TELEGRAM_PEOPLE
from tests.scenario.takeover_tries import CLOSED, CLOSED_CHANNEL, CLOSED_CHAT, TRIED, Tried, begun
from tests.wire.slack import TEAM

AT_ONCE = 5
STATE = "select state from ticket where question = '{question}'"
REFUSED = """
select actor, details ->> 'act' from ticket_event join ticket on ticket.id = ticket_id
where kind = 'refused' and question = '{question}'
"""
HAPPENED = """
select kind, actor, ticket_event.text from ticket_event join ticket on ticket.id = ticket_id
where question = '{question}' order by ticket_event.id
"""


@pytest.fixture(scope="module")
def office(site: Site) -> Iterator[Takeover]:
    """One bot for all: each question has an asker of its own."""
    with taking_over(*site, desks=CLOSED) as at_work:
        at_work.slack.workspaces[TEAM].add_channel(CLOSED_CHANNEL)
        people = [*TELEGRAM_PEOPLE.values()]
        at_work.telegram.add_supergroup(CLOSED_CHAT, people, is_forum=True, is_admin=True)
        at_work.telegram.says(people[0], CLOSED_CHAT, "Welcome!")
        at_work.bot.sync()
        at_work.start()
        yield at_work


@pytest.fixture(scope="module")
def tried(office: Takeover) -> Iterator[Mapping[str, Future[Tried]]]:
    """All that was tried, several at once."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        yield {name: threads.submit(tries, office) for name, tries in TRIED.items()}


@pytest.mark.parametrize("name", TRIED)
def test_who_may_not_is_refused_told_so_and_recorded(
    office: Takeover, tried: Mapping[str, Future[Tried]], name: str
) -> None:
    one = tried[name].result()
    office.sees(one.told)

    assert one.told() == phrase("desk_refused", "en")
    assert office.rows(REFUSED.format(question=one.question)) == [(one.actor, one.act)]
    assert office.rows(STATE.format(question=one.question)) == [(one.state,)]


@pytest.mark.parametrize("desk_on", ["slack", "telegram"])
def test_of_two_who_claim_at_once_one_wins_and_the_other_is_told_by_whom(office: Takeover, desk_on: str) -> None:
    _, desk = begun(office, "slack", desk_on)
    with ThreadPoolExecutor(2) as both:
        told = dict(zip((ANN, BOB), both.map(lambda who: desk.presses(who, "claim"), (ANN, BOB)), strict=True))
    winner, loser = (ANN, BOB) if told[ANN] == phrase("desk_yours", "en") else (BOB, ANN)

    assert told == {winner: phrase("desk_yours", "en"), loser: phrase("desk_taken", "en", owner=winner)}
    office.sees(lambda: winner in desk.card())
    assert loser not in desk.card()


def _seen(office: Takeover, asker: Asker, desk: Desk) -> tuple[object, ...]:
    """Return all that there is of a takeover, on both sides and in the database."""
    events = office.rows(HAPPENED.format(question=desk.question))
    return asker.read(), desk.shown(), events, office.rows("select count(*) from ticket")


@pytest.mark.parametrize(("asked_on", "desk_on"), [("slack", "telegram"), ("telegram", "slack")])
def test_what_is_delivered_again_changes_nothing_in_whatever_order(
    office: Takeover, asked_on: str, desk_on: str
) -> None:
    deliveries, updates = len(office.slack.deliveries), len(office.telegram.updates.issued)
    asker, desk = begun(office, asked_on, desk_on)
    desk.presses(ANN, "claim")
    said = desk.says(ANN, "Bob does.")
    office.sees(lambda: asker.read()[-1].endswith("Bob does."))
    desk.edits(ANN, said, "Bob does, or Eve.")
    office.sees(lambda: asker.read()[-1].endswith("Bob does, or Eve."))
    asker.says("And on Mondays?")
    office.sees(lambda: "And on Mondays?" in "".join(desk.read()))
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
    asker, desk = begun(office, "slack", "slack")
    slack = office.slack
    slack.courier.hold()
    desk.clicks(ANN, "claim")
    desk.says(ANN, "Bob does.")
    asker.says("Does he?")
    slack.courier.release(reverse=True)
    office.sees(lambda: any(text.endswith("Bob does.") for text in asker.read()))
    office.sees(lambda: "Does he?" in "".join(desk.read()))
    office.sees(lambda: ANN in desk.card())
    office.sees(office.is_settled)

    kinds = [kind for kind, *_ in office.rows(HAPPENED.format(question=desk.question))]
    assert (kinds.count("claim"), kinds.count("reply")) == (1, 1)
    assert [text.endswith("Bob does.") for text in asker.read()].count(True) == 1
