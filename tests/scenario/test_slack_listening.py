"""Slack is told that we have a delivery only when that is so, by socket and by HTTP."""

from bot.channels.slack.listen.app import STORED_AT_ONCE
from bot.core.incoming import Place
from tests.fakes.slack_ports import FakeStores
from tests.scenario.slack_listening import MODES, listening
from tests.wire.slack import (
    ASKER,
    COLLEAGUE,
    DIRECT,
    GROUP,
    MENTION,
    OTHER_BOT,
    PRIVATE,
    PUBLIC,
    SHARED,
    TEAM,
    slack_at_work,
)

QUESTION = f"{MENTION} how do I renew my access?"


@MODES
async def test_a_mention_is_stored_once_though_slack_tells_of_it_twice(mode: str) -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores, choice={"mode": mode}) as listener:
            ts = slack.says(ASKER, PUBLIC, QUESTION)
            await slack.until(lambda: listener.counts.acks == 2)

    (incoming,) = stores.inbox.messages.values()
    assert (incoming.place, incoming.message) == (Place("slack", TEAM, PUBLIC), ts)
    assert (incoming.text, incoming.author, incoming.is_addressed) == ("how do I renew my access?", ASKER, True)
    assert (listener.counts.stored, listener.counts.known) == (1, 1)


@MODES
async def test_slack_is_told_only_after_the_message_is_stored(mode: str) -> None:
    stores = FakeStores()
    stores.inbox.delay_s = 0.3
    with slack_at_work() as slack:
        async with listening(slack, stores, choice={"mode": mode}):
            slack.says(ASKER, DIRECT, "how?")
            await slack.until(lambda: slack.deliveries_of("message"))
            (delivery,) = slack.deliveries_of("message")
            assert not delivery.is_acked
            assert not stores.inbox.messages
            await slack.until(lambda: delivery.is_acked)

    assert stores.inbox.texts == ["how?"]
    assert delivery.latency_s is not None
    assert delivery.latency_s >= 0.3


@MODES
async def test_what_cannot_be_stored_is_not_acknowledged_and_comes_again(mode: str) -> None:
    stores = FakeStores()
    stores.inbox.failures = 2
    with slack_at_work() as slack:
        slack.manners.ack_within_s = 0.4
        async with listening(slack, stores, choice={"mode": mode}) as listener:
            slack.says(ASKER, DIRECT, "how?")
            await slack.until(lambda: stores.inbox.messages)
            await slack.until(lambda: slack.courier.is_idle)

    assert [delivery.is_acked for delivery in slack.deliveries_of("message")] == [False, False, True]
    assert len({delivery.event_id for delivery in slack.deliveries_of("message")}) == 1
    assert stores.inbox.texts == ["how?"]
    assert listener.counts.refused == 2


async def test_what_cannot_be_stored_in_time_makes_room_and_comes_again() -> None:
    stores = FakeStores()
    stores.inbox.delay_s = 60.0
    with slack_at_work() as slack:
        async with listening(slack, stores) as listener:
            for number in range(20):
                slack.says(ASKER, DIRECT, f"question {number}")
            await slack.until(lambda: listener.counts.events == 20)
            stores.inbox.delay_s = 0.0
            await slack.until(lambda: len(stores.inbox.messages) == 20)

    # Those behind them may be stored in the moment that they make room, or come again as well.
    assert listener.counts.refused >= STORED_AT_ONCE


@MODES
async def test_the_same_event_again_and_again_and_under_another_id_has_one_effect(mode: str) -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores, choice={"mode": mode}) as listener:
            slack.says(ASKER, DIRECT, "how?")
            await slack.until(lambda: listener.counts.acks == 1)
            (delivery,) = slack.deliveries_of("message")
            slack.redelivers(delivery)
            slack.resends(delivery)
            await slack.until(lambda: listener.counts.acks == 3)

    assert stores.inbox.texts == ["how?"]


@MODES
async def test_edits_and_deletions_reach_the_message_also_before_it_comes(mode: str) -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores, choice={"mode": mode}) as listener:
            first, second = slack.says(ASKER, DIRECT, "how?"), slack.says(ASKER, DIRECT, "and why?")
            await slack.until(lambda: len(stores.inbox.messages) == 2)
            slack.edits(DIRECT, first, "how, &lt;today&gt;?")
            slack.deletes(DIRECT, second)
            slack.unfurls(DIRECT, first)
            await slack.until(lambda: listener.counts.acks == 5)

    assert stores.inbox.texts == ["how, <today>?", "and why?"]
    assert stores.inbox.deleted == [(Place("slack", TEAM, DIRECT), second)]


async def test_everybody_is_heard_in_their_place_and_no_bot_is() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores) as listener:
            root = slack.says(COLLEAGUE, PUBLIC, "does somebody know?")
            slack.says(ASKER, PUBLIC, QUESTION, thread=root)
            for channel in (PRIVATE, GROUP, SHARED):
                slack.says(ASKER, channel, QUESTION)
            slack.says(ASKER, DIRECT, "look", files=["plan.pdf"])
            slack.says(OTHER_BOT, PUBLIC, QUESTION)
            await slack.until(lambda: len(stores.inbox.messages) == 5)
            await slack.until(lambda: slack.courier.is_idle)

    found = {incoming.place.channel: incoming for incoming in stores.inbox.messages.values()}
    assert set(found) == {PUBLIC, PRIVATE, GROUP, SHARED, DIRECT}
    # A mention does not tell what kind of channel it is in; then it is taken for the most careful.
    assert {found[PRIVATE].company, found[GROUP].company} <= {"private", "group", "shared"}
    assert (found[SHARED].company, found[DIRECT].company) == ("shared", "direct")
    assert (found[PUBLIC].thread, found[DIRECT].has_files) == (root, True)
    assert listener.counts.refused == 0


async def test_many_at_once_are_acknowledged_while_the_store_is_slow() -> None:
    stores = FakeStores()
    stores.inbox.delay_s = 0.1
    with slack_at_work() as slack:
        async with listening(slack, stores):
            for number in range(100):
                slack.says(ASKER, DIRECT, f"question {number}")
            await slack.until(lambda: len(stores.inbox.messages) == 100)
            await slack.until(lambda: slack.courier.is_idle)

    assert all(delivery.is_acked and delivery.attempt == 0 for delivery in slack.deliveries_of("message"))
