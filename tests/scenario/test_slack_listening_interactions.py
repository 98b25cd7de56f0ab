"""What people do instead of writing is stored, or answered at once: commands, shortcuts, thumbs, buttons, dialogs."""

import asyncio

from slack_sdk.web.async_client import AsyncWebClient

from bot.channels.slack.render.blocks import Block, actions, feedback, human_button, plain, share_button
from tests.fakes.slack_ports import FakeFeedback, FakeStores
from tests.scenario.slack_listening import MODES, listening
from tests.wire.slack import (
    ASKER,
    BOT_TOKEN,
    COLLEAGUE,
    DIRECT,
    PRIVATE,
    PUBLIC,
    TEAM,
    Fault,
    slack_at_work,
)


async def posted(api_url: str, channel: str, *blocks: Block) -> str:
    """Post something as the bot, and return its ts."""
    client = AsyncWebClient(token=BOT_TOKEN, base_url=api_url)
    answer = await client.chat_postMessage(channel=channel, text="an answer", blocks=[*blocks] or None)
    return str(answer["ts"])


def pressable(action_id: str, value: str) -> Block:
    return {"type": "button", "action_id": action_id, "text": plain("Press"), "value": value}


@MODES
async def test_a_command_is_answered_with_a_word_once_it_is_stored(mode: str) -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores, choice={"mode": mode}):
            address = slack.runs(ASKER, PUBLIC, "/ask", "як поновити доступ?")
            await slack.until(lambda: [one for one in slack.deliveries if one.is_acked])

    (delivery,) = slack.deliveries
    (incoming,) = stores.inbox.messages.values()
    assert isinstance(delivery.response, dict)
    assert delivery.response["response_type"] == "ephemeral"
    assert "документ" in delivery.response["text"].casefold()
    assert (incoming.origin, incoming.text, incoming.wire["response_url"]) == (
        "command",
        "як поновити доступ?",
        address,
    )


async def test_a_command_that_cannot_be_stored_is_not_taken() -> None:
    stores = FakeStores()
    stores.inbox.failures = 1
    with slack_at_work() as slack:
        slack.manners.ack_within_s = 0.4
        async with listening(slack, stores) as listener:
            slack.runs(ASKER, PUBLIC, "/ask", "how?")
            await slack.until(lambda: slack.lost)

    assert (stores.inbox.texts, listener.counts.refused) == ([], 1)


async def test_the_shortcut_asks_with_the_message_that_it_is_used_on() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores):
            ts = slack.says(COLLEAGUE, PUBLIC, "how do I renew my access?")
            slack.uses_shortcut(ASKER, PUBLIC, ts, "answer_this")
            await slack.until(lambda: stores.inbox.messages)

    (incoming,) = stores.inbox.messages.values()
    assert (incoming.author, incoming.text, incoming.thread) == (ASKER, "how do I renew my access?", ts)


async def test_thumbs_count_and_are_taken_back() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores):
            ours = await posted(slack.api_url, PUBLIC)
            slack.reacts(ASKER, PUBLIC, ours, "+1::skin-tone-3")
            await slack.until(lambda: len(stores.feedback.reactions) == 1)
            slack.unreacts(ASKER, PUBLIC, ours, "+1::skin-tone-3")
            await slack.until(lambda: len(stores.feedback.reactions) == 2)

    assert stores.feedback.reactions == [(ours, ASKER, "good"), (ours, ASKER, None)]


async def test_of_two_thumbs_the_last_one_put_counts_when_the_first_is_taken_back() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores) as listener:
            ours = await posted(slack.api_url, PUBLIC)
            for act, name in ((slack.reacts, "+1"), (slack.reacts, "-1"), (slack.unreacts, "+1")):
                acks = listener.counts.acks
                act(ASKER, PUBLIC, ours, name)
                await slack.until(lambda acks=acks: listener.counts.acks > acks)  # type: ignore[misc] # bound now

    assert [verdict for _, _, verdict in stores.feedback.reactions] == ["good", "bad"]


async def test_feedback_is_stored_and_then_asked_about() -> None:
    stores = FakeStores(feedback=FakeFeedback((7, PUBLIC)))
    with slack_at_work() as slack:
        async with listening(slack, stores):
            ours = await posted(slack.api_url, PUBLIC, feedback("7", "en"))
            slack.clicks(ASKER, PUBLIC, ours, "answer_feedback", value="bad:7")
            await slack.until(lambda: slack.views)
            assert stores.feedback.verdicts == {(7, ASKER): "bad"}
            reason: Block = {"selected_option": {"value": "outdated"}}
            slack.submits(slack.views[0], {"reason": {"reason": reason}, "comment": {"comment": {"value": "it moved"}}})
            await slack.until(lambda: stores.feedback.reasons)

    assert stores.feedback.reasons == {(7, ASKER): ("outdated", "it moved")}


async def test_feedback_on_an_answer_that_was_not_given_there_is_refused_without_a_dialog() -> None:
    stores = FakeStores(feedback=FakeFeedback((7, PRIVATE)))
    with slack_at_work() as slack:
        async with listening(slack, stores) as listener:
            ours = await posted(slack.api_url, PUBLIC, feedback("7", "en"))
            slack.clicks(ASKER, PUBLIC, ours, "answer_feedback", value="bad:7")
            await slack.until(lambda: listener.counts.acks)
            await asyncio.sleep(0.2)

    assert (stores.feedback.verdicts, slack.views) == ({}, [])


async def test_a_dialog_that_does_not_open_takes_nothing_back() -> None:
    stores = FakeStores(feedback=FakeFeedback((7, PUBLIC)))
    with slack_at_work() as slack:
        slack.inject("views.open", Fault.error("trigger_expired"))
        async with listening(slack, stores) as listener:
            ours = await posted(slack.api_url, PUBLIC, feedback("7", "en"))
            slack.clicks(ASKER, PUBLIC, ours, "answer_feedback", value="bad:7")
            await slack.until(lambda: slack.calls_of("views.open"))
            await slack.until(lambda: listener.counts.acks == 1)

    assert stores.feedback.verdicts == {(7, ASKER): "bad"}


async def test_buttons_pressed_twice_ask_once_each_in_its_own_place() -> None:
    stores = FakeStores()
    row = actions(human_button("7", "en"), share_button("9", "en"), pressable("answer_privately", "9"))
    with slack_at_work() as slack:
        async with listening(slack, stores) as listener:
            ours = await posted(slack.api_url, PUBLIC, row)
            for _ in range(2):
                for action in ("ask_human", "share_answer", "answer_privately"):
                    slack.clicks(ASKER, PUBLIC, ours, action)
            await slack.until(lambda: listener.counts.acks == 6)

    asked = {(one.place.channel, one.message): dict(one.wire) for one in stores.inbox.messages.values()}
    assert asked == {
        (PUBLIC, f"ask_human:{ours}:{ASKER}"): {"human": "7"},
        (PUBLIC, f"share_answer:{ours}:{ASKER}"): {"again": "9"},
        (DIRECT, "private:9"): {"again": "9"},
    }


async def test_who_opens_the_conversation_is_shown_what_to_ask() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores, choice={"prompts": ["How do I start?"]}):
            channel = slack.opens_home(ASKER, TEAM)
            await slack.until(lambda: slack.prompts)

    ((place, _),) = slack.prompts
    assert place == channel
