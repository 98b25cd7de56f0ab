"""The Bot API on loopback, called by the real python-telegram-bot: who may do what, and what comes of it."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from telegram import (
    Bot,
    BotCommand,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MessageEntity,
    ReplyParameters,
)
from telegram.error import ChatMigrated

from tests.wire.telegram import (
    ASKER,
    BOT,
    BOT_NAME,
    FORUM,
    GENERAL,
    GROUP,
    NEWCOMER,
    STRANGER,
    SUPERGROUP,
    TOKEN,
    TOPIC,
    telegram_at_work,
)
from tests.wire.telegram.apps import error_of, talking

LONG = "x" * 4097
EMOJI = "😀" * 2049


def button(**more: str) -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup([[InlineKeyboardButton("x", **more)]])  # type: ignore[arg-type]  # wrong on purpose


def bold(offset: int, length: int) -> list[MessageEntity]:
    return [MessageEntity("bold", offset, length)]


async def test_the_bot_is_told_who_it_is_and_whether_it_reads_all_of_a_group() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            first = await bot.get_me()
            telegram.privacy_mode = False
            second = await bot.get_me()

        assert (first.id, first.username, first.is_bot) == (BOT, BOT_NAME, True)
        assert (first.can_read_all_group_messages, second.can_read_all_group_messages) == (False, True)


@pytest.mark.parametrize(
    ("path", "status", "description"),
    [
        (f"{TOKEN}/getme", 200, None),
        (f"{TOKEN}/GETME", 200, None),
        (f"{TOKEN}/shout", 404, "Not Found: method not found"),
        ("1:wrong/getMe", 401, "Unauthorized"),
        ("wrong/getMe", 401, "Unauthorized: invalid token specified"),
    ],
)
def test_a_method_is_found_whatever_its_case_and_a_wrong_token_never(
    path: str, status: int, description: str | None
) -> None:
    with telegram_at_work() as telegram:
        answer = httpx.get(telegram.base_url + path)

        assert (answer.status_code, answer.json().get("description")) == (status, description)
        assert answer.json().get("error_code", 200) == status


@pytest.mark.parametrize(
    "sent",
    [
        {"params": {"chat_id": str(ASKER), "text": "x", "entities": '[{"type":"bold","offset":0,"length":1}]'}},
        {"data": {"chat_id": str(ASKER), "text": "x", "entities": '[{"type":"bold","offset":0,"length":1}]'}},
        {"json": {"chat_id": ASKER, "text": "x", "entities": [{"type": "bold", "offset": 0, "length": 1}]}},
        {"files": {"chat_id": (None, str(ASKER)), "text": (None, "x"), "parse_mode": (None, "")}},
    ],
    ids=["query", "form", "json", "multipart"],
)
def test_arguments_come_in_four_ways(sent: dict[str, Any]) -> None:
    with telegram_at_work() as telegram:
        answer = httpx.post(f"{telegram.base_url}{TOKEN}/sendMessage", **sent)

        assert answer.json()["result"]["text"] == "x"
        assert telegram.calls[-1].chat == ASKER
        assert len(answer.json()["result"].get("entities", [])) == ("files" not in sent)


def test_json_that_cannot_be_read_is_refused() -> None:
    with telegram_at_work() as telegram:
        data = {"chat_id": str(ASKER), "text": "x", "reply_markup": "{"}
        answer = httpx.post(f"{telegram.base_url}{TOKEN}/sendMessage", data=data)

        assert answer.json()["description"] == "Bad Request: can't parse reply keyboard markup JSON object"


Act = Callable[[Bot], Awaitable[object]]
REFUSED: dict[str, tuple[Act, str, str]] = {
    "unknown chat": (lambda bot: bot.send_message(1, "x"), "BadRequest", "Chat not found"),
    "unknown name": (lambda bot: bot.send_message("@nobody_here", "x"), "BadRequest", "Chat not found"),
    "no text": (lambda bot: bot.send_message(ASKER, ""), "BadRequest", "Message text is empty"),
    "white space": (lambda bot: bot.send_message(ASKER, " \n "), "BadRequest", "Text must be non-empty"),
    "a long text": (lambda bot: bot.send_message(ASKER, LONG), "BadRequest", "Message is too long"),
    "long in UTF-16": (lambda bot: bot.send_message(ASKER, EMOJI), "BadRequest", "Message is too long"),
    "raw bytes": (lambda bot: bot.send_message(ASKER, "x" * 32_769), "BadRequest", "Text is too long"),
    "bad HTML": (
        lambda bot: bot.send_message(ASKER, "<!-- comment -->x", "HTML"),
        "BadRequest",
        "Can't parse entities: ",
    ),
    "bad Markdown": (lambda bot: bot.send_message(ASKER, "a.b", "MarkdownV2"), "BadRequest", "Can't parse entities: "),
    "no such mode": (lambda bot: bot.send_message(ASKER, "x", "BBCode"), "BadRequest", "Unsupported parse_mode"),
    "an entity outside": (
        lambda bot: bot.send_message(ASKER, "ab", entities=bold(1, 2)),
        "BadRequest",
        "Entity beginning at UTF-16 offset 1 ends after the end of the text",
    ),
    "half an emoji": (
        lambda bot: bot.send_message(ASKER, "😀", entities=bold(0, 1)),
        "BadRequest",
        "Entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol",
    ),
    "reply to nothing": (
        lambda bot: bot.send_message(ASKER, "x", reply_parameters=ReplyParameters(99)),
        "BadRequest",
        "Message to be replied not found",
    ),
    "long button data": (
        lambda bot: bot.send_message(ASKER, "x", reply_markup=button(callback_data="ї" * 33)),
        "BadRequest",
        "Button_data_invalid",
    ),
    "a button without an act": (
        lambda bot: bot.send_message(ASKER, "x", reply_markup=button()),
        "BadRequest",
        "Can't parse inline keyboard button: text buttons are unallowed in the inline keyboard",
    ),
    "101 buttons": (
        lambda bot: bot.send_message(
            ASKER, "x", reply_markup=InlineKeyboardMarkup([*button(callback_data="x").inline_keyboard] * 101)
        ),
        "BadRequest",
        "Reply markup is too long",
    ),
    "unknown topic": (
        lambda bot: bot.send_message(FORUM, "x", message_thread_id=99),
        "BadRequest",
        "Message thread not found",
    ),
    "General by its number": (
        lambda bot: bot.send_message(FORUM, "x", message_thread_id=GENERAL),
        "BadRequest",
        "Message thread not found",
    ),
    "a thread that is no topic": (
        lambda bot: bot.send_message(SUPERGROUP, "x", message_thread_id=1),
        "BadRequest",
        "Message thread not found",
    ),
    "a newcomer": (
        lambda bot: bot.send_message(NEWCOMER, "x"),
        "Forbidden",
        "Forbidden: bot can't initiate conversation with a user",
    ),
    "edit of nothing": (lambda bot: bot.edit_message_text("x", ASKER, 99), "BadRequest", "Message to edit not found"),
    "delete of nothing": (lambda bot: bot.delete_message(ASKER, 99), "BadRequest", "Message to delete not found"),
    "draft in a group": (lambda bot: bot.send_message_draft(GROUP, 1, "x"), "BadRequest", "Textdraft_peer_invalid"),
    "draft without id": (lambda bot: bot.send_message_draft(ASKER, 0, "x"), "BadRequest", "Invalid draft_id specified"),
    "draft of bad HTML": (
        lambda bot: bot.send_message_draft(ASKER, 1, "<!-- comment -->x", parse_mode="HTML"),
        "BadRequest",
        "Can't parse entities: ",
    ),
    "unknown query": (
        lambda bot: bot.answer_callback_query("1"),
        "BadRequest",
        "Query is too old and response timeout expired or query id is invalid",
    ),
    "unknown action": (
        lambda bot: bot.send_chat_action(ASKER, "dancing"),
        "BadRequest",
        "Wrong parameter action in request",
    ),
    "bad command": (
        lambda bot: bot.set_my_commands([BotCommand("Ask me", "x")]),
        "BadRequest",
        "Bot_command_invalid",
    ),
    "unknown file": (lambda bot: bot.get_file("nothing"), "BadRequest", "Invalid file_id"),
    "foreign reaction": (
        lambda bot: bot.set_message_reaction(ASKER, 99, "👀"),
        "BadRequest",
        "Message to react not found",
    ),
    "unknown method": (lambda bot: bot.do_api_request("sendRichMessage"), "EndPointNotFound", "Endpoint"),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_what_telegram_refuses_is_refused_and_maps_to_its_error(case: str) -> None:
    act, kind, text = REFUSED[case]
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            found = await error_of(act(bot))

        assert found[0] == kind
        assert found[1].casefold().startswith(text.casefold())
        assert telegram.all_answers() == []


async def test_a_token_that_was_renewed_is_an_invalid_token() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            telegram.token = "12345:renewed"
            error, _ = await error_of(bot.get_me())

        assert error == "InvalidToken"


async def test_a_bot_that_is_shut_out_is_told_how() -> None:
    with telegram_at_work() as telegram:
        telegram.blocks(STRANGER)
        telegram.kicks(GROUP)
        telegram.kicks(SUPERGROUP)
        async with talking(telegram) as bot:
            errors = [await error_of(bot.send_message(chat, "x")) for chat in (STRANGER, GROUP, SUPERGROUP)]

        assert errors == [
            ("Forbidden", "Forbidden: bot was blocked by the user"),
            ("Forbidden", "Forbidden: bot was kicked from the group chat"),
            ("Forbidden", "Forbidden: bot was kicked from the supergroup chat"),
        ]


async def test_a_group_that_became_a_supergroup_says_where_it_went() -> None:
    with telegram_at_work() as telegram:
        new = telegram.migrates(GROUP)
        async with talking(telegram) as bot:
            with pytest.raises(ChatMigrated) as raised:
                await bot.send_message(GROUP, "x")
            await bot.send_message(new, "y")

        assert raised.value.new_chat_id == new
        assert [one.text for one in telegram.answers(new)] == ["y"]


def test_a_mistake_of_the_server_is_told_at_its_end() -> None:
    def ask() -> None:
        with telegram_at_work() as telegram:
            telegram.files = None  # type: ignore[assignment]  # a world that cannot be
            httpx.post(f"{telegram.base_url}{TOKEN}/getFile", data={"file_id": "x"})

    with pytest.raises(TypeError):
        ask()


def test_topics_have_the_id_of_the_message_that_opened_them() -> None:
    with telegram_at_work() as telegram:
        assert telegram.message(FORUM, TOPIC).service["forum_topic_created"]
