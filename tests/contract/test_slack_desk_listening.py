"""A desk's buttons and forms through the real Bolt: each does what it says once, and who pressed it is told."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.channels.slack.clients import open_clients
from bot.channels.slack.listen.catch_up import CatchUp
from bot.channels.slack.listen.counts import Counts
from bot.channels.slack.listen.keeper import Stores
from bot.channels.slack.secrets import SlackSecrets
from bot.channels.slack.settings import SlackSettings
from bot.core.incoming import Place
from bot.core.tickets.acts import Act
from bot.core.tickets.post import Part, Post, Press
from tests.fakes.book import FakeBook, case
from tests.fakes.slack_desk import HearingBook, sending, sent, spot
from tests.fakes.slack_ports import FakeStores
from tests.scenario.slack_listening import MODES, listening
from tests.wire.slack import (
    BOT_TOKEN,
    BOT_USER,
    COLLEAGUE,
    DESK,
    OPERATOR,
    STRANGER,
    TEAM,
    Fault,
    SlackServer,
    slack_at_work,
)
from tests.wire.slack.messages import Message

REWORD = Press("reword", 12, "Edit", fields=(("question", "How?"), ("answer", "So.")))
CARD = Post(
    (Part("Ticket 12", "title"),),
    ((Press("claim", 12, "Take it"), Press("reply", 12, "Reply")), (REWORD,)),
    language="uk",
)
PLACE = Place("slack", TEAM, DESK)


def desk(*, refused: str = "") -> tuple[FakeStores, FakeBook]:
    """Return stores with one ticket."""
    book = FakeBook(case(12), refused=(refused,))
    return FakeStores(book=book), book


async def shown(slack: SlackServer, post: Post = CARD) -> str:
    """Show a card at the desk, and return its ts."""
    async with sending(slack) as channel:
        (ts,) = await sent(channel, post, spot(slack))
    assert ts
    return ts


async def said_to(slack: SlackServer, user: str) -> str:
    """Return what somebody alone is told next."""
    await slack.until(lambda: slack.whispers(DESK, user))
    return slack.whispers(DESK, user)[-1].text


@MODES
async def test_a_press_does_it_and_who_pressed_is_told(mode: str) -> None:
    stores, book = desk()
    with slack_at_work() as slack:
        async with listening(slack, stores, choice={"mode": mode}):
            ts = await shown(slack)
            slack.clicks(OPERATOR, DESK, ts, "desk_claim")

            assert await said_to(slack, OPERATOR) == "claim is done"
        (act,) = book.acts
        assert (act.kind, act.number, act.actor.id, act.actor.place) == ("claim", 12, f"slack:{OPERATOR}", PLACE)
        assert not act.actor.is_foreign
        assert slack.alarms == []


async def test_a_press_that_is_delivered_again_does_nothing_more() -> None:
    stores, book = desk()
    with slack_at_work() as slack:
        async with listening(slack, stores):
            slack.clicks(OPERATOR, DESK, await shown(slack), "desk_claim")
            await slack.until(lambda: slack.whispers(DESK, OPERATOR))
            slack.redelivers(next(one for one in slack.deliveries if one.payload.get("type") == "block_actions"))
            await slack.until(lambda: len(slack.whispers(DESK, OPERATOR)) == 2)

        assert len(book.acts) == 1


async def test_of_two_who_press_at_once_one_is_told_that_the_other_has_it() -> None:
    stores, book = desk()
    with slack_at_work() as slack:
        async with listening(slack, stores):
            ts = await shown(slack)
            for user in (OPERATOR, COLLEAGUE):
                slack.clicks(user, DESK, ts, "desk_claim")
            told = {await said_to(slack, OPERATOR), await said_to(slack, COLLEAGUE)}

        assert (len(book.acts), "claim is done" in told, len(told)) == (1, True, 2)


FROM_ELSEWHERE = {
    "of a shared channel": (STRANGER, None, TEAM),
    "of another workspace": ("U9", "T0EVIL", "T0EVIL"),
}


@pytest.mark.parametrize(("user", "team", "workspace"), FROM_ELSEWHERE.values(), ids=FROM_ELSEWHERE)
async def test_a_press_of_others_is_handed_on_as_one_of_others(user: str, team: str | None, workspace: str) -> None:
    stores, book = desk()
    with slack_at_work() as slack:
        async with listening(slack, stores):
            slack.clicks(user, DESK, await shown(slack), "desk_claim", team=team)
            await slack.until(lambda: book.acts)

    actor = book.acts[0].actor
    assert (actor.is_foreign, actor.place) == (True, Place("slack", workspace, DESK))


async def test_who_may_not_is_told_so_and_nobody_else_is() -> None:
    stores, book = desk(refused=f"slack:{COLLEAGUE}")
    with slack_at_work() as slack:
        async with listening(slack, stores):
            slack.clicks(COLLEAGUE, DESK, await shown(slack), "desk_claim")

            assert await said_to(slack, COLLEAGUE) == "you may not do that"
        assert (book.acts, len(slack.whispers(DESK)), len(slack.answers(DESK))) == ([], 1, 1)


async def form(slack: SlackServer, action: str) -> None:
    """Open a form from a card, and wait until it is there."""
    slack.clicks(OPERATOR, DESK, await shown(slack), action)
    await slack.until(lambda: slack.views)


async def acts_of(slack: SlackServer, book: FakeBook) -> list[Act]:
    """Return what has been done, once something was."""
    await slack.until(lambda: book.acts)
    return book.acts


async def test_a_reply_is_asked_for_in_a_form_in_the_language_of_the_desk() -> None:
    stores, book = desk()
    with slack_at_work() as slack:
        async with listening(slack, stores):
            await form(slack, "desk_reply")
            title = slack.dialog_of(OPERATOR).view["title"]
            slack.fills(OPERATOR, text="Room <12>.")
            (act,) = await acts_of(slack, book)
            told = await said_to(slack, OPERATOR)

        assert title == {"type": "plain_text", "text": "Відповідь на питання", "emoji": False}
        assert (act.kind, act.text, act.actor.place, told) == ("reply", "Room <12>.", PLACE, "reply is done")


@pytest.mark.parametrize("has_metadata", [True, False], ids=["told", "to be looked for"])
async def test_an_entry_is_edited_in_a_form_that_begins_with_it(has_metadata: bool) -> None:
    stores, book = desk()
    with slack_at_work() as slack:
        slack.manners.tells_metadata = has_metadata
        async with listening(slack, stores):
            await form(slack, "desk_reword")
            slack.fills(OPERATOR, answer="So, since May.")
            (act,) = await acts_of(slack, book)

        assert (act.kind, act.details) == ("reword", {"question": "How?", "answer": "So, since May."})
        assert len(slack.calls_of("conversations.replies")) == (0 if has_metadata else 1)


async def test_a_form_that_does_not_open_takes_nothing_with_it() -> None:
    stores, book = desk()
    with slack_at_work() as slack:
        slack.inject("views.open", Fault.error("trigger_expired"))
        async with listening(slack, stores) as listener:
            slack.clicks(OPERATOR, DESK, await shown(slack), "desk_reply")
            await slack.until(lambda: slack.calls_of("views.open"))
            slack.clicks(OPERATOR, DESK, slack.answers(DESK)[0].ts, "desk_claim")
            await slack.until(lambda: book.acts)

    assert listener.counts.refused == 0


async def test_what_cannot_be_stored_is_not_acknowledged_and_nobody_is_told_it_was() -> None:
    stores, book = desk()
    book.failures = 1
    with slack_at_work() as slack:
        slack.manners.ack_within_s = 0.4
        async with listening(slack, stores) as listener:
            slack.clicks(OPERATOR, DESK, await shown(slack), "desk_claim")
            await slack.until(lambda: listener.counts.refused)

        assert (book.acts, slack.whispers(DESK)) == ([], [])


async def test_where_the_address_is_worn_out_it_is_said_in_the_place() -> None:
    stores, _ = desk()
    with slack_at_work() as slack:
        async with listening(slack, stores):
            ts = await shown(slack)
            slack.courier.hold()
            slack.clicks(OPERATOR, DESK, ts, "desk_claim")
            for url in slack.response_urls.values():
                url.uses = 5
            slack.courier.release()

            assert await said_to(slack, OPERATOR) == "claim is done"
        assert len(slack.calls_of("chat.postEphemeral")) == 1


async def test_what_is_written_below_a_card_while_nobody_listened_is_caught_up_with() -> None:
    book = HearingBook()
    with slack_at_work() as slack:
        ts = await shown(slack)
        slack.subscriptions.clear()
        slack.says(OPERATOR, DESK, "Room 12.", thread=ts)
        async with listening(slack, FakeStores(book=book), choice={"catch_up_hours": 1}):
            await slack.until(lambda: book.heard)

    assert book.heard == ["Room 12."]


@pytest.mark.parametrize("is_desk", [True, False])
async def test_at_a_desk_also_the_cards_of_some_days_ago_are_looked_below(is_desk: bool) -> None:
    book = HearingBook()
    stores = FakeStores(book=book)
    desks = frozenset({DESK}) if is_desk else frozenset[str]()
    with slack_at_work() as slack:
        opened = f"{datetime.now(UTC).timestamp() - 3 * 86_400:.6f}"
        slack.channel(DESK).messages[opened] = Message(opened, BOT_USER, TEAM, "Ticket 12", is_ours=True)
        slack.says(OPERATOR, DESK, "Room 12.", thread=opened)
        async with open_clients(SlackSettings(api_url=slack.api_url), SlackSecrets(bot_token=BOT_TOKEN)) as clients:
            kept = Stores(stores.intake(), stores.feedback, stores.heard, desks=desks)
            await CatchUp(clients, kept, Counts(), window=timedelta(hours=24)).once()

    assert book.heard == (["Room 12."] if is_desk else [])
