"""What the real python-telegram-bot is told of chats, menus and files."""

from telegram import BotCommand, BotCommandScopeChat

from tests.wire.telegram import (
    ASKER,
    BOT,
    CHANNEL,
    COLLEAGUE,
    DISCUSSION,
    FORUM,
    GROUP,
    STRANGER,
    TOPIC,
    telegram_at_work,
)
from tests.wire.telegram.apps import error_of, talking


async def test_menus_are_kept_by_scope_and_language() -> None:
    scope = BotCommandScopeChat(ASKER)
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            await bot.set_my_commands([BotCommand("ask", "Ask")])
            await bot.set_my_commands([BotCommand("ask", "Запитати")], language_code="uk")
            menus = [
                await bot.get_my_commands(),
                await bot.get_my_commands(language_code="uk"),
                await bot.get_my_commands(scope=scope),
            ]

        assert [[one.description for one in menu] for menu in menus] == [["Ask"], ["Запитати"], []]


async def test_chats_tell_what_they_are_and_who_is_in_them() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            chats = [await bot.get_chat(chat) for chat in (ASKER, GROUP, FORUM, CHANNEL)]
            members = [await bot.get_chat_member(GROUP, user) for user in (ASKER, STRANGER, BOT)]
            admin = await bot.get_chat_member(CHANNEL, BOT)
            owners = await bot.get_chat_administrators(GROUP)

        assert [chat.type for chat in chats] == ["private", "group", "supergroup", "channel"]
        assert (chats[2].is_forum, chats[3].linked_chat_id) == (True, DISCUSSION)
        assert [member.status for member in [*members, admin]] == ["member", "left", "member", "administrator"]
        assert [(owner.user.id, owner.status) for owner in owners] == [(ASKER, "creator")]


async def test_the_bot_can_leave_a_chat_and_then_writes_there_no_more() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            await bot.leave_chat(GROUP)

            assert await error_of(bot.send_message(GROUP, "x")) == (
                "Forbidden",
                "Forbidden: bot is not a member of the group chat",
            )


async def test_a_file_that_somebody_sent_can_be_downloaded() -> None:
    with telegram_at_work() as telegram:
        media = telegram.add_file("document", "наказ.pdf", b"%PDF-1.7")
        telegram.says(COLLEAGUE, COLLEAGUE, "see this", media=media)
        async with talking(telegram) as bot:
            (update,) = await bot.get_updates()
            assert update.message is not None
            assert update.message.document is not None
            content = await (await update.message.document.get_file()).download_as_bytearray()

        assert (update.message.document.file_name, bytes(content)) == ("наказ.pdf", b"%PDF-1.7")
        assert update.message.caption == "see this"


async def test_an_administrator_opens_topics_and_into_a_closed_one_nobody_else_writes() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            refused = await error_of(bot.create_forum_topic(FORUM, "Case 7"))
            telegram.chats[FORUM].bot = "administrator"
            topic = await bot.create_forum_topic(FORUM, "Case 7")
            await bot.send_message(FORUM, "a", message_thread_id=topic.message_thread_id)
            await bot.close_forum_topic(FORUM, TOPIC)
            telegram.chats[FORUM].bot = "member"
            closed = await error_of(bot.send_message(FORUM, "b", message_thread_id=TOPIC))

        assert (refused[0], closed[0]) == ("BadRequest", "BadRequest")
        assert [one.text for one in telegram.answers(FORUM, topic=topic.message_thread_id)] == ["a"]
