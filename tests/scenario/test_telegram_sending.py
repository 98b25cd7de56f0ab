"""What is sent to Telegram arrives whole and where it belongs; what may come twice says so, and never comes thrice."""

import asyncio
import logging
from dataclasses import replace

import pytest

from bot.channels.telegram.channel import Ports
from bot.channels.telegram.clients import open_bot
from bot.channels.telegram.secrets import TelegramSecrets
from bot.channels.telegram.settings import TelegramSettings
from bot.core.errors import MaybeSent
from bot.core.messages import Turn
from bot.core.phrases import phrase
from bot.logs import configure_logging
from bot.tables import LogSettings
from knowledge.errors import TransientError
from tests.fakes.telegram_sending import asked
from tests.scenario.telegram_office import AGAIN, QUICK, REPLY, Office, open_office, whole
from tests.unit.bot.channels.slack_replies import answered, said
from tests.wire.telegram import (
    ASKER,
    COLLEAGUE,
    FORUM,
    GROUP,
    STRANGER,
    SUPERGROUP,
    TOKEN,
    TOPIC,
    Fault,
    telegram_at_work,
)


@pytest.mark.parametrize(
    ("chat", "topic"), [(ASKER, None), (GROUP, None), (SUPERGROUP, None), (FORUM, TOPIC), (FORUM, None)]
)
async def test_a_reply_stands_where_its_question_does_and_shows_no_preview(
    office: Office, chat: int, topic: int | None
) -> None:
    question = office.asks(chat, topic=topic)

    await office.reply(question)

    (message,) = office.ours(chat)
    assert (str(message.reply_to), message.has_previews_off) == (question.incoming.message, True)
    assert message.topic == office.telegram.message(chat, int(question.incoming.message)).topic
    assert whole([message.text])
    assert message.buttons


async def test_what_was_not_confirmed_comes_once_more_and_says_so_and_never_a_third_time(office: Office) -> None:
    question = office.asks()
    office.telegram.inject("sendMessage", Fault.lost_confirmation(), times=None)

    for _ in range(2):
        with pytest.raises(MaybeSent):
            await (office.deliver(question) if office.outbox.parcels else office.reply(question))
    for _ in range(3):
        await office.deliver(question)

    first, second = office.shown()
    assert (AGAIN in first, second) == (False, f"{AGAIN}\n\n{first}")
    plain, marked = office.ours()
    assert len(plain.entities) == len(marked.entities)


async def test_a_repeat_that_has_no_room_for_saying_so_comes_behind_a_message_that_does(office: Office) -> None:
    question = office.asks()
    (parcel,) = office.channel.render(REPLY, question)
    full = replace(parcel, payload={**parcel.payload, "text": "ab" * 2048, "entities": []}, attempts=1)

    await office.channel.send(full)

    assert office.shown() == [AGAIN, "ab" * 2048]


async def test_what_surely_did_not_leave_is_sent_by_the_next_attempt_as_if_it_were_the_first() -> None:
    settings = TelegramSettings(api_url="http://127.0.0.1:9")
    async with open_office(paces=QUICK) as office, open_bot(settings, TelegramSecrets(TOKEN)) as nowhere:
        question = office.asks()
        await office.plan(question, *office.channel.render(REPLY, question))
        astray = replace(office, channel=type(office.channel)(nowhere, audiences=None, ports=Ports(office.moves)))  # type: ignore[arg-type]  # nobody asks it who reads along

        with pytest.raises(TransientError, match="reached"):
            await astray.deliver(question)
        await office.deliver(question)

        (text,) = office.shown()
        assert AGAIN not in text


async def test_telegrams_own_limits_are_never_met() -> None:
    async with open_office() as office:
        office.telegram.enforce_limits = True
        people = [800_000_000 + number for number in range(40)]
        for person in people:
            office.telegram.add_user(person)

        async def sent(person: int) -> None:
            for number in range(3):
                question = asked("1", chat=person, number=number)
                await office.channel.send(office.channel.notice(f"No {number}.", question, sight="open"))

        await asyncio.gather(*map(sent, people))

        assert office.telegram.limits.refused == []
        assert all(office.shown(person) == ["No 0.", "No 1.", "No 2."] for person in people)


async def test_an_answer_of_sixty_thousand_signs_arrives_whole_and_in_order(office: Office) -> None:
    question = office.asks()
    sentences = [said(f"Step {number} says Натисніть 🌟 and nothing else. " + "слово " * 90) for number in range(100)]
    long = answered(*sentences, text="".join(sentence.text for sentence in sentences))
    assert len(long.text) >= 57_000

    await office.reply(question, long)

    shown = "\n".join(office.shown())
    places = [shown.index(f"Step {number} says") for number in range(100)]
    assert places == sorted(places)
    assert shown.count("слово") == 9_000
    assert [message.dropped for message in office.ours() if message.dropped] == []
    assert sum(bool(message.buttons) for message in office.ours()) == 1


async def test_a_business_account_answers_in_its_own_name(office: Office) -> None:
    connection = office.telegram.connects_business(COLLEAGUE)
    message = office.telegram.says(STRANGER, STRANGER, "How?", business=connection)
    question = asked(str(message), chat=STRANGER, wire={"business": connection})

    await office.reply(question)

    assert [one.business for one in office.ours(STRANGER)] == [connection]


async def test_a_guest_is_answered_where_the_bot_is_not(office: Office) -> None:
    question = asked("guest:Q1:11", chat=-1009, wire={"guest": "Q1"})

    await office.reply(question)

    assert "Press the star key twice. [1]" in office.telegram.guest_answers["Q1"]
    assert office.called("sendMessage") == 0


async def test_a_guest_is_told_that_the_answer_has_more_parts(office: Office) -> None:
    question = asked("guest:Q1:11", chat=-1009, wire={"guest": "Q1"})
    long = [said(f"Step {number} says: {'word ' * 90}") for number in range(20)]

    await office.reply(question, answered(*long, text="long"))

    assert phrase("continued", "en", part=1, parts=3) in office.telegram.guest_answers["Q1"]


async def test_the_message_that_a_question_replies_to_is_its_history(office: Office) -> None:
    question = asked(wire={"reply_to": "3", "reply_text": "The VPN does not start"})

    assert await office.channel.history(question.incoming) == (Turn("user", "The VPN does not start"),)
    assert await office.channel.history(asked().incoming) == ()


async def test_no_token_stands_in_the_log_at_any_level(capfd: pytest.CaptureFixture[str]) -> None:
    levels = {name: logging.getLogger(name).level for name in ("", "httpx", "httpcore", "telegram", "telegram.request")}
    handlers = logging.getLogger().handlers[:]
    configure_logging(LogSettings(level="debug"))
    try:
        with telegram_at_work() as telegram:
            async with open_bot(TelegramSettings(api_url=telegram.url), TelegramSecrets(TOKEN)) as bot:
                await bot.get_me()
    finally:
        logging.getLogger().handlers[:] = handlers
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)

    assert TOKEN not in "".join(capfd.readouterr())
