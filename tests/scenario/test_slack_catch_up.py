"""What was written while nobody listened is found, once, oldest first."""

from bot.core.incoming import Place
from tests.fakes.slack_ports import FakeStores
from tests.scenario.slack_listening import listening
from tests.wire.slack import (
    ASKER,
    COLLEAGUE,
    DIRECT,
    ELSEWHERE,
    MENTION,
    OTHER_BOT,
    PRIVATE,
    PUBLIC,
    SHARED,
    TEAM,
    Fault,
    SlackServer,
    slack_at_work,
)

DAY = {"catch_up_hours": 24}


def nobody_listens(slack: SlackServer) -> None:
    """Let what people write from now on go to nobody, as after Slack has given up."""
    slack.manners.waits_for_connection = False
    slack.manners.retry_delays_s = ()


async def test_what_was_missed_is_found_at_the_start_where_we_are() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        nobody_listens(slack)
        for channel in (PUBLIC, PRIVATE, SHARED, ELSEWHERE):
            slack.says(ASKER, channel, f"{MENTION} in {channel}")
        slack.says(ASKER, PUBLIC, "not for us")
        slack.says(OTHER_BOT, PUBLIC, f"{MENTION} I am a bot")
        slack.says(ASKER, DIRECT, "first")
        slack.says(ASKER, DIRECT, "second", files=["plan.pdf"])
        await slack.until(lambda: slack.courier.is_idle)
        async with listening(slack, stores, choice=DAY) as listener:
            await slack.until(lambda: len(stores.inbox.messages) == 5)
            await slack.until(lambda: stores.heard.places)

    companies = {one.place.channel: one.company for one in stores.inbox.messages.values()}
    assert companies == {PUBLIC: "public", PRIVATE: "private", SHARED: "shared", DIRECT: "direct"}
    assert [text for text in stores.inbox.texts if "in" not in text] == ["first", "second"]
    assert listener.counts.caught_up == 5


async def test_replies_in_threads_with_us_are_found_too() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        nobody_listens(slack)
        root = slack.says(ASKER, DIRECT, "how?")
        slack.says(ASKER, DIRECT, "and why?", thread=root)
        await slack.until(lambda: slack.courier.is_idle)
        async with listening(slack, stores, choice=DAY):
            await slack.until(lambda: len(stores.inbox.messages) == 2)

    assert [one.thread for one in stores.inbox.messages.values()] == [None, root]


async def test_what_came_as_it_was_written_is_known_and_what_was_heard_is_noted() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores, choice=DAY):
            slack.says(ASKER, DIRECT, "how?")
            await slack.until(lambda: stores.inbox.messages)
            await slack.until(lambda: Place("slack", TEAM, DIRECT) in stores.heard.places)
        async with listening(slack, stores, choice=DAY) as listener:
            await slack.until(lambda: len(slack.calls_of("conversations.history")) > 10)

    assert (stores.inbox.texts, listener.counts.caught_up) == (["how?"], 0)


async def test_after_a_new_connection_it_is_looked_for_again() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores, choice={**DAY, "silent_s": 0.6}):
            await slack.until(lambda: stores.heard.places)
            slack.manners.ack_within_s, slack.manners.retry_delays_s = 0.1, ()
            slack.deafens(drops_pings=True)
            slack.says(ASKER, DIRECT, "is somebody there?")
            await slack.until(lambda: slack.lost)
            await slack.until(lambda: stores.inbox.messages)

    assert stores.inbox.texts == ["is somebody there?"]


async def test_limits_are_waited_for_and_what_comes_meanwhile_is_heard() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        nobody_listens(slack)
        slack.says(ASKER, DIRECT, "missed")
        await slack.until(lambda: slack.courier.is_idle)
        slack.inject("conversations.history", Fault.rate_limited(1), times=1)
        async with listening(slack, stores, choice=DAY):
            await slack.until(lambda: slack.calls_of("conversations.history"))
            slack.says(COLLEAGUE, PUBLIC, f"{MENTION} live")
            await slack.until(lambda: stores.inbox.messages)
            assert stores.inbox.texts == ["live"]
            await slack.until(lambda: len(stores.inbox.messages) == 2)

    first, second, *_ = slack.calls_of("conversations.history")
    assert first.args["channel"] == second.args["channel"]
    assert second.at_s - first.at_s >= 1.0


async def test_a_place_that_cannot_be_read_now_is_not_noted_as_heard() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        slack.inject("conversations.history", Fault.html(503), times=None, channel=PUBLIC)
        async with listening(slack, stores, choice=DAY):
            await slack.until(lambda: Place("slack", TEAM, DIRECT) in stores.heard.places)

    assert Place("slack", TEAM, PUBLIC) not in stores.heard.places


async def test_what_was_said_before_we_joined_is_none_of_our_business() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores):
            slack.joins("UT0HOMEBOT", ELSEWHERE)
            await slack.until(lambda: stores.heard.places)

    assert list(stores.heard.places) == [Place("slack", TEAM, ELSEWHERE)]


async def test_an_edit_that_was_missed_is_found_in_the_text() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores):
            ts = slack.says(ASKER, DIRECT, "how?")
            await slack.until(lambda: stores.inbox.messages)
        nobody_listens(slack)
        slack.edits(DIRECT, ts, "how, today?")
        await slack.until(lambda: slack.courier.is_idle)
        async with listening(slack, stores, choice=DAY):
            await slack.until(lambda: stores.inbox.texts != ["how?"])

    assert stores.inbox.texts == ["how, today?"]
