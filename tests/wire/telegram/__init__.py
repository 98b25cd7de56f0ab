"""Telegram on loopback, for the real python-telegram-bot.

with telegram_at_work() as telegram:      # the world of `office`; or telegram_server(), and add_user, add_group, ...
    bot = Bot(TOKEN, base_url=telegram.base_url, base_file_url=telegram.base_file_url)
    question = telegram.says(ASKER, GROUP, f"{MENTION} how do I renew my access?")     # returns the message's id
    await telegram.until(lambda: telegram.answers(GROUP, reply_to=question))
    telegram.inject("sendMessage", Fault.lost_confirmation(), chat=GROUP)

What a test sets: `token`, `privacy_mode`, `enforce_limits` (and `limits`), `manners`, `allowed_clickables`; `inject`;
the world by `add_user`, `add_group`, `add_supergroup`, `add_channel`, `add_topic`, `add_file`.
What people do: `says`, `says_album`, `sends_file`, `posts`, `edits`, `deletes`, `presses`, `presses_newest`,
`presses_raw`, `reacts`, `blocks`, `unblocks`, `kicks`, `adds_bot`, `migrates`, `serves`, `connects_business`,
`sends_update`, `redelivers`.
What is seen: `messages`, `message`, `answers`, `all_answers`, `topics`, `files_sent`, `prompts`, `drafts`,
`standing_draft`, `typing`, `is_typing`, `told`, `callback_answers`, `alarms`; behind it `calls`, `calls_of`, `polls`,
`offsets`, `pending_update_ids`, `update_of`, `deliveries`, `updates` (`.confirmed`, `.withheld`, `.expired`),
`limits.refused`, `commands`, `webhook`.
A desk is a forum that the bot administers; its people press buttons, and write in a topic or in reply:

    telegram.adds_bot(FORUM, as_admin=True)           # it may open topics then, and hears all that is written
    [topic] = [one for one, name in telegram.topics(FORUM).items() if "VPN" in name]
    query = telegram.presses_newest(COLLEAGUE, FORUM, "Reply")          # any button, by any person
    telegram.told(query)                                                # `.text`, `.is_alert`
    [prompt] = telegram.prompts(FORUM, COLLEAGUE)                       # what wants to be replied to
    telegram.says(COLLEAGUE, FORUM, "Ask IT for it.", topic=topic, reply_to=prompt.id)
    telegram.says(COLLEAGUE, FORUM, "hello", topic=topic, as_channel=FORUM)        # as an anonymous administrator
    form = telegram.add_file("document", "form.pdf", b"...", "application/pdf")
    telegram.sends_file(COLLEAGUE, FORUM, form, topic=topic)            # with words: says(..., media=form)
    telegram.files_sent(ASKER)                                          # names and contents of what the bot sent

All of it waits with `until` (in a loop) or `wait_until`; `check` tells which promises are broken.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.wire.telegram.checker import Asked, Signs, check
from tests.wire.telegram.faults import Fault
from tests.wire.telegram.messages import Media, Message, Moment
from tests.wire.telegram.office import (
    ASKER,
    BOT,
    BOT_NAME,
    CHANNEL,
    COLLEAGUE,
    DISCUSSION,
    FORUM,
    GENERAL,
    GROUP,
    MENTION,
    NEWCOMER,
    STRANGER,
    SUPERGROUP,
    TOKEN,
    TOPIC,
    furnish,
)
from tests.wire.telegram.records import Call, CallbackAnswer, Delivery, Draft, Poll
from tests.wire.telegram.server import TelegramServer, telegram_server


@contextmanager
def telegram_at_work() -> Iterator[TelegramServer]:
    """Serve a Telegram with the people and chats of `office`."""
    with telegram_server() as telegram:
        furnish(telegram)
        yield telegram


__all__ = [
    "ASKER",
    "BOT",
    "BOT_NAME",
    "CHANNEL",
    "COLLEAGUE",
    "DISCUSSION",
    "FORUM",
    "GENERAL",
    "GROUP",
    "MENTION",
    "NEWCOMER",
    "STRANGER",
    "SUPERGROUP",
    "TOKEN",
    "TOPIC",
    "Asked",
    "Call",
    "CallbackAnswer",
    "Delivery",
    "Draft",
    "Fault",
    "Media",
    "Message",
    "Moment",
    "Poll",
    "Signs",
    "TelegramServer",
    "check",
    "telegram_at_work",
    "telegram_server",
]
