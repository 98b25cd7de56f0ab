"""What the people of a desk in Telegram do, as the listener takes it in: the real library at a Telegram on loopback."""

import pytest
from telegram import Bot

from bot.channels.telegram.render.keyboards import desk_keyboard, reply_markup
from bot.core.tickets.acts import Came, Outcome
from bot.core.tickets.files import loaded
from bot.core.tickets.post import Press
from tests.fakes.telegram_ports import FakeBook, FakeOffered
from tests.scenario.telegram_listening import MODES, listening, speaking
from tests.wire.telegram import ASKER, COLLEAGUE, FORUM, GROUP, TOPIC, TelegramServer, telegram_at_work

BUTTONS = (Press("claim", 7, "Claim"), Press("reply", 7, "Reply"))


def stores(desk: int = FORUM) -> FakeOffered:
    return FakeOffered(desks=frozenset({("telegram", str(desk))}), book=FakeBook(str(desk)))


async def card(bot: Bot, chat: int = FORUM, topic: int | None = TOPIC) -> int:
    keyboard = desk_keyboard([BUTTONS])
    assert keyboard is not None
    sent = await bot.send_message(
        chat, "Ticket 7", message_thread_id=topic, api_kwargs={"reply_markup": reply_markup(keyboard)}
    )
    return sent.message_id


def desk_of(telegram: TelegramServer) -> None:
    telegram.adds_bot(FORUM, as_admin=True)


@MODES
@pytest.mark.parametrize(
    ("came", "told", "is_alert"),
    [
        ("done", "It is yours.", False),
        ("done", "", False),
        ("taken", "Pat has it.", True),
        ("refused", "You may not.", True),
        ("late", "It is closed.", True),
        ("unknown", "There is no such ticket.", True),
        ("unknown", "", False),
        ("done", "😀" * 300, False),
    ],
)
async def test_who_presses_a_button_is_told_what_came_of_it(mode: str, came: Came, told: str, is_alert: bool) -> None:
    with telegram_at_work() as telegram:
        desk_of(telegram)
        work = stores()
        work.book.outcome = Outcome(came, told)
        async with listening(telegram, work, choice={"mode": mode}), speaking(telegram) as bot:
            await card(bot)
            query = telegram.presses_newest(COLLEAGUE, FORUM, "Claim")
            await telegram.until(lambda: telegram.told(query))

    [act] = work.book.acts.values()
    shown = telegram.told(query)
    assert (act.kind, act.number, act.actor.id, act.actor.name) == ("claim", 7, f"telegram:{COLLEAGUE}", "Colleague")
    assert shown is not None
    assert (shown.text[:20], shown.is_alert) == (told[:20], is_alert)


async def test_a_press_that_is_delivered_twice_is_one_act_and_two_presses_are_two() -> None:
    with telegram_at_work() as telegram:
        desk_of(telegram)
        work = stores()
        async with listening(telegram, work), speaking(telegram) as bot:
            await card(bot)
            for person in (COLLEAGUE, ASKER):
                telegram.presses_newest(person, FORUM, "Claim")
            await telegram.until(lambda: len(telegram.callback_answers) == 2)
            telegram.redelivers(telegram.updates.confirmed[-1])
            await telegram.until(lambda: not telegram.pending_update_ids)

    assert [act.actor.name for act in work.book.acts.values()] == ["Colleague", "Олена"]


async def test_a_button_that_takes_words_asks_for_them() -> None:
    with telegram_at_work() as telegram:
        desk_of(telegram)
        work = stores()
        async with listening(telegram, work), speaking(telegram) as bot:
            await card(bot)
            query = telegram.presses_newest(COLLEAGUE, FORUM, "Reply")
            await telegram.until(lambda: telegram.told(query))

    [act] = work.book.acts.values()
    assert (act.kind, act.text, dict(act.details)) == ("reply", "", {"prompt": "yes"})


async def test_a_press_that_cannot_be_stored_comes_again() -> None:
    with telegram_at_work() as telegram:
        desk_of(telegram)
        work = stores()
        work.book.failures = 2
        async with listening(telegram, work), speaking(telegram) as bot:
            await card(bot)
            query = telegram.presses_newest(COLLEAGUE, FORUM, "Claim")
            await telegram.until(lambda: telegram.told(query))

    assert len(work.book.acts) == 1


async def test_all_that_is_written_at_a_desk_is_heard_though_other_chats_are_listed() -> None:
    with telegram_at_work() as telegram:
        desk_of(telegram)
        work = stores()
        async with listening(telegram, work, choice={"chats": [str(GROUP)]}), speaking(telegram) as bot:
            shown = await card(bot)
            form = telegram.add_file("document", "form.pdf", b"%PDF", "application/pdf")
            said = [
                telegram.says(COLLEAGUE, FORUM, "Ask IT for it.", topic=TOPIC),
                telegram.says(COLLEAGUE, FORUM, "Or me.", reply_to=shown),
                telegram.says(COLLEAGUE, FORUM, "/note he is new", topic=TOPIC),
                telegram.says(COLLEAGUE, FORUM, "as nobody", topic=TOPIC, as_channel=FORUM),
                telegram.sends_file(COLLEAGUE, FORUM, form, topic=TOPIC),
            ]
            await telegram.until(lambda: len(work.book.heard) == len(said))
            telegram.edits(COLLEAGUE, FORUM, said[0], "Ask us for it.")
            await telegram.until(lambda: work.book.reworded)

    heard = [*work.book.heard.values()]
    assert [int(one.message) for one in heard] == said
    assert [one.text for one in heard] == ["Ask IT for it.", "Or me.", "/note he is new", "as nobody", ""]
    assert [one.thread for one in heard] == [str(TOPIC)] * 5
    assert heard[1].wire["reply_to"] == str(shown)
    assert [one.wire["name"] for one in heard] == ["Colleague"] * 3 + ["Forum", "Colleague"]
    assert [file.name for file in loaded(heard[-1].wire)] == ["form.pdf"]
    assert [one.text for one in work.book.reworded] == ["Ask us for it."]


async def test_a_desk_that_moved_is_a_desk_still() -> None:
    with telegram_at_work() as telegram:
        telegram.adds_bot(GROUP, as_admin=True)
        work = stores(GROUP)
        work.book.desks = (str(GROUP), str(-1_000_000_000_000 + GROUP))
        async with listening(telegram, work, choice={"chats": [str(FORUM)]}):
            new = telegram.migrates(GROUP)
            await telegram.until(lambda: str(new) in work.moves.steps)
            telegram.says(COLLEAGUE, new, media="photo")
            await telegram.until(lambda: work.book.heard)

    [heard] = work.book.heard.values()
    assert (heard.channels, len(loaded(heard.wire))) == ((str(new), str(GROUP)), 1)
