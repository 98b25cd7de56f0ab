"""What is sent to Slack arrives once, in a form that Slack takes, and is seen by nobody else."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.channels.slack.channel import SlackChannel
from bot.channels.slack.clients import open_clients
from bot.channels.slack.secrets import SlackSecrets
from bot.channels.slack.settings import SlackSettings
from bot.core.errors import MaybeSent, Undeliverable
from bot.core.incoming import Question
from bot.core.messages import Turn
from knowledge.errors import RateLimited, TransientError
from tests.fakes.slack_sending import asked, readers_of
from tests.scenario.slack_office import REPLY, Office, open_office
from tests.wire.slack.faults import Fault


@pytest.fixture
async def office() -> AsyncIterator[Office]:
    async with open_office() as office:
        yield office


async def test_a_reply_stands_in_the_thread_of_its_question_without_previews(office: Office) -> None:
    question = office.asks()

    await office.reply(question)

    (message,) = office.ours()
    assert message.thread_ts == question.incoming.message
    assert "Press the star key twice. [1]" in message.reading
    assert "VPN › First steps" in message.reading
    (parcel,) = office.outbox.parcels
    assert message.metadata == {"event_type": "answerdesk_reply", "event_payload": {"marker": parcel.marker}}


LOST = {
    "the connection ends behind the post": Fault.lost_confirmation(),
    "a gateway's page comes instead of the confirmation": Fault.failed_confirmation(),
}


@pytest.mark.parametrize("fault", LOST.values(), ids=LOST)
async def test_what_arrived_without_a_confirmation_is_found_and_not_sent_again(office: Office, fault: Fault) -> None:
    question = office.asks()
    office.slack.inject("chat.postMessage", fault)

    await office.reply(question)

    assert len(office.ours()) == 1
    assert office.called("chat.postMessage") == 1


async def test_what_did_not_arrive_is_sent_by_the_next_attempt(office: Office) -> None:
    question = office.asks()
    office.slack.inject("chat.postMessage", Fault.hang_up())

    with pytest.raises(MaybeSent):
        await office.reply(question)
    await office.deliver(question)

    assert len(office.ours()) == 1


async def test_a_reply_is_looked_for_among_many_pages(office: Office) -> None:
    question = office.asks()
    office.slack.manners.largest_page = 3
    office.slack.inject("chat.postMessage", Fault.lost_confirmation())
    for _ in range(5):
        office.slack.says("U2", "C1", "Me too", thread=question.incoming.message)

    await office.reply(question)

    assert len(office.ours()) == 1


async def test_nobody_knows_of_a_reply_while_slack_lists_nothing(office: Office) -> None:
    question = office.asks()
    (parcel,) = office.channel.render(REPLY, question)
    office.slack.inject("conversations.replies", Fault.rate_limited(30))

    with pytest.raises(RateLimited):
        await office.channel.find(parcel)
    assert await office.channel.find(replace(parcel, sight="private", payload={"method": "response_url"})) is None


async def test_slack_out_of_reach_is_surely_no_sending() -> None:
    settings = SlackSettings(api_url="http://127.0.0.1:9/api/")
    async with open_clients(settings, SlackSecrets(bot_token="xoxb-T1")) as clients:
        channel = SlackChannel(clients, reader_of=readers_of({}))

        with pytest.raises(TransientError):
            await channel.send(*channel.render(REPLY, asked()))


async def test_a_limit_of_one_channel_is_kept_there_and_holds_up_no_other(office: Office) -> None:
    limited, free = office.asks(channel="C1"), office.asks(channel="C2", number=2)
    office.slack.inject("chat.postMessage", Fault.rate_limited(30), channel="C1")

    with pytest.raises(RateLimited) as refused:
        await office.channel.send(*office.channel.render(REPLY, limited))
    with pytest.raises(RateLimited):
        await office.channel.send(*office.channel.render(REPLY, limited))
    await office.channel.send(*office.channel.render(REPLY, free))

    assert refused.value.retry_after_s == 30.0
    assert (office.called("chat.postMessage"), len(office.ours("C2"))) == (2, 1)


async def test_slacks_own_limits_are_never_met(office: Office) -> None:
    office.slack.enforce_limits = True
    question = office.asks()

    for _ in range(5):
        await office.channel.send(*office.channel.render(REPLY, question))

    assert (office.slack.limits.refused, len(office.ours())) == ([], 5)


async def test_blocks_that_slack_refuses_go_as_plain_text_with_every_word(office: Office) -> None:
    question = office.asks()
    office.slack.inject("chat.postMessage", Fault.error("invalid_blocks"))

    await office.reply(question)

    (message,) = office.ours()
    assert message.blocks == []
    assert "Then choose a new one. [1]" in message.reading
    assert "VPN › First steps" in message.reading


async def test_plain_text_in_parts_is_found_only_when_all_of_it_is_there(office: Office) -> None:
    question = office.asks()
    (parcel,) = office.channel.render(REPLY, question)
    blocks: Any = [{"type": "markdown", "text": "A long story. " * 600}]
    long = replace(parcel, payload={**parcel.payload, "blocks": blocks})
    await office.plan(question, long)
    office.slack.inject("chat.postMessage", Fault.error("msg_blocks_too_long"))
    office.slack.inject("chat.postMessage", Fault.hang_up(), after=1)

    with pytest.raises(MaybeSent):
        await office.deliver(question)
    before = len(office.ours())
    office.slack.inject("chat.postMessage", Fault.error("msg_blocks_too_long"))
    await office.deliver(question)

    assert before == 1
    assert "".join(office.shown()).count("A long story.") == 600


GONE = {
    "archived": "is_archived",
    "gone": "channel_not_found",
    "not invited": "not_in_channel",
    "only some may post": "restricted_action",
    "revoked": "token_revoked",
    "uninstalled": "account_inactive",
}


@pytest.mark.parametrize("code", GONE.values(), ids=GONE)
async def test_where_nothing_can_be_posted_the_reply_is_undeliverable(office: Office, code: str) -> None:
    question = office.asks()
    office.slack.inject("chat.postMessage", Fault.error(code), times=None)

    await office.reply(question)

    (reason,) = office.outbox.given_up
    assert code in reason
    assert ";" in reason, "it says what to do"


async def test_an_archived_channel_is_said_to_be_one(office: Office) -> None:
    question = office.asks()
    office.slack.channel("C1").is_archived = True

    with pytest.raises(Undeliverable, match="archived"):
        await office.channel.send(*office.channel.render(REPLY, question))


async def test_a_token_that_is_wrong_is_tried_again_when_it_is_set_right(office: Office) -> None:
    question = office.asks()
    office.slack.inject("chat.postMessage", Fault.error("invalid_auth"))

    with pytest.raises(TransientError, match="xoxb"):
        await office.reply(question)
    await office.deliver(question)

    assert len(office.ours()) == 1


async def test_a_refusal_is_seen_by_the_asker_alone(office: Office) -> None:
    question = office.asks()

    await office.channel.send(office.channel.notice("Not here.", question, sight="private"))

    (hidden,) = office.slack.channel("C1").ephemerals
    assert (office.ours(), hidden.ephemeral_to, hidden.reading) == ([], "U1", "Not here.")


@pytest.mark.parametrize("code", ["user_not_in_channel", "channel_not_found", "not_in_channel", "is_archived"])
async def test_where_nothing_can_be_whispered_it_is_a_direct_message(office: Office, code: str) -> None:
    question = office.asks()
    office.slack.inject("chat.postEphemeral", Fault.error(code), times=None)

    await office.channel.send(office.channel.notice("Not here.", question, sight="private"))

    assert (office.shown("D1"), office.ours("C1")) == (["Not here."], [])


async def test_a_whisper_whose_blocks_are_refused_is_plain_text(office: Office) -> None:
    question = office.asks()
    office.slack.inject("chat.postEphemeral", Fault.error("invalid_blocks"))

    await office.channel.send(office.channel.notice("Not here.", question, sight="private"))

    assert [hidden.blocks for hidden in office.slack.channel("C1").ephemerals] == [[]]


def commanded(office: Office) -> Question:
    url = office.slack.runs("U1", "C1", "/ask", "How?")
    question = asked("command:1.2", origin="command", wire={"response_url": url})
    return replace(question, incoming=replace(question.incoming, sent_at=datetime.now(UTC)))


async def test_a_command_is_answered_to_its_asker_alone(office: Office) -> None:
    question = commanded(office)

    await office.reply(question)

    (hidden,) = office.slack.whispers("C1", "U1")
    assert office.ours() == []
    assert "Press the star key twice. [1]" in hidden.text
    assert "share_answer" in str(hidden.blocks)


async def test_an_answer_to_a_command_that_slack_refuses_in_blocks_is_plain_text(office: Office) -> None:
    question = commanded(office)
    (parcel,) = office.channel.render(REPLY, question)
    odd: Any = [{"type": "no_such_block"}, {"type": "markdown", "text": "Press the star key."}]

    await office.channel.send(replace(parcel, payload={**parcel.payload, "blocks": odd}))

    assert [hidden.text for hidden in office.slack.whispers("C1", "U1")] == ["Press the star key."]


async def test_a_command_answered_too_late_or_too_often_is_a_direct_message(office: Office) -> None:
    question = commanded(office)
    late = replace(question, incoming=replace(question.incoming, sent_at=datetime.now(UTC) - timedelta(minutes=31)))

    await office.channel.send(office.channel.notice("Too late.", late, sight="private"))
    for number in range(6):
        await office.channel.send(office.channel.notice(f"No {number}.", question, sight="private"))

    assert len(office.slack.whispers("C1", "U1")) == 5
    assert office.shown("D1") == ["Too late.", "No 5."]


async def test_a_thread_of_others_is_read_before_the_question(office: Office) -> None:
    root = office.slack.says("U2", "C1", "The VPN does not start")
    office.slack.says("U1", "C1", "Since when?", thread=root)
    question = office.asks(thread=root)
    office.slack.says("U2", "C1", "Since Monday", thread=root)

    turns = await office.channel.history(question.incoming)

    assert turns == (Turn("user", "The VPN does not start"), Turn("user", "Since when?"))


async def test_a_thread_that_slack_does_not_show_now_is_not_asked_for_again_at_once(office: Office) -> None:
    root = office.slack.says("U2", "C1", "The VPN does not start")
    question = office.asks(thread=root)
    office.slack.inject("conversations.replies", Fault.rate_limited(1))

    turns = [await office.channel.history(question.incoming) for _ in range(3)]

    assert (turns, office.called("conversations.replies")) == ([(), (), ()], 1)
