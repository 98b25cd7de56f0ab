"""Editing and deleting what was sent."""

import time

from tests.wire.telegram.chats import Chat
from tests.wire.telegram.errors import bad_request
from tests.wire.telegram.messages import Message
from tests.wire.telegram.methods.access import judged_text, not_flooded, preview_of, reachable, writable
from tests.wire.telegram.methods.buttons import keyboard_of
from tests.wire.telegram.payloads import message_json
from tests.wire.telegram.records import Call
from tests.wire.telegram.state import TelegramState

SAME = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current content "
    "and reply markup of the message"
)
MOST_DELETED = 100


def edit_text(state: TelegramState, call: Call) -> object:
    """Replace a message's text and buttons; buttons that are not named again go."""
    chat = writable(state, call)
    if not call.text("text"):
        raise bad_request("message text is empty")
    message = _own(state, chat, call)
    if message.media is not None:
        raise bad_request("there is no text in the message to edit")
    if call.mapping("reply_markup").get("force_reply"):
        raise bad_request("inline keyboard expected")
    keyboard = keyboard_of(call)
    judged = judged_text(state, call)
    if (message.text, message.entities, message.keyboard) == (judged.text, judged.entities, keyboard):
        raise bad_request(SAME)
    not_flooded(state, chat, call)
    message.text, message.entities, message.keyboard = judged.text, judged.entities, keyboard
    message.detected, message.dropped = judged.detected, judged.dropped
    message.link_preview = preview_of(call)
    message.parse_mode = call.text("parse_mode") or None
    return _edited(state, message)


def edit_buttons(state: TelegramState, call: Call) -> object:
    """Replace a message's buttons."""
    chat = writable(state, call)
    message, keyboard = _own(state, chat, call), keyboard_of(call)
    if message.keyboard == keyboard:
        raise bad_request(SAME)
    not_flooded(state, chat, call)
    message.keyboard = keyboard
    return _edited(state, message)


def delete(state: TelegramState, call: Call) -> object:
    """Delete a message: an own one, or anybody's where the bot is an administrator or in a private chat."""
    chat = reachable(state.chat_of(call))
    message = chat.message(call.number("message_id"))
    if message is None:
        raise bad_request("message to delete not found")
    if not message.is_ours and chat.kind != "private" and chat.bot != "administrator":
        raise bad_request("message can't be deleted")
    _remove(message)
    return True


def delete_many(state: TelegramState, call: Call) -> object:
    """Delete messages; those that are not there are passed over."""
    chat = reachable(state.chat_of(call))
    ids = [int(str(one)) for one in call.items("message_ids")]
    if not 0 < len(ids) <= MOST_DELETED:
        raise bad_request("message identifiers are not specified" if not ids else "too many messages to delete")
    for message in (chat.message(one) for one in ids):
        if message is not None:
            _remove(message)
    return True


def answer_query(state: TelegramState, call: Call) -> object:
    """End the wait of somebody who pressed a button; once, and not too late."""
    return state.answer_query(call.text("callback_query_id"), call.text("text"), is_alert=call.flag("show_alert"))


def _own(state: TelegramState, chat: Chat, call: Call) -> Message:
    message = chat.message(call.number("message_id"))
    if message is None:
        raise bad_request("message to edit not found")
    if not message.is_ours or message.service:
        raise bad_request("message can't be edited")
    return message


def _edited(state: TelegramState, message: Message) -> object:
    message.edit_date = int(time.time())
    message.note()
    return message_json(state, message)


def _remove(message: Message) -> None:
    message.is_deleted = True
    message.note()
