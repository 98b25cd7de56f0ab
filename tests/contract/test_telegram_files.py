"""Files and names of people in Telegram: the real library at a Telegram on loopback."""

from dataclasses import replace

import pytest

from bot.core.errors import MaybeSent, Undeliverable
from bot.core.phrases import phrase
from bot.core.tickets.files import MAX_FILE_BYTES, File
from bot.core.tickets.post import Part, Post, Press
from knowledge.errors import TransientError
from tests.contract.telegram_desk import at, desk, elsewhere
from tests.wire.telegram import (
    ASKER,
    BOT,
    FORUM,
    GROUP,
    TOPIC,
    Fault,
)

PNG = b"\x89PNG\r\n\x1a\n..."


KINDS = ["document", "photo", "video", "animation", "audio", "voice", "video_note"]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_file_of_telegrams_is_sent_on_as_what_it_was(kind: str) -> None:
    async with desk() as work:
        media = work.telegram.add_file(kind, "a.bin", b"content")
        file = File("telegram", str(BOT), f"{kind}/{media.file_id}", "a.bin")
        [sent] = await work.post(Post((), files=(file,)), at(ASKER))

        assert work.telegram.calls_of("getFile") == []
    assert sent.media == media


async def test_a_file_whose_kind_is_not_known_is_fetched_and_sent_on() -> None:
    async with desk() as work:
        media = work.telegram.add_file("photo", "a.jpg", b"\xff\xd8content")
        file = File("telegram", str(BOT), media.file_id, "a.jpg", media_type="image/jpeg")
        work.elsewhere[media.file_id] = await work.channel.file(file)
        await work.post(Post((), files=(file,)), at(ASKER))

        assert work.telegram.files_sent(ASKER) == [("a.jpg", b"\xff\xd8content")]


@pytest.mark.parametrize(
    ("file", "content", "kind"),
    [
        (elsewhere("form.pdf"), b"%PDF", "document"),
        (elsewhere("Форма 1.pdf"), b"%PDF", "document"),
        (elsewhere("screen.png", "image/png"), PNG, "photo"),
        # It says that it is a picture, and is none.
        (elsewhere("screen.png", "image/png"), b"<svg/>", "document"),
        (File("telegram", "999", "document/" + "x" * 20, "x.txt"), b"of another bot", "document"),
    ],
)
async def test_a_file_from_elsewhere_is_fetched_and_sent_on(file: File, content: bytes, kind: str) -> None:
    async with desk() as work:
        work.elsewhere[file.id] = content
        [said, sent] = await work.post(Post((Part("Here."),), files=(file,)), at(thread=str(TOPIC)))

        assert work.telegram.files_sent(FORUM, topic=TOPIC) == [(file.name, content)]
    assert (said.text, sent.media.kind if sent.media else "") == ("Here.", kind)


@pytest.mark.parametrize(
    ("name", "sent_as"),
    [
        ("../../etc/passwd", ".._.._etc_passwd"),
        ("a\r\nb.pdf", "a b.pdf"),
        ("", "file"),
        ("Звіт " * 60 + ".pdf", "Звіт " * 25 + "Зв….pdf"),
        ('a"b.txt', "a_b.txt"),
    ],
)
async def test_a_name_is_one_line_no_path_and_keeps_its_ending(name: str, sent_as: str) -> None:
    async with desk() as work:
        work.elsewhere["F1"] = b"content"
        await work.post(Post((), files=(File("slack", "T1", "F1", name),)), at(ASKER))

        assert work.telegram.files_sent(ASKER) == [(sent_as, b"content")]


async def test_where_a_group_forbids_pictures_or_all_files_the_next_best_is_sent() -> None:
    async with desk() as work:
        work.elsewhere["a.png"] = PNG
        post = Post((), files=(elsewhere("a.png", "image/png"),))
        for method, times in (("sendPhoto", 2), ("sendDocument", 1)):
            refusal = Fault.refused(400, f"Bad Request: not enough rights to {method} to the chat")
            work.telegram.inject(method, refusal, times=times, after=0 if method == "sendPhoto" else 1)
        [document] = await work.post(post, at(GROUP))
        [sentence] = await work.post(post, at(GROUP))

    assert document.media is not None
    assert (document.media.kind, sentence.media) == ("document", None)
    assert sentence.text == phrase("file_not_sent", "en", file="a.png")


async def test_where_the_bot_is_not_any_more_nothing_more_is_tried() -> None:
    async with desk() as work:
        work.telegram.kicks(GROUP)
        work.elsewhere["a.pdf"] = b"%PDF"
        [parcel] = work.channel.post(Post((), files=(elsewhere("a.pdf"),)), at(GROUP))

        with pytest.raises(Undeliverable):
            await work.channel.send(parcel)
        assert work.telegram.calls_of("sendMessage") == []


async def test_files_alone_have_the_buttons_below_the_first_of_them() -> None:
    async with desk() as work:
        work.elsewhere["a.pdf"] = b"%PDF"
        post = Post((), ((Press("return", 7, "Back"),),), (elsewhere("a.pdf"), elsewhere("lost.pdf")), plain="a file")
        parcels = work.channel.post(post, at(ASKER))
        sent = await work.post(post, at(ASKER))

    assert [parcel.plain for parcel in parcels] == ["a file", ""]
    assert [[button["text"] for button in one.buttons] for one in sent] == [["Back"], []]
    assert [one.media is None for one in sent] == [False, True]


@pytest.mark.parametrize("content", [Undeliverable("too large"), b""])
async def test_of_a_file_that_cannot_be_sent_the_name_is_told(content: bytes | Exception) -> None:
    async with desk() as work:
        work.elsewhere["evil.com/a.pdf"] = content
        [told] = await work.post(Post((), files=(elsewhere("evil.com/a.pdf"),), language="uk"), at(ASKER))

    assert (told.media, told.text) == (None, phrase("file_not_sent", "uk", file="evil.com/a.pdf"))


async def test_a_file_that_cannot_be_fetched_now_is_tried_again() -> None:
    async with desk() as work:
        work.elsewhere["a.pdf"] = TransientError("not now")
        [parcel] = work.channel.post(Post((), files=(elsewhere("a.pdf"),)), at(ASKER))

        with pytest.raises(TransientError):
            await work.channel.send(parcel)
        assert work.telegram.answers(ASKER) == []


async def test_a_file_that_may_be_there_already_says_so_and_is_not_sent_a_third_time() -> None:
    async with desk() as work:
        work.elsewhere["a.pdf"] = b"%PDF"
        work.telegram.inject("sendDocument", Fault.lost_confirmation())
        [parcel] = work.channel.post(Post((), files=(elsewhere("a.pdf"),)), at(ASKER))
        with pytest.raises(MaybeSent):
            await work.channel.send(parcel)
        await work.channel.send(replace(parcel, attempts=1))

        assert await work.channel.send(replace(parcel, attempts=2)) is None
        assert [one.text for one in work.telegram.answers(ASKER)] == ["", phrase("sent_again", "en")]


async def test_a_file_that_somebody_sent_is_brought() -> None:
    async with desk() as work:
        media = work.telegram.add_file("document", "a.pdf", b"%PDF")

        assert await work.channel.file(File("telegram", str(BOT), f"document/{media.file_id}", "a.pdf")) == b"%PDF"


async def test_a_file_that_is_gone_or_too_large_is_not_to_be_had() -> None:
    async with desk() as work:
        large = work.telegram.add_file("document", "a.pdf", b"x" * (MAX_FILE_BYTES + 1))
        lost = work.telegram.add_file("document", "b.pdf", b"x")
        work.telegram.inject("getFile", Fault.refused(400, "Bad Request: file is temporarily unavailable"), after=1)
        for media in (large, lost):
            with pytest.raises(Undeliverable):
                await work.channel.file(File("telegram", str(BOT), f"document/{media.file_id}", "a.pdf"))


async def test_a_file_that_cannot_be_had_now_may_be_had_later() -> None:
    async with desk() as work:
        media = work.telegram.add_file("document", "a.pdf", b"x")
        work.telegram.inject("getFile", Fault.flood())

        with pytest.raises(TransientError):
            await work.channel.file(File("telegram", str(BOT), f"document/{media.file_id}", "a.pdf"))


@pytest.mark.parametrize(
    ("author", "name"),
    [
        ("700000009", "Ada Lovelace"),
        (str(ASKER), "Олена"),
        (f"chat:{FORUM}", "Forum"),
        ("999", None),
        ("chat:-999", None),
        ("nobody", None),
        ("", None),
    ],
)
async def test_people_are_called_as_telegram_shows_them(author: str, name: str | None) -> None:
    async with desk() as work:
        work.telegram.add_user(700_000_009, "Ada", last_name="Lovelace")

        assert await work.channel.name_of(at().place, author) == name


async def test_a_name_is_asked_for_once() -> None:
    async with desk() as work:
        names = [await work.channel.name_of(at().place, str(ASKER)) for _ in range(3)]

        assert (names, len(work.telegram.calls_of("getChatMember"))) == (["Олена"] * 3, 1)
