"""What people do, as the real python-telegram-bot hears of it."""

import pytest
from telegram import Bot, Message, Update

from tests.wire.telegram import (
    ASKER,
    BOT_NAME,
    CHANNEL,
    COLLEAGUE,
    DISCUSSION,
    FORUM,
    GROUP,
    MENTION,
    SUPERGROUP,
    TOPIC,
    telegram_at_work,
)
from tests.wire.telegram.apps import talking


async def heard(bot: Bot) -> list[Update]:
    updates = await bot.get_updates()
    await bot.get_updates(offset=updates[-1].update_id + 1 if updates else 0)
    return list(updates)


async def messages(bot: Bot) -> list[Message]:
    return [update.effective_message for update in await heard(bot) if update.effective_message]


@pytest.mark.parametrize(
    ("text", "is_heard"),
    [
        ("hello all", False),
        ("/ask how", True),
        (f"/ask@{BOT_NAME} how", True),
        (f"/ASK@{BOT_NAME.upper()} how", True),
        ("/ask@other_bot how", False),
        (f"🇺🇦👋 {MENTION}, як?", True),
        ("@other_bot how", False),
        (f"mail x{MENTION}.example.com", False),
    ],
)
async def test_with_privacy_mode_a_group_tells_only_what_is_for_the_bot(text: str, is_heard: bool) -> None:
    pytest.importorskip("tdjson")
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            telegram.says(ASKER, GROUP, text)
            assert [one.text for one in await messages(bot)] == [text] * is_heard

            telegram.privacy_mode = False
            telegram.says(ASKER, GROUP, text)
            assert [one.text for one in await messages(bot)] == [text]


async def test_replies_to_the_bot_are_for_the_bot_and_an_administrator_hears_all() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            sent = await bot.send_message(SUPERGROUP, "a")
            telegram.says(ASKER, SUPERGROUP, "and then?", reply_to=sent.message_id)
            telegram.says(ASKER, SUPERGROUP, "nice weather")
            first = await messages(bot)
            telegram.adds_bot(SUPERGROUP, ASKER, as_admin=True)
            telegram.says(ASKER, SUPERGROUP, "nice weather")
            second = await heard(bot)

        assert [one.text for one in first] == ["and then?"]
        assert first[0].reply_to_message is not None
        assert first[0].reply_to_message.from_user == bot.bot
        assert second[0].my_chat_member is not None
        assert second[0].my_chat_member.new_chat_member.status == "administrator"
        assert second[1].message is not None


async def test_entities_are_found_and_counted_in_utf_16() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            telegram.says(ASKER, GROUP, f"👋👋 {MENTION} привіт")
            (message,) = await messages(bot)

        assert message.parse_entities() == {message.entities[0]: MENTION}
        assert message.entities[0].offset == 5


async def test_in_a_topic_messages_name_it_and_reply_to_what_opened_it() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            telegram.says(ASKER, FORUM, "/ask a", topic=TOPIC)
            general = telegram.says(ASKER, FORUM, "/ask b")
            telegram.says(COLLEAGUE, FORUM, "/ask c", reply_to=general)
            in_topic, in_general, reply = await messages(bot)

        assert (in_topic.is_topic_message, in_topic.message_thread_id) == (True, TOPIC)
        assert in_topic.reply_to_message is not None
        assert in_topic.reply_to_message.forum_topic_created is not None
        assert (in_general.is_topic_message, in_general.message_thread_id) == (None, None)
        assert (reply.is_topic_message, reply.message_thread_id) == (None, general)


async def test_in_a_supergroup_a_reply_has_a_thread_and_in_a_group_it_has_none() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            for chat in (SUPERGROUP, GROUP):
                root = telegram.says(ASKER, chat, "/ask a")
                telegram.says(ASKER, chat, "/ask b", reply_to=root)
            _, in_supergroup, _, in_group = await messages(bot)

        assert (in_supergroup.message_thread_id, in_supergroup.is_topic_message) == (1, None)
        assert in_group.message_thread_id is None


async def test_a_channel_s_post_comes_to_its_discussion_and_comments_reply_to_it() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            post, copy = telegram.posts(CHANNEL, f"News for {MENTION}")
            telegram.says(ASKER, DISCUSSION, "/ask why", reply_to=copy)
            telegram.says(ASKER, DISCUSSION, "/ask who", as_channel=CHANNEL)
            telegram.says(ASKER, DISCUSSION, "/ask what", as_channel=DISCUSSION)
            posted, forwarded, comment, as_channel, anonymous = await heard(bot)

        assert posted.channel_post is not None
        assert posted.channel_post.message_id == post
        assert forwarded.message is not None
        assert forwarded.message.is_automatic_forward
        assert comment.message is not None
        assert comment.message.message_thread_id == copy
        assert as_channel.message is not None
        assert as_channel.message.sender_chat is not None
        assert as_channel.message.sender_chat.id == CHANNEL
        assert anonymous.message is not None
        assert anonymous.message.from_user is not None
        assert anonymous.message.from_user.username == "GroupAnonymousBot"


@pytest.mark.parametrize("kind", ["photo", "voice", "audio", "video", "video_note", "animation", "document", "sticker"])
async def test_media_arrive_with_their_caption(kind: str) -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            telegram.says(ASKER, ASKER, "what is this?", media=kind)
            (message,) = await messages(bot)

        assert message.caption == "what is this?"
        assert message.effective_attachment
        assert getattr(message, kind)


async def test_an_album_is_several_messages_with_one_group() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            telegram.says_album(ASKER, ASKER, "what are these?", 3)
            album = await messages(bot)

        assert [one.caption for one in album] == ["what are these?", None, None]
        assert len({one.media_group_id for one in album}) == 1


async def test_an_edit_is_heard_of_and_a_deletion_is_not() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            asked = telegram.says(ASKER, ASKER, "how?")
            telegram.edits(ASKER, ASKER, asked, "why?")
            telegram.deletes(ASKER, asked)
            said, edited = await heard(bot)

        assert said.message is not None
        assert said.message.text == "how?"
        assert edited.edited_message is not None
        assert (edited.edited_message.message_id, edited.edited_message.text) == (asked, "why?")
        assert telegram.message(ASKER, asked).is_deleted


async def test_a_migration_is_told_on_both_sides() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            new = telegram.migrates(GROUP)
            old_side, new_side = await messages(bot)

        assert (old_side.chat_id, old_side.migrate_to_chat_id) == (GROUP, new)
        assert (new_side.chat_id, new_side.migrate_from_chat_id) == (new, GROUP)


async def test_who_blocks_or_removes_the_bot_is_heard_of_once_more_and_then_no_more() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            telegram.blocks(ASKER)
            telegram.kicks(GROUP)
            telegram.says(COLLEAGUE, GROUP, "/ask")
            blocked, kicked = await heard(bot)
            telegram.unblocks(ASKER)
            telegram.adds_bot(GROUP)
            _, added, welcome = await heard(bot)
            await bot.send_message(ASKER, "a")
            await bot.send_message(GROUP, "a")

        assert blocked.my_chat_member is not None
        assert (blocked.my_chat_member.chat.id, blocked.my_chat_member.new_chat_member.status) == (ASKER, "kicked")
        assert kicked.my_chat_member is not None
        assert kicked.my_chat_member.chat.id == GROUP
        assert added.my_chat_member is not None
        assert welcome.message is not None
        assert welcome.message.new_chat_members == (bot.bot,)


async def test_reactions_are_heard_of_where_the_bot_administers() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            await bot.get_updates(allowed_updates=["message", "message_reaction"])
            sent = await bot.send_message(SUPERGROUP, "a")
            telegram.reacts(ASKER, SUPERGROUP, sent.message_id, "👍")
            telegram.chats[SUPERGROUP].bot = "administrator"
            telegram.reacts(ASKER, SUPERGROUP, sent.message_id, "👎")
            (update,) = await heard(bot)

        assert update.message_reaction is not None
        assert len(update.message_reaction.old_reaction) == 1


async def test_business_messages_are_a_kind_of_their_own() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            connection = telegram.connects_business(COLLEAGUE)
            telegram.says(ASKER, ASKER, "is it open?", business=connection)
            connected, asked = await heard(bot)
            await bot.send_message(ASKER, "yes", business_connection_id=connection)

        assert connected.business_connection is not None
        assert asked.message is None
        assert asked.business_message is not None
        assert asked.business_message.business_connection_id == connection
        assert telegram.answers(ASKER)[0].business == connection


async def test_a_button_that_is_gone_can_still_be_pressed() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            telegram.presses_raw(ASKER, ASKER, 99, "old:data")
            (update,) = await heard(bot)

        assert update.callback_query is not None
        assert update.callback_query.data == "old:data"
        assert update.callback_query.message is not None
        assert not update.callback_query.message.is_accessible
