"""Long polling: by one process of all, whatever stands in the way, and stopped at any moment."""

import asyncio
import logging

import pytest

from knowledge.errors import SettingsProblem
from tests.fakes.telegram_ports import FakeOffered
from tests.scenario.telegram_listening import listening, open_listener
from tests.wire.telegram import ASKER, BOT, Fault, telegram_at_work


async def test_of_two_processes_one_polls_and_the_other_stands_by_until_it_is_gone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    first, second = FakeOffered(), FakeOffered()
    with telegram_at_work() as telegram:
        second.election.is_taken = True
        async with listening(telegram, first), listening(telegram, second) as other:
            await asyncio.sleep(0.2)
            standing_by = other.reach()
            conflicts = [call for call in telegram.calls_of("getUpdates") if call.status == 409]
        second.election.is_taken = False
        async with listening(telegram, second) as other:
            telegram.says(ASKER, ASKER, "how?")
            await telegram.until(lambda: second.inbox.messages)
            listens = other.reach()

    assert (standing_by.is_healthy, "stands by" in str(standing_by.trouble), conflicts) == (True, True, [])
    assert (listens.is_healthy, listens.trouble, listens.counts["stored"]) == (True, None, 1)
    assert len([record for record in caplog.records if "stands by" in record.message]) == 1
    assert second.election.posts == [f"telegram {BOT}"]


async def test_a_conflict_is_explained_once_and_gone_with_its_cause(caplog: pytest.LogCaptureFixture) -> None:
    stores = FakeOffered()
    conflict = Fault.refused(409, "Conflict: terminated by other getUpdates request; make sure that only one runs")
    with telegram_at_work() as telegram:
        telegram.inject("getUpdates", conflict, times=2)
        async with open_listener(telegram, stores) as listener:
            task = asyncio.create_task(listener.listen())
            await telegram.until(lambda: len(telegram.calls_of("getUpdates")) == 2)
            ill = listener.reach()
            await telegram.until(lambda: listener.reach().is_healthy)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    assert (ill.is_healthy, "another program" in str(ill.trouble)) == (False, True)
    assert len([record for record in caplog.records if "another program" in record.message]) == 1


async def test_a_webhook_that_is_set_is_removed_for_polling_and_that_is_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stores = FakeOffered()
    with telegram_at_work() as telegram:
        telegram.webhook.url = "https://old.example.com/bot12345:secret"
        telegram.says(ASKER, ASKER, "how?")
        async with listening(telegram, stores):
            await telegram.until(lambda: stores.inbox.messages)

    assert telegram.webhook.url == ""
    assert any("old.example.com" in record.message for record in caplog.records)
    assert "secret" not in caplog.text


@pytest.mark.parametrize("method", ["getMe", "getWebhookInfo", "getUpdates"])
async def test_a_token_that_is_refused_ends_listening_with_the_remedy(method: str) -> None:
    with telegram_at_work() as telegram:
        telegram.inject(method, Fault.refused(401, "Unauthorized"), times=None)
        async with open_listener(telegram, FakeOffered()) as listener:
            with pytest.raises(SettingsProblem, match=r"TELEGRAM_BOT_TOKEN.*BotFather"):
                await listener.listen()


@pytest.mark.parametrize("fault", [Fault.html_502(), Fault.cut_before(), Fault.flood(1)], ids=lambda fault: fault.name)
async def test_trouble_on_the_way_is_told_and_gone_with_its_cause(fault: Fault) -> None:
    stores = FakeOffered()
    with telegram_at_work() as telegram:
        async with listening(telegram, stores) as listener:
            telegram.inject("getUpdates", fault, times=2)
            telegram.says(ASKER, ASKER, "how?")
            await telegram.until(lambda: not listener.reach().is_healthy)
            await telegram.until(lambda: listener.reach().is_healthy)
            telegram.says(ASKER, ASKER, "and why?")
            await telegram.until(lambda: len(stores.inbox.messages) == 2)

    assert stores.inbox.texts == ["how?", "and why?"]


async def test_stopping_in_the_middle_of_a_batch_loses_nothing(caplog: pytest.LogCaptureFixture) -> None:
    stores = FakeOffered()
    written = [f"question {number}" for number in range(10)]
    with telegram_at_work() as telegram:
        for text in written:
            telegram.says(ASKER, ASKER, text)
        stores.inbox.delay_s = 0.1
        async with listening(telegram, stores):
            await telegram.until(lambda: len(stores.inbox.messages) == 3)
        waiting = len(telegram.pending_update_ids)
        stores.inbox.delay_s = 0.0
        async with listening(telegram, stores) as listener:
            await telegram.until(lambda: not telegram.pending_update_ids)

    assert waiting == 10
    assert stores.inbox.texts == written
    assert listener.counts.known >= 3
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_stopping_does_not_wait_for_the_library_to_end_its_pause() -> None:
    stores = FakeOffered()
    stores.inbox.failures = 100
    with telegram_at_work() as telegram:
        async with listening(telegram, stores) as listener:
            telegram.says(ASKER, ASKER, "how?")
            await telegram.until(lambda: listener.counts.refused == 2)
            started_s = asyncio.get_running_loop().time()
        took_s = asyncio.get_running_loop().time() - started_s

    assert len(telegram.pending_update_ids) == 1
    assert took_s < 1.2
