"""The checker sees each way in which an answer can be lost, doubled, out of order or left half done."""

from collections.abc import Awaitable, Callable

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, ReplyParameters

from tests.wire.telegram import ASKER, FORUM, GROUP, TOPIC, Asked, Signs, TelegramServer, check, telegram_at_work
from tests.wire.telegram.apps import talking

SIGNS = Signs(
    hand_over=["People take over"],
    repeat=["may have come before"],
    interim=["Looking"],
    other=["Notice"],
    is_whole=lambda message: "[1]" in message.text,
)
Story = Callable[[TelegramServer, Bot, list[int]], Awaitable[object]]


async def reply(bot: Bot, question: int, text: str = "So [1]", chat: int = ASKER) -> int:
    sent = await bot.send_message(chat, text, reply_parameters=ReplyParameters(question))
    return sent.message_id


async def both(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    await reply(bot, asked[0], "First [1]")
    await reply(bot, asked[1], "Second [1]")


async def nothing(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    await reply(bot, asked[0])


async def notice_only(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    await reply(bot, asked[0])
    await reply(bot, asked[1], "Notice")


async def twice(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    await both(telegram, bot, asked)
    await reply(bot, asked[1], "Second, in other words [1]")


async def marked(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    await both(telegram, bot, asked)
    await reply(bot, asked[1], "Second [1], may have come before")


async def marked_twice(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    await marked(telegram, bot, asked)
    await reply(bot, asked[1], "Second [1], may have come before")


async def out_of_order(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    await both(telegram, bot, asked[::-1])


async def half(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    await both(telegram, bot, asked)
    await bot.send_message(ASKER, "It is")


async def interim(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    first = await reply(bot, asked[0], "Looking")
    await reply(bot, asked[1])
    await bot.edit_message_text("Looking [1]", ASKER, first)


async def edited(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    first = await reply(bot, asked[0], "Looking")
    await reply(bot, asked[1])
    await bot.edit_message_text("Found [1]", ASKER, first)


async def handed_over(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    await reply(bot, asked[0], "People take over")
    await reply(bot, asked[1])


async def typing(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    await both(telegram, bot, asked)
    await bot.send_chat_action(ASKER, "typing")


async def draft(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    await both(telegram, bot, asked)
    await bot.send_message_draft(ASKER, 1, "So")


async def button(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    await both(telegram, bot, asked)
    markup = InlineKeyboardMarkup([[InlineKeyboardButton("x", callback_data="x")]])
    sent = await bot.send_message(ASKER, "Good? [1]", reply_markup=markup)
    telegram.presses(ASKER, ASKER, sent.message_id, "x")
    (update,) = await bot.get_updates()
    await bot.get_updates(offset=update.update_id + 1)


async def unconfirmed(telegram: TelegramServer, bot: Bot, asked: list[int]) -> None:
    await both(telegram, bot, asked)
    telegram.says(ASKER, ASKER, "one more")


STORIES: dict[Story, list[str]] = {
    both: [],
    edited: [],
    handed_over: [],
    marked: [],
    nothing: ["I1: {1} is not anything"],
    notice_only: ["I1: {1} is not anything"],
    twice: ["I2: {1} has 2 replies"],
    marked_twice: ["I2: {1} has 3 replies"],
    out_of_order: ["I2: {1} was answered before an earlier question"],
    half: ["I3: half an answer is left"],
    interim: ["I3: half an answer is left"],
    typing: ["I3: the bot is left typing"],
    draft: ["I3: a draft is left"],
    button: ["I3: the button of query"],
    unconfirmed: ["I1: update"],
}


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
async def test_a_broken_promise_is_named(story: Story) -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            asked = [telegram.says(ASKER, ASKER, text) for text in ("a", "b")]
            await bot.get_updates(offset=(await bot.get_updates())[-1].update_id + 1)
            await story(telegram, bot, asked)
            problems = check(telegram, [Asked(ASKER, one) for one in asked], SIGNS)

        names = [f"{ASKER} {one}" for one in asked]
        expected = [text.format(*names) for text in STORIES[story]]
        assert [one for one, text in zip(problems, expected, strict=True) if not one.startswith(text)] == []


async def test_what_needs_no_answer_must_get_none_and_topics_are_apart() -> None:
    with telegram_at_work() as telegram:
        telegram.privacy_mode = False
        async with talking(telegram) as bot:
            idle = telegram.says(ASKER, GROUP, "nice weather")
            asked = telegram.says(ASKER, FORUM, "/ask", topic=TOPIC)
            await bot.get_updates(offset=(await bot.get_updates())[-1].update_id + 1)
            await reply(bot, asked, chat=FORUM)
            rows = [Asked(GROUP, idle, outcome="nothing"), Asked(FORUM, asked, TOPIC, "answered")]
            before = check(telegram, rows, SIGNS)
            await reply(bot, idle, chat=GROUP)

        assert before == []
        assert check(telegram, rows, SIGNS) == [f"I2: {GROUP} {idle} got a reply and needs none: ['So [1]']"]


async def test_a_burst_is_one_question_and_a_long_answer_one_answer() -> None:
    signs = Signs(begins=lambda message: not message.text.startswith("(2/2)"))
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            first, second = (telegram.says(ASKER, ASKER, text) for text in ("how do I", "renew it?"))
            await bot.get_updates(offset=(await bot.get_updates())[-1].update_id + 1)
            await reply(bot, second, "(1/2) So")
            await reply(bot, second, "(2/2) and so")

        assert check(telegram, [Asked(ASKER, first, also=(second,))], signs) == []
