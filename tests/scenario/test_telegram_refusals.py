"""What Telegram refuses has one outcome each: another form, another place, another time, or somebody is told."""

from dataclasses import replace

import pytest

from bot.core.errors import MaybeSent, Undeliverable
from knowledge.errors import RateLimited, TransientError
from tests.fakes.telegram_sending import asked
from tests.scenario.telegram_office import AGAIN, REPLY, Office, whole
from tests.wire.telegram import (
    ASKER,
    COLLEAGUE,
    FORUM,
    GROUP,
    NEWCOMER,
    SUPERGROUP,
    TOPIC,
    Fault,
)


@pytest.mark.parametrize("fault", [Fault.html_502(), Fault.refused(500, "Internal Server Error"), Fault.cut_before()])
async def test_a_server_in_trouble_may_have_sent_it(office: Office, fault: Fault) -> None:
    question = office.asks()
    office.telegram.inject("sendMessage", fault)

    with pytest.raises(MaybeSent):
        await office.reply(question)
    await office.deliver(question)

    (text,) = office.shown()
    assert text.startswith(AGAIN)


REFUSED_FORMS = {
    "entities": "Bad Request: can't parse entities: unsupported something",
    "an entity": "Bad Request: ENTITY_BOUNDS_INVALID",
    "too long": "Bad Request: message is too long",
    "nobody knows what": "Bad Request: SOMETHING_NEW",
}


@pytest.mark.parametrize("said_by_telegram", REFUSED_FORMS.values(), ids=REFUSED_FORMS)
async def test_a_form_that_telegram_refuses_becomes_plain_text_with_every_word(
    office: Office, said_by_telegram: str
) -> None:
    question = office.asks()
    office.telegram.inject("sendMessage", Fault.refused(400, said_by_telegram))

    await office.reply(question)

    (message,) = office.ours()
    assert (message.entities, whole([message.text]), bool(message.buttons)) == ([], True, True)
    assert "https://wiki.example.org/vpn" in message.text


async def test_buttons_that_telegram_refuses_are_left_out(office: Office) -> None:
    question = office.asks()
    office.telegram.inject("sendMessage", Fault.refused(400, "Bad Request: BUTTON_DATA_INVALID"), times=2)

    await office.reply(question)

    (message,) = office.ours()
    assert (whole([message.text]), message.buttons) == (True, [])


async def test_what_telegram_takes_in_no_form_is_undeliverable(office: Office) -> None:
    question = office.asks()
    office.telegram.inject("sendMessage", Fault.refused(400, "Bad Request: can't parse entities"), times=None)

    await office.reply(question)

    assert len(office.outbox.given_up) == 1


@pytest.mark.parametrize("trouble", ["closed", "gone"])
async def test_where_the_topic_is_no_more_the_reply_stands_in_the_chat(office: Office, trouble: str) -> None:
    question = office.asks(FORUM, topic=TOPIC)
    if trouble == "closed":
        office.telegram.chats[FORUM].topics[TOPIC].is_closed = True
    else:
        del office.telegram.chats[FORUM].topics[TOPIC]

    await office.reply(question)

    (message,) = office.ours(FORUM)
    assert (message.topic, whole([message.text])) == (1, True)


async def test_a_reply_to_a_message_that_is_gone_comes_all_the_same(office: Office) -> None:
    question = office.asks()
    office.telegram.deletes(GROUP, int(question.incoming.message))

    await office.reply(question)

    assert whole(office.shown())


async def test_a_group_that_became_a_supergroup_gets_the_reply_there(office: Office) -> None:
    question = office.asks()
    await office.plan(question, *office.channel.render(REPLY, question))
    there = office.telegram.migrates(GROUP)
    office.telegram.says(COLLEAGUE, there, "Another message with the same number")

    await office.deliver(question)

    (message,) = office.ours(there)
    assert (whole([message.text]), message.reply_to) == (True, None)
    assert office.moves.steps == {str(there): str(GROUP)}
    assert AGAIN not in message.text


async def test_in_a_chat_that_moved_no_message_with_an_old_number_is_touched(office: Office) -> None:
    question = office.asks()
    there = office.telegram.migrates(GROUP)
    await office.reply(office.asks(there))
    (standing,) = office.ours(there)
    moved = replace(question.incoming, place=asked(chat=there).incoming.place, message=f"{GROUP}/17")
    (parcel,) = office.channel.render(REPLY, replace(question, incoming=moved))

    await office.channel.send(replace(parcel, replaces=str(standing.id), is_gone=True))
    await office.channel.send(replace(parcel, replaces=str(standing.id)))

    assert len(office.ours(there)) == 2
    assert office.telegram.message(there, standing.id).texts == standing.texts


UNREACHABLE = {
    "blocked": (ASKER, "start it again"),
    "kicked": (GROUP, "add the bot"),
    "never started": (NEWCOMER, "start the bot first"),
    "unknown": (999_999, "the chat is gone"),
}


@pytest.mark.parametrize(("chat", "remedy"), UNREACHABLE.values(), ids=UNREACHABLE)
async def test_where_nothing_can_be_sent_the_reply_is_undeliverable(office: Office, chat: int, remedy: str) -> None:
    question = asked(chat=chat)
    if chat == ASKER:
        office.telegram.blocks(ASKER)
    if chat == GROUP:
        office.telegram.kicks(GROUP)

    await office.reply(question)

    (reason,) = office.outbox.given_up
    assert remedy in reason
    assert office.called("sendMessage") == 1


async def test_a_token_that_is_wrong_is_tried_again_when_it_is_set_right(office: Office) -> None:
    question = office.asks()
    office.telegram.inject("sendMessage", Fault.refused(401, "Unauthorized"))

    with pytest.raises(TransientError, match="BotFather"):
        await office.reply(question)
    await office.deliver(question)

    assert [AGAIN in text for text in office.shown()] == [False]


async def test_a_limit_of_one_chat_is_kept_there_and_holds_up_no_other(office: Office) -> None:
    limited, free = office.asks(GROUP), office.asks(SUPERGROUP, number=2)
    office.telegram.inject("sendMessage", Fault.flood(30), chat=GROUP)

    for _ in range(3):
        with pytest.raises(RateLimited) as refused:
            await office.channel.send(*office.channel.render(REPLY, limited))
    await office.channel.send(*office.channel.render(REPLY, free))

    assert 29 < refused.value.retry_after_s <= 30
    assert (office.called("sendMessage"), len(office.ours(SUPERGROUP))) == (2, 1)


async def test_where_the_bot_may_not_write_no_other_form_is_tried(office: Office) -> None:
    question = office.asks()
    office.telegram.inject("sendMessage", Fault.refused(400, "Bad Request: not enough rights to send text messages"))

    with pytest.raises(Undeliverable, match="allow the bot"):
        await office.channel.send(*office.channel.render(REPLY, question))

    assert office.called("sendMessage") == 1
