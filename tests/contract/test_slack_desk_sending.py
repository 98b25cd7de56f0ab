"""Posts for desks through the real SDK: shown, changed, taken away, known again."""

from dataclasses import replace

import pytest

from bot.channels.slack.channel import SlackChannel
from bot.channels.slack.clients import open_clients
from bot.channels.slack.secrets import SlackSecrets
from bot.channels.slack.settings import SlackSettings
from bot.core.incoming import Place
from bot.core.installations import Installation
from bot.core.tickets.post import Part, Post
from knowledge.errors import TransientError
from tests.fakes.slack_desk import CARD, PLACE, PLAN, open_desk, sent, spot
from tests.fakes.slack_ports import FakeInstallations
from tests.fakes.slack_sending import readers_of
from tests.wire.slack import ASKER, DESK, DIRECT, PUBLIC, TEAM, Fault, slack_at_work


async def test_a_card_is_shown_with_its_buttons_and_found_again() -> None:
    async with open_desk() as (slack, channel):
        (parcel,) = channel.post(CARD, spot(slack))

        assert await channel.find(parcel) is None
        ts = await channel.send(parcel)
        assert ts
        assert (await channel.find(parcel), channel.can_find(parcel)) == (ts, True)
        assert slack.buttons_of(DESK, ts) == {"desk_claim": "Take it"}
        assert slack.answers(DESK)[0].text == "*Ticket 12 · open*\n> How do I change my PIN?"


async def test_a_long_post_goes_on_in_the_thread_of_its_beginning() -> None:
    async with open_desk() as (slack, channel):
        first, *others = channel.post(Post((Part("word " * 5_000),), CARD.presses, (PLAN,)), spot(slack))
        root = await channel.send(first)
        for parcel in others:
            await channel.send(parcel)

        assert {one.thread_ts for one in slack.answers(DESK) if one.ts != root} == {root}
        assert slack.answers(DESK)[-1].files == {"plan.pdf": b"%PDF"}
        assert all([await channel.find(parcel) for parcel in others])


async def test_a_card_that_changes_stays_where_it_is_and_once_more_changes_nothing() -> None:
    async with open_desk() as (slack, channel):
        (ts,) = await sent(channel, CARD, spot(slack))
        claimed = replace(CARD, parts=(Part("Ticket 12 · claimed", "title"),), presses=())

        once = await sent(channel, claimed, spot(slack, replaces=ts))
        again = await sent(channel, claimed, spot(slack, replaces=ts))

        assert (once, again) == ([ts], [ts])
        (shown,) = slack.answers(DESK)
        assert (shown.text, slack.buttons_of(DESK, shown.ts)) == ("*Ticket 12 · claimed*", {})


@pytest.mark.parametrize("code", ["message_not_found", "cant_update_message", "edit_window_closed"])
async def test_where_a_card_cannot_be_changed_another_one_is_posted_and_found(code: str) -> None:
    async with open_desk() as (slack, channel):
        (ts,) = await sent(channel, CARD, spot(slack))
        slack.inject("chat.update", Fault.error(code))
        (parcel,) = channel.post(CARD, spot(slack, key="ticket:12:refresh", replaces=ts, reply_to=ts))

        anew = await channel.send(parcel)

        assert [one.ts for one in slack.answers(DESK)] == [ts, anew]
        assert await channel.find(parcel) == anew


async def test_a_card_that_somebody_deleted_stands_there_anew() -> None:
    async with open_desk() as (slack, channel):
        (ts,) = await sent(channel, CARD, spot(slack))
        assert ts
        slack.deletes(DESK, ts)

        (anew,) = await sent(channel, CARD, spot(slack, key="refresh", replaces=ts, reply_to=ts))

        assert [(one.ts, one.thread_ts) for one in slack.answers(DESK)] == [(anew, None)]


@pytest.mark.parametrize("is_deleted", [True, False])
async def test_what_is_only_to_disappear_does_so_however_often(is_deleted: bool) -> None:
    async with open_desk() as (slack, channel):
        (ts,) = await sent(channel, CARD, spot(slack))
        (parcel,) = channel.post(CARD, spot(slack))
        if ts and is_deleted:
            slack.deletes(DESK, ts)

        gone = replace(parcel, replaces=ts, is_gone=True)

        assert [await channel.send(gone), await channel.send(gone)] == [None, None]
        assert slack.answers(DESK) == []


async def test_what_one_person_alone_may_see_comes_as_a_direct_message_and_is_changed_there() -> None:
    async with open_desk() as (slack, channel):
        where = spot(slack, place=replace(PLACE, channel=PUBLIC), alone=ASKER)

        (ts,) = await sent(channel, Post((Part("Room 12."),)), where)
        assert await channel.find(channel.post(Post((Part("Room 12."),)), where)[0]) == ts
        await sent(channel, Post((Part("Room 13."),)), replace(where, replaces=ts))

        assert [(one.ts, one.text) for one in slack.answers(DIRECT)] == [(ts, "Room 13.")]
        assert slack.answers(PUBLIC) == []


async def test_people_are_named_and_whoever_is_unknown_is_not() -> None:
    async with open_desk() as (slack, channel):
        slack.workspaces[TEAM].users[ASKER].name = "Ada"

        assert [await channel.name_of(PLACE, user) for user in (ASKER, ASKER, "U0NOBODY")] == ["Ada", "Ada", None]
        assert len(slack.calls_of("users.info")) == 2
        assert channel.topic("Ticket 12", spot(slack)) is None
        assert await channel.place(DESK) == PLACE


async def test_a_channel_is_looked_for_in_all_workspaces_once() -> None:
    with slack_at_work() as slack:
        slack.add_workspace("T0OTHER").add_channel("C0OTHER")
        installed = [Installation(None, team, "A", "U", "B", f"xoxb-{team}") for team in (TEAM, "T0OTHER")]
        settings = SlackSettings(api_url=slack.api_url)
        async with open_clients(settings, SlackSecrets(), FakeInstallations(*installed)) as clients:
            channel = SlackChannel(clients, reader_of=readers_of({}))

            assert [await channel.place("C0OTHER") for _ in range(2)] == [Place("slack", "T0OTHER", "C0OTHER")] * 2
            with pytest.raises(TransientError, match="C0NOWHERE"):
                await channel.place("C0NOWHERE")
        assert len(slack.calls_of("conversations.info")) == 4
