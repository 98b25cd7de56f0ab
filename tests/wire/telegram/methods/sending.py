"""Sending: messages, drafts, actions, reactions."""

import time

from tests.wire.telegram.chats import Chat
from tests.wire.telegram.entities import Judged, judge
from tests.wire.telegram.errors import bad_request
from tests.wire.telegram.messages import Message
from tests.wire.telegram.methods.access import (
    judged_text,
    not_flooded,
    preview_of,
    reachable,
    replied_by,
    topic_of,
    writable,
)
from tests.wire.telegram.methods.buttons import keyboard_of, prompted_by
from tests.wire.telegram.payloads import message_json
from tests.wire.telegram.records import Action, Call, Draft
from tests.wire.telegram.state import TelegramState
from tests.wire.telegram.threads import placed

CHAT_ACTIONS = frozenset(
    {
        "typing",
        "upload_photo",
        "record_video",
        "upload_video",
        "record_voice",
        "upload_voice",
        "upload_document",
        "choose_sticker",
        "find_location",
        "record_video_note",
        "upload_video_note",
    }
)
# Of the reactions that Telegram has, those that a bot of this kind may use.
REACTIONS = frozenset("👍👎❤🔥👏😁🤔🎉🙏👌👀💯⚡🤝✍😢🤷🆒🫡")


def send_message(state: TelegramState, call: Call) -> object:
    """Send a text."""
    chat = writable(state, call)
    if not call.text("text"):
        raise bad_request("message text is empty")
    topic, replied, keyboard = topic_of(chat, call), replied_by(state, chat, call), keyboard_of(call)
    judged = judged_text(state, call)
    not_flooded(state, chat, call)
    message = begun(state, chat, call, judged)
    message.topic, message.thread = placed(chat, topic, replied)
    message.keyboard, message.prompted = keyboard, prompted_by(call, message, chat.members or [chat.id], replied)
    if replied is not None and replied.chat == chat.id:
        message.reply_to = replied.id
    return kept(state, chat, message)


def send_draft(state: TelegramState, call: Call) -> object:
    """Show a text that still grows, in a private chat; nothing of it stays."""
    chat = writable(state, call)
    if chat.kind != "private":
        raise bad_request("TEXTDRAFT_PEER_INVALID")
    if not call.number("draft_id"):
        raise bad_request("invalid draft_id specified")
    judged = judged_text(state, call)
    not_flooded(state, chat, call)
    draft = Draft(
        chat.id, topic_of(chat, call), call.number("draft_id"), judged.text, time.monotonic(), tuple(judged.entities)
    )
    state.all_drafts.append(draft)
    return True


def send_action(state: TelegramState, call: Call) -> object:
    """Show that the bot types; in General its topic may be named here."""
    chat = writable(state, call)
    if call.text("action").casefold() not in CHAT_ACTIONS:
        raise bad_request("wrong parameter action in request")
    topic = topic_of(chat, call, general_is_topic=True)
    state.actions.append(Action(chat.id, topic, call.text("action").casefold(), time.monotonic()))
    return True


def set_reaction(state: TelegramState, call: Call) -> object:
    """Put the bot's reaction on a message, in place of the last."""
    chat = reachable(state.chat_of(call))
    message = chat.message(call.number("message_id"))
    if message is None:
        raise bad_request("message to react not found")
    wanted = [str(one.get("emoji")) for one in call.items("reaction") if isinstance(one, dict)]
    if len(wanted) > 1 or not set(wanted) <= REACTIONS:
        raise bad_request("REACTION_INVALID")
    message.reactions[state.bot.id] = wanted
    return True


def answer_guest(state: TelegramState, call: Call) -> object:
    """Answer somebody in a chat that the bot is not in; once."""
    query, result = call.text("guest_query_id"), call.mapping("result")
    content = result.get("input_message_content")
    if query in state.guest_answers or not isinstance(content, dict):
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    judged = judge(str(content.get("message_text")), "", content.get("entities") or [])
    if not judged.text:
        raise bad_request("message text is empty")
    state.guest_answers[query] = judged.text
    return {"inline_message_id": f"inline-{query}"}


def begun(state: TelegramState, chat: Chat, call: Call, judged: Judged) -> Message:
    """Return a message of the bot's that is not in its chat yet."""
    message = Message(chat.next_id(), chat.id, state.bot.id, judged.text, int(time.time()), judged.entities)
    message.is_ours, message.detected, message.dropped = True, judged.detected, judged.dropped
    message.link_preview = preview_of(call)
    message.parse_mode, message.is_silent = call.text("parse_mode") or None, call.flag("disable_notification")
    message.business = call.text("business_connection_id") or None
    return message


def kept(state: TelegramState, chat: Chat, message: Message) -> object:
    """Let a message be seen in its chat, and return it as the call is answered."""
    chat.messages[message.id] = message
    message.note()
    return message_json(state, message)
