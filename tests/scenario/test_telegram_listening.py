"""Telegram is told that we have an update only when that is so, by polling and by webhook."""

import pytest

from bot.channels.telegram.listen.reception import TRIES
from bot.core.incoming import Incoming, Place
from bot.core.intake import Stored
from tests.fakes.slack_ports import FakeInbox
from tests.fakes.telegram_ports import FakeOffered
from tests.scenario.telegram_listening import MODES, listening
from tests.wire.telegram import (
    ASKER,
    BOT,
    COLLEAGUE,
    FORUM,
    GROUP,
    MENTION,
    SUPERGROUP,
    TOPIC,
    telegram_at_work,
)


class BreakingInbox(FakeInbox):
    """Breaks over one text, as no database that is only away does."""

    async def store(self, incoming: Incoming, *, is_volunteer: bool) -> Stored:
        if incoming.text == "break":
            raise RuntimeError("told to")
        return await super().store(incoming, is_volunteer=is_volunteer)


@MODES
async def test_what_is_written_to_us_is_stored_once_and_confirmed(mode: str) -> None:
    stores = FakeOffered()
    with telegram_at_work() as telegram:
        async with listening(telegram, stores, choice={"mode": mode}) as listener:
            message = telegram.says(ASKER, GROUP, f"{MENTION} how do I renew my access?")
            await telegram.until(lambda: stores.inbox.messages and not telegram.pending_update_ids)
            update_id = telegram.update_of(GROUP, message)
            assert update_id is not None
            telegram.redelivers(update_id)
            await telegram.until(lambda: listener.counts.updates == 2 and not telegram.pending_update_ids)

    (incoming,) = stores.inbox.messages.values()
    assert (incoming.place, incoming.message) == (Place("telegram", str(BOT), str(GROUP)), str(message))
    assert (incoming.text, incoming.author, incoming.is_addressed) == ("how do I renew my access?", str(ASKER), True)
    assert (listener.counts.stored, listener.counts.known) == (1, 1)


@MODES
async def test_telegram_is_told_only_after_the_update_is_stored(mode: str) -> None:
    stores = FakeOffered()
    stores.inbox.delay_s = 0.3
    with telegram_at_work() as telegram:
        async with listening(telegram, stores, choice={"mode": mode}) as listener:
            telegram.says(ASKER, ASKER, "how?")
            await telegram.until(lambda: listener.counts.updates)
            pending_before, stored_before = telegram.pending_update_ids, stores.inbox.texts
            await telegram.until(lambda: not telegram.pending_update_ids)

    assert (len(pending_before), stored_before, stores.inbox.texts) == (1, [], ["how?"])


@MODES
async def test_what_cannot_be_stored_is_not_confirmed_and_comes_again(mode: str) -> None:
    stores = FakeOffered()
    stores.inbox.failures = 2
    with telegram_at_work() as telegram:
        async with listening(telegram, stores, choice={"mode": mode}) as listener:
            for number in range(3):
                telegram.says(ASKER, ASKER, f"question {number}")
            await telegram.until(lambda: listener.counts.refused)
            ill = listener.reach()
            await telegram.until(lambda: not telegram.pending_update_ids)
            well = listener.reach()

    assert stores.inbox.texts == ["question 0", "question 1", "question 2"]
    assert (listener.counts.refused, listener.counts.stored) == (2, 3)
    assert (ill.is_healthy, "the database failed" in str(ill.trouble)) == (False, True)
    assert well.is_healthy


@MODES
async def test_an_update_that_breaks_us_is_left_out_and_blocks_nobody(
    mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    stores = FakeOffered(BreakingInbox())
    with telegram_at_work() as telegram:
        async with listening(telegram, stores, choice={"mode": mode}) as listener:
            telegram.says(ASKER, ASKER, "first")
            message = telegram.says(ASKER, ASKER, "break")
            telegram.says(ASKER, ASKER, "last")
            await telegram.until(lambda: not telegram.pending_update_ids)

    assert stores.inbox.texts == ["first", "last"]
    assert listener.counts.refused == TRIES - 1
    (told,) = [record for record in caplog.records if "left out" in record.message]
    assert vars(told)["update"] == telegram.update_of(ASKER, message)


@MODES
async def test_an_update_that_cannot_be_read_blocks_nobody(mode: str) -> None:
    stores = FakeOffered()
    with telegram_at_work() as telegram:
        async with listening(telegram, stores, choice={"mode": mode}):
            telegram.sends_update({"message": {"message_id": "?", "chat": 7}})
            telegram.sends_update({"something_new": {"id": 1}})
            telegram.says(ASKER, ASKER, "how?")
            await telegram.until(lambda: stores.inbox.messages and not telegram.pending_update_ids)

    assert stores.inbox.texts == ["how?"]


@MODES
async def test_what_is_written_while_nobody_listens_waits_and_comes_in_order(mode: str) -> None:
    stores = FakeOffered()
    written = [f"question {number}" for number in range(5)]
    with telegram_at_work() as telegram:
        async with listening(telegram, stores, choice={"mode": mode}):
            pass
        for text in written:
            telegram.says(ASKER, ASKER, text)
        async with listening(telegram, stores, choice={"mode": mode}):
            await telegram.until(lambda: not telegram.pending_update_ids)

    assert stores.inbox.texts == written
    assert not any(call.flag("drop_pending_updates") for call in telegram.calls)


@MODES
async def test_everybody_is_heard_in_their_place(mode: str) -> None:
    stores = FakeOffered()
    with telegram_at_work() as telegram:
        async with listening(telegram, stores, choice={"mode": mode}):
            telegram.says(COLLEAGUE, SUPERGROUP, "does somebody know?")
            telegram.says(ASKER, SUPERGROUP, f"{MENTION} how?")
            telegram.says(ASKER, FORUM, f"{MENTION} how?", topic=TOPIC)
            telegram.says(ASKER, ASKER, "look", media="photo")
            await telegram.until(lambda: len(stores.inbox.messages) == 3)

    found = {incoming.place.channel: incoming for incoming in stores.inbox.messages.values()}
    assert set(found) == {str(SUPERGROUP), str(FORUM), str(ASKER)}
    assert (found[str(FORUM)].thread, found[str(ASKER)].has_files) == (str(TOPIC), True)


async def test_edits_reach_the_message_and_thumbs_the_answer() -> None:
    stores = FakeOffered()
    with telegram_at_work() as telegram:
        telegram.add_supergroup(-100_5, [ASKER], is_admin=True)
        async with listening(telegram, stores):
            message = telegram.says(ASKER, -100_5, f"{MENTION} how?")
            await telegram.until(lambda: stores.inbox.messages)
            telegram.edits(ASKER, -100_5, message, f"{MENTION} how, today?")
            telegram.reacts(ASKER, -100_5, message, "👍")
            telegram.reacts(ASKER, -100_5, message, None)
            await telegram.until(lambda: len(stores.feedback.reactions) == 2)

    assert stores.inbox.texts == ["how, today?"]
    assert stores.feedback.reactions == [(str(message), str(ASKER), "good"), (str(message), str(ASKER), None)]


async def test_a_group_that_moves_is_known_by_both_its_numbers() -> None:
    stores = FakeOffered()
    with telegram_at_work() as telegram:
        async with listening(telegram, stores, choice={"chats": [str(GROUP)]}):
            new = telegram.migrates(GROUP)
            telegram.says(ASKER, new, f"{MENTION} how?")
            await telegram.until(lambda: stores.inbox.messages)
        async with listening(telegram, stores, choice={"chats": [str(GROUP)]}):
            telegram.says(ASKER, new, f"{MENTION} and why?")
            await telegram.until(lambda: len(stores.inbox.messages) == 2)

    assert [one.wire["was"] for one in stores.inbox.messages.values()] == [str(GROUP)] * 2
    assert stores.moves.steps == {str(new): str(GROUP)}


async def test_telegram_is_asked_for_what_we_handle_and_for_more_only_where_that_is_chosen() -> None:
    with telegram_at_work() as telegram:
        async with listening(telegram, FakeOffered()):
            usual = set(telegram.updates.allowed)
        async with listening(telegram, FakeOffered(), choice={"business": True, "guests": True}):
            more = set(telegram.updates.allowed)

    assert usual == {"message", "edited_message", "callback_query", "message_reaction", "my_chat_member"}
    assert more - usual == {"business_message", "edited_business_message", "guest_message"}
