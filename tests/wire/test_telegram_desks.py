"""What the loopback Telegram takes of a desk's topics, files and prompts, and what it refuses as the real one does."""

import pytest
from telegram import Bot, Document, ForceReply, InputFile, PhotoSize, ReplyParameters
from telegram.error import BadRequest

from tests.wire.telegram import ASKER, COLLEAGUE, FORUM, GROUP, SUPERGROUP, TOPIC, telegram_at_work
from tests.wire.telegram.apps import talking
from tests.wire.telegram.methods.about import LARGEST_FILE_BYTES

PNG = b"\x89PNG..."


async def test_an_administrator_opens_topics_and_writes_in_them() -> None:
    with telegram_at_work() as telegram:
        telegram.adds_bot(FORUM, as_admin=True)
        async with talking(telegram) as bot:
            topic = await bot.create_forum_topic(FORUM, "7: VPN")
            await bot.send_message(FORUM, "card", message_thread_id=topic.message_thread_id)

    assert telegram.topics(FORUM) == {TOPIC: "VPN", topic.message_thread_id: "7: VPN"}
    assert [one.text for one in telegram.answers(FORUM, topic=topic.message_thread_id)] == ["card"]


@pytest.mark.parametrize(
    ("chat", "name", "is_admin", "refusal"),
    [
        (FORUM, "7", False, "not enough rights"),
        (SUPERGROUP, "7", True, "not a forum"),
        (GROUP, "7", True, "not a forum"),
        (ASKER, "7", False, "not a forum"),
        (FORUM, "", True, "TOPIC_TITLE_INVALID"),
        (FORUM, "😀" * 65, True, "TOPIC_TITLE_INVALID"),
    ],
)
async def test_topics_are_refused(chat: int, name: str, is_admin: bool, refusal: str) -> None:
    with telegram_at_work() as telegram:
        if chat < 0:
            telegram.adds_bot(chat, as_admin=is_admin)
        async with talking(telegram) as bot:
            with pytest.raises(BadRequest, match=f"(?i){refusal}"):
                await bot.create_forum_topic(chat, name)


async def test_files_come_with_all_that_is_in_them() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            await bot.send_document(ASKER, InputFile(b"%PDF", filename="Форма.pdf"), caption="here")
            sent = await bot.send_photo(ASKER, InputFile(PNG, filename="a.png"))
            again = await bot.send_photo(ASKER, sent.photo[-1])
            content = await (await bot.get_file(again.photo[-1])).download_as_bytearray()

    assert telegram.files_sent(ASKER) == [("Форма.pdf", b"%PDF"), ("a.png", PNG), ("a.png", PNG)]
    assert [one.text for one in telegram.answers(ASKER)] == ["here", "", ""]
    assert bytes(content) == PNG


async def refusal_of(bot: Bot, method: str, what: InputFile | PhotoSize | Document) -> str:
    with pytest.raises(BadRequest) as refused:
        await getattr(bot, method)(ASKER, what)
    return str(refused.value).casefold()


async def test_a_file_is_sent_again_only_as_what_it_is() -> None:
    with telegram_at_work() as telegram:
        photo, document = telegram.add_file("photo"), telegram.add_file("document")
        async with talking(telegram) as bot:
            as_document = await refusal_of(bot, "send_document", Document(photo.file_id, "u"))
            as_photo = await refusal_of(bot, "send_photo", PhotoSize(document.file_id, "u", 1, 1))
            unknown = await refusal_of(bot, "send_document", Document("x" * 20, "u"))
            empty = await refusal_of(bot, "send_document", InputFile(b"", filename="a"))
            no_picture = await refusal_of(bot, "send_photo", InputFile(b"<svg/>", filename="a.png"))

    assert "can't use file of type photo as document" in as_document
    assert "can't use file of type document as photo" in as_photo
    assert "wrong file identifier" in unknown
    assert "non-empty" in empty
    assert "image_process_failed" in no_picture


async def test_a_file_that_is_larger_than_telegram_gives_out_is_not_brought() -> None:
    with telegram_at_work() as telegram:
        large = telegram.add_file("document", content=b"x" * (LARGEST_FILE_BYTES + 1))
        async with talking(telegram) as bot:
            with pytest.raises(BadRequest, match="too big"):
                await bot.get_file(large.file_id)


async def test_a_selective_prompt_is_for_whom_it_names_or_replies_to() -> None:
    with telegram_at_work() as telegram:
        asked = telegram.says(ASKER, GROUP, "/ask how?")
        async with talking(telegram) as bot:
            await bot.send_message(GROUP, "all", reply_markup=ForceReply())
            await bot.send_message(GROUP, "nobody", reply_markup=ForceReply(selective=True))
            await bot.send_message(
                GROUP, "one", reply_markup=ForceReply(selective=True), reply_parameters=ReplyParameters(asked)
            )

    assert [one.text for one in telegram.prompts(GROUP, ASKER)] == ["all", "one"]
    assert [one.text for one in telegram.prompts(GROUP, COLLEAGUE)] == ["all"]


async def test_a_message_is_not_changed_into_a_prompt() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            sent = await bot.send_message(GROUP, "a")
            with pytest.raises(BadRequest, match="nline keyboard expected"):
                await bot.edit_message_text(
                    "b", GROUP, sent.message_id, api_kwargs={"reply_markup": {"force_reply": True}}
                )


async def test_people_have_both_of_their_names_and_send_files_in_topics() -> None:
    with telegram_at_work() as telegram:
        telegram.adds_bot(FORUM, as_admin=True)
        telegram.add_user(700_000_009, "Ada", last_name="Lovelace")
        async with talking(telegram) as bot:
            form = telegram.add_file("document", "form.pdf", b"%PDF", "application/pdf")
            telegram.sends_file(700_000_009, FORUM, form, topic=TOPIC)
            *_, update = await bot.get_updates()
            member = await bot.get_chat_member(FORUM, 700_000_009)

    assert update.message is not None
    assert update.message.document is not None
    assert (update.message.document.file_name, update.message.message_thread_id) == ("form.pdf", TOPIC)
    assert (update.message.from_user and update.message.from_user.full_name) == member.user.full_name == "Ada Lovelace"


async def test_a_button_is_pressed_in_the_newest_message_that_has_it_and_its_presser_is_told() -> None:
    with telegram_at_work() as telegram:
        keyboard = {"inline_keyboard": [[{"text": "Claim", "callback_data": "a:7:claim"}]]}
        async with talking(telegram) as bot:
            for text in ("old", "new"):
                await bot.send_message(GROUP, text, api_kwargs={"reply_markup": keyboard})
            query = telegram.presses_newest(COLLEAGUE, GROUP, "Claim")
            *_, update = await bot.get_updates()
            before = telegram.told(query)
            await bot.answer_callback_query(query, "It is yours.", show_alert=True)

    told = telegram.told(query)
    pressed = update.callback_query
    assert pressed is not None
    assert pressed.message is not None
    assert (pressed.data, pressed.from_user.id, pressed.message.message_id) == ("a:7:claim", COLLEAGUE, 2)
    assert (before, told and told.text, told and told.is_alert) == (None, "It is yours.", True)
