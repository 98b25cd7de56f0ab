"""What people see of what the bot sends, edits, drafts and deletes, sent by the real python-telegram-bot."""

import pytest
from telegram import (
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    Message,
    MessageEntity,
    ReplyParameters,
)
from telegram.constants import ChatAction

from tests.wire.telegram import ASKER, FORUM, GENERAL, GROUP, SUPERGROUP, TOPIC, telegram_at_work
from tests.wire.telegram.apps import error_of, talking

QUIET = LinkPreviewOptions(is_disabled=True)
YES = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="yes")]])


def kinds(message: Message) -> list[tuple[str, int, int]]:
    return [(str(one.type), one.offset, one.length) for one in message.entities]


async def test_a_message_is_seen_with_its_place_its_entities_and_its_buttons() -> None:
    with telegram_at_work() as telegram:
        question = telegram.says(ASKER, GROUP, "/ask how")
        async with talking(telegram) as bot:
            sent = await bot.send_message(
                GROUP, "<b>bold</b> plain", "HTML", reply_parameters=ReplyParameters(question), reply_markup=YES
            )

        (answer,) = telegram.answers(GROUP, reply_to=question)
        assert (answer.id, answer.text, answer.topic) == (sent.message_id, "bold plain", None)
        assert answer.entities == [{"type": "bold", "offset": 0, "length": 4}]
        assert [one["callback_data"] for one in answer.buttons] == ["yes"]
        assert sent.reply_to_message is not None
        assert sent.reply_to_message.text == "/ask how"


async def test_tags_do_not_count_in_the_length_and_white_space_at_the_ends_is_cut() -> None:
    pytest.importorskip("tdjson")
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            await bot.send_message(ASKER, f"<b>{'x' * 4096}</b>", "HTML")
            await bot.send_message(ASKER, " \n a \n", entities=[MessageEntity("bold", 3, 1)])

        long, short = telegram.answers(ASKER)
        assert len(long.text) == 4096
        assert (short.text, short.entities) == ("a", [{"type": "bold", "offset": 0, "length": 1}])


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ([("italic", 3, 2), ("bold", 0, 5)], [("bold", 0, 3), ("bold", 3, 2), ("italic", 3, 2)]),
        ([("bold", 0, 2), ("bold", 2, 3)], [("bold", 0, 5)]),
        ([("bold", 0, 5), ("code", 0, 5)], [("code", 0, 5)]),
        ([("bold", 0, 4), ("italic", 2, 4)], [("bold", 0, 2), ("italic", 2, 4), ("bold", 2, 2)]),
        ([("blockquote", 0, 8), ("code", 3, 2)], [("blockquote", 0, 8), ("code", 3, 2)]),
        ([("bold", 0, 0), ("mention", 0, 2)], []),
    ],
)
async def test_entities_are_kept_as_tdlib_keeps_them(
    given: list[tuple[str, int, int]], kept: list[tuple[str, int, int]]
) -> None:
    pytest.importorskip("tdjson")
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            sent = await bot.send_message(ASKER, "ab *d_ f`", entities=[MessageEntity(*one) for one in given])

        assert sorted(kinds(sent)) == sorted(kept)
        assert telegram.answers(ASKER)[0].text == "ab *d_ f`"


async def test_an_entity_that_telegram_does_not_know_or_an_address_that_is_none_is_refused() -> None:
    pytest.importorskip("tdjson")
    link = MessageEntity("text_link", 0, 1, url="http://wiki/x")
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            unknown = await error_of(bot.send_message(ASKER, "x", entities=[MessageEntity("loud", 0, 1)]))
            address = await error_of(bot.send_message(ASKER, "x", entities=[link]))

    assert "unsupported type specified" in unknown[1].casefold()
    assert "Entity URL 'http://wiki/x' is invalid".casefold() in address[1].casefold()


async def test_what_is_clickable_by_accident_is_found_and_entities_too_many_are_dropped() -> None:
    many = [MessageEntity("bold", 2 * number, 1) for number in range(110)]
    with telegram_at_work() as telegram:
        telegram.allowed_clickables.add("/help")
        async with talking(telegram) as bot:
            await bot.send_message(ASKER, "see @somebody or /help", link_preview_options=QUIET)
            await bot.send_message(ASKER, "see @somebody", entities=[MessageEntity("code", 4, 9)])
            await bot.send_message(ASKER, "https://a.example/x")
            await bot.send_message(ASKER, "a " * 110, entities=many)

        first, second, _, last = telegram.answers(ASKER)
        assert [one["type"] for one in first.detected] == ["mention", "bot_command"]
        assert second.detected == []
        assert (len(last.entities), len(last.dropped)) == (100, 10)
        assert telegram.alarms == [
            "sendMessage: mention @somebody",
            "sendMessage: url https://a.example/x",
            "sendMessage: a link shows a preview",
            "sendMessage: 10 entities are lost",
        ]


async def test_an_edit_is_seen_with_what_was_before_and_takes_the_buttons_away() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            sent = await bot.send_message(ASKER, "one", reply_markup=YES)
            same = await error_of(bot.edit_message_text("one", ASKER, sent.message_id, reply_markup=YES))
            await bot.edit_message_text("two", ASKER, sent.message_id)
            unchanged = await error_of(bot.edit_message_text("two", ASKER, sent.message_id))
            await bot.edit_message_reply_markup(ASKER, sent.message_id, reply_markup=YES)

        (answer,) = telegram.answers(ASKER)
        assert answer.texts == ["one", "two"]
        assert [bool(moment.keyboard) for moment in answer.moments] == [True, False, True]
        assert [error[1][:23] for error in (same, unchanged)] == ["Message is not modified"] * 2


async def test_nobody_else_s_message_can_be_edited_and_in_a_group_none_deleted() -> None:
    with telegram_at_work() as telegram:
        asked = telegram.says(ASKER, GROUP, "/ask")
        async with talking(telegram) as bot:
            edited = await error_of(bot.edit_message_text("x", GROUP, asked))
            deleted = await error_of(bot.delete_message(GROUP, asked))

        assert (edited[1], deleted[1]) == ("Message can't be edited", "Message can't be deleted")


async def test_deleted_messages_are_gone_and_cannot_be_replied_to() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            ids = [(await bot.send_message(ASKER, text)).message_id for text in ("a", "b", "c")]
            await bot.delete_message(ASKER, ids[0])
            await bot.delete_messages(ASKER, [ids[1], 99])
            reply = await error_of(bot.send_message(ASKER, "x", reply_parameters=ReplyParameters(ids[0])))
            lone = ReplyParameters(ids[0], allow_sending_without_reply=True)
            await bot.send_message(ASKER, "d", reply_parameters=lone)

        assert [one.text for one in telegram.answers(ASKER)] == ["c", "d"]
        assert telegram.message(ASKER, ids[0]).is_deleted
        assert reply == ("BadRequest", "Message to be replied not found")


async def test_an_answer_stands_in_the_topic_that_is_named_or_replied_to() -> None:
    with telegram_at_work() as telegram:
        in_topic = telegram.says(ASKER, FORUM, "/ask a", topic=TOPIC)
        in_general = telegram.says(ASKER, FORUM, "/ask b")
        async with talking(telegram) as bot:
            named = await bot.send_message(FORUM, "a", message_thread_id=TOPIC)
            replied = await bot.send_message(FORUM, "a", reply_parameters=ReplyParameters(in_topic))
            general = await bot.send_message(FORUM, "b", reply_parameters=ReplyParameters(in_general))

        assert [one.text for one in telegram.answers(FORUM, topic=TOPIC)] == ["a", "a"]
        assert [one.text for one in telegram.answers(FORUM, topic=GENERAL)] == ["b"]
        assert [one.is_topic_message for one in (named, replied, general)] == [True, True, None]


async def test_drafts_are_seen_as_they_grow_and_go_with_the_message() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            for text in ("", "a", "ab"):
                await bot.send_message_draft(ASKER, 7, text)
            standing = telegram.standing_draft(ASKER)
            await bot.send_message(ASKER, "abc")

        assert [draft.text for draft in telegram.drafts(ASKER, draft_id=7)] == ["", "a", "ab"]
        assert standing is not None
        assert standing.text == "ab"
        assert telegram.standing_draft(ASKER) is None
        assert [one.text for one in telegram.messages(ASKER)] == ["abc"]


async def test_typing_is_seen_for_five_seconds_or_until_a_message_comes() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            await bot.send_chat_action(ASKER, ChatAction.TYPING)
            await bot.send_chat_action(ASKER, ChatAction.TYPING)
            was_typing = telegram.is_typing(ASKER)
            await bot.send_message(ASKER, "a")
            ended = telegram.typing(ASKER)
            await bot.send_chat_action(FORUM, ChatAction.TYPING, message_thread_id=GENERAL)

        assert (was_typing, telegram.is_typing(ASKER), len(ended)) == (True, False, 1)
        assert ended[0][1] - ended[0][0] < 5
        (still,) = telegram.typing(FORUM, topic=GENERAL)
        assert still[1] - still[0] == pytest.approx(5)


async def test_a_reaction_of_the_bot_is_seen() -> None:
    with telegram_at_work() as telegram:
        asked = telegram.says(ASKER, SUPERGROUP, "/ask")
        async with talking(telegram) as bot:
            await bot.set_message_reaction(SUPERGROUP, asked, "👀")

            assert telegram.message(SUPERGROUP, asked).reactions == {telegram.bot.id: ["👀"]}


async def test_a_pressed_button_waits_for_one_answer_and_not_for_long() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            sent = await bot.send_message(ASKER, "a", reply_markup=YES)
            by_data = telegram.presses(ASKER, ASKER, sent.message_id, "yes")
            by_text = telegram.presses(ASKER, ASKER, sent.message_id, "Yes")
            first, second = await bot.get_updates()
            await bot.answer_callback_query(by_data, "thanks")
            again = await error_of(bot.answer_callback_query(by_data))
            telegram.manners.callbacks_live_s = 0.0
            late = await error_of(bot.answer_callback_query(by_text))

        assert first.callback_query is not None
        assert second.callback_query is not None
        assert [first.callback_query.data, second.callback_query.data] == ["yes", "yes"]
        assert [one.text for one in telegram.callback_answers] == ["thanks"]
        assert [error for error, _ in (again, late)] == ["BadRequest", "BadRequest"]
        assert telegram.open_queries() == [by_text]
