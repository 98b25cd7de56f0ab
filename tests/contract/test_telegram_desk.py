"""What a desk in Telegram is shown, and what an asker there is: the real library at a Telegram on loopback."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.channels.telegram.check import check
from bot.channels.telegram.clients import open_bot
from bot.channels.telegram.secrets import TelegramSecrets
from bot.channels.telegram.settings import TelegramSettings
from bot.core.errors import MaybeSent, Undeliverable
from bot.core.phrases import phrase
from bot.core.tickets.post import Part, Post, Press
from tests.contract.telegram_desk import at, desk, elsewhere
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

CARD = Post(
    (
        Part("Ticket 7: VPN", "title"),
        Part("How do I get in?", "quote", label="Question"),
        Part("VPN access", "item", url="https://wiki.example.org/vpn"),
    ),
    presses=((Press("claim", 7, "Claim"), Press("reply", 7, "Reply")), (Press("close", 7, "Close"),)),
    plain="Ticket 7: VPN",
)


async def test_a_card_stands_in_its_topic_with_its_buttons() -> None:
    async with desk() as work:
        [card] = await work.post(CARD, at(thread=str(TOPIC)))

    assert (card.topic, card.text.splitlines()[0], card.has_previews_off) == (TOPIC, "Ticket 7: VPN", True)
    assert [button["text"] for button in card.buttons] == ["Claim", "Reply", "Close"]
    assert [entity["url"] for entity in card.entities if entity["type"] == "text_link"] == [
        "https://wiki.example.org/vpn"
    ]


async def test_a_card_takes_the_place_of_the_one_that_stood_there() -> None:
    async with desk() as work:
        [card] = await work.post(CARD, at(thread=str(TOPIC)))
        claimed = replace(CARD, parts=(*CARD.parts, Part("Pat has it", "small")), presses=())
        [changed] = await work.post(claimed, at(thread=str(TOPIC), replaces=str(card.id)))
        once_more = await work.post(claimed, at(thread=str(TOPIC), replaces=str(card.id)))

        assert [one.id for one in work.telegram.answers(FORUM, topic=TOPIC)] == [card.id]
    assert (changed.id, changed.buttons, once_more[0].id) == (card.id, [], card.id)
    assert changed.text.endswith("Pat has it")


async def test_what_takes_the_place_of_a_repeat_says_so_as_well() -> None:
    async with desk() as work:
        [card] = await work.post(CARD, at(thread=str(TOPIC)))
        parcels = work.channel.post(CARD, at(thread=str(TOPIC), replaces=str(card.id)))
        await work.send(*(replace(parcel, is_repeat=True) for parcel in parcels))
        shown = work.telegram.message(FORUM, card.id)

    assert shown.text == f"{phrase('sent_again', 'en')}\n\n{card.text}"
    assert [button["text"] for button in shown.buttons] == [button["text"] for button in card.buttons]


async def test_a_card_that_is_gone_is_sent_anew() -> None:
    async with desk() as work:
        [card] = await work.post(CARD, at(thread=str(TOPIC)))
        work.telegram.deletes(FORUM, card.id)
        [anew] = await work.post(CARD, at(thread=str(TOPIC), replaces=str(card.id)))

    assert (anew.id > card.id, anew.topic) == (True, TOPIC)


async def test_a_reply_to_the_asker_hangs_from_their_question() -> None:
    async with desk() as work:
        asked = work.telegram.says(ASKER, GROUP, "/ask how?")
        [reply] = await work.post(Post((Part("Ask IT."),)), at(GROUP, reply_to=str(asked)))

    assert (reply.reply_to, reply.text) == (asked, "Ask IT.")


@pytest.mark.parametrize(
    ("prompts", "chat", "named", "prompted"),
    [
        (f"telegram:{COLLEAGUE}", FORUM, True, (COLLEAGUE,)),
        (f"telegram:{ASKER}", ASKER, False, ()),
        ("slack:U1", FORUM, False, ()),
        (f"telegram:chat:{FORUM}", FORUM, False, ()),
    ],
)
async def test_who_is_asked_for_words_is_named_and_finds_the_reply_open(
    prompts: str, chat: int, named: bool, prompted: Sequence[int]
) -> None:
    async with desk() as work:
        [prompt] = await work.post(Post((Part("Write your reply."),), prompts=prompts), at(chat))

    assert prompt.prompted == prompted
    assert ("text_mention" in {entity["type"] for entity in prompt.entities}) is named
    assert prompt.text.endswith("Write your reply.")


async def test_a_person_whose_name_is_known_is_named_by_it() -> None:
    async with desk() as work:
        await work.channel.name_of(at().place, str(COLLEAGUE))
        [prompt] = await work.post(Post((Part("Write."),), prompts=f"telegram:{COLLEAGUE}"), at())

    assert prompt.text == "Colleague Write."


async def test_a_topic_is_opened_and_is_called_by_its_number() -> None:
    async with desk() as work:
        parcel = work.channel.topic("7: " + "Як отримати VPN 😀 " * 40, at())
        assert parcel is not None
        [topic] = await work.send(parcel)
        [card] = await work.post(CARD, at(thread=topic))

        name = work.telegram.topics(FORUM)[int(topic or 0)]
    assert str(card.topic) == topic
    assert (name[:12], name[-1], len(name.encode("utf-16-le")) // 2 <= 128) == ("7: Як отрима", "…", True)


@pytest.mark.parametrize("chat", [SUPERGROUP, GROUP, ASKER, STRANGER])
async def test_a_topic_is_refused_where_there_are_none(chat: int) -> None:
    async with desk() as work:
        parcel = work.channel.topic("7: VPN", at(chat))
        assert parcel is not None

        with pytest.raises(Undeliverable):
            await work.channel.send(parcel)


async def test_a_topic_is_refused_where_the_bot_has_no_right_to_open_one() -> None:
    async with desk() as work:
        work.telegram.adds_bot(FORUM, as_admin=False)
        parcel = work.channel.topic("7: VPN", at())
        assert parcel is not None

        with pytest.raises(Undeliverable, match="may manage topics"):
            await work.channel.send(parcel)


async def test_nobody_knows_whether_a_topic_was_opened_when_the_answer_is_lost() -> None:
    async with desk() as work:
        work.telegram.inject("createForumTopic", Fault.lost_confirmation())
        parcel = work.channel.topic("7: VPN", at())
        assert parcel is not None

        with pytest.raises(MaybeSent):
            await work.channel.send(parcel)


async def test_what_was_said_in_a_topic_that_is_gone_is_said_outside_of_it() -> None:
    async with desk() as work:
        file = elsewhere("form.pdf")
        work.elsewhere["form.pdf"] = b"%PDF"
        [said, sent] = await work.post(Post((Part("Here."),), files=(file,)), at(thread="999"))

    assert (said.topic, sent.topic) == (1, 1)


async def test_what_was_sent_before_a_group_moved_is_neither_replaced_nor_replied_to() -> None:
    async with desk() as work:
        [card] = await work.post(CARD, at(GROUP))
        new = work.telegram.migrates(GROUP)
        [parcel] = work.channel.post(CARD, at(GROUP, replaces=str(card.id)))
        name = await work.channel.send(parcel)

        assert work.moves.steps == {str(new): str(GROUP)}
        assert [str(one.id) for one in work.telegram.answers(new)] == [name]
        assert await work.channel.place(str(GROUP)) == at(new).place


async def test_a_customer_of_a_business_has_the_reply_where_they_asked() -> None:
    async with desk() as work:
        business = work.telegram.connects_business(COLLEAGUE)
        asked = work.telegram.says(ASKER, ASKER, "how?", business=business)
        work.elsewhere["a.pdf"] = b"%PDF"
        post = Post((Part("Ask IT."),), files=(elsewhere("a.pdf"),))
        sent = await work.post(post, at(ASKER, reply_to=f"business:{business}:{asked}"))

    assert [(one.business, one.reply_to) for one in sent] == [(business, asked)] * 2


@pytest.mark.parametrize(
    ("chat", "is_admin", "is_good", "said"),
    [
        (FORUM, True, True, "may open topics"),
        (FORUM, False, False, "make the bot an administrator"),
        (SUPERGROUP, True, True, "the group has none"),
        (-999, False, False, "add the bot to it"),
    ],
)
async def test_a_desk_that_does_not_hear_its_people_is_told_with_the_remedy(
    chat: int, is_admin: bool, is_good: bool, said: str
) -> None:
    with telegram_at_work() as telegram:
        settings = TelegramSettings(api_url=telegram.url, menu=False)
        if chat in telegram.chat_ids():
            telegram.adds_bot(chat, as_admin=is_admin)
        async with open_bot(settings, TelegramSecrets(TOKEN)) as bot:
            finding = (await check(settings, bot, desks=frozenset({str(chat)})))[-1]

    assert (finding.is_good, said in str(finding)) == (is_good, True)
