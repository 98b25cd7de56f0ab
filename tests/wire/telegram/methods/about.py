"""The bot itself, its menus, its webhook, files, and the chats it is in."""

import json
import re
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

from tests.wire.telegram.entities import length
from tests.wire.telegram.errors import bad_request, flood
from tests.wire.telegram.methods.access import reachable
from tests.wire.telegram.payloads import chat_json, member_json, topic_json, user_json
from tests.wire.telegram.records import Call, Json
from tests.wire.telegram.state import TelegramState, Webhook

MOST_COMMANDS = 100
LARGEST_FILE_BYTES = 20 * 1024 * 1024
LONGEST_TOPIC_NAME = 128
WEBHOOK_PORTS = (443, 80, 88, 8443)
SETTING_AGAIN_AFTER_S = 1.0
_COMMAND = re.compile(r"/?[a-z0-9_]{1,32}")
_SECRET = re.compile(r"[A-Za-z0-9_-]{0,256}")


def get_me(state: TelegramState, call: Call) -> object:
    """Tell who the bot is, and whether it reads all of a group."""
    return user_json(state.bot) | {
        "can_join_groups": True,
        "can_read_all_group_messages": not state.privacy_mode,
        "supports_inline_queries": False,
        "can_connect_to_business": True,
        "has_main_web_app": False,
        "has_topics_enabled": False,
    }


def set_commands(state: TelegramState, call: Call) -> object:
    """Keep a menu for a scope and a language."""
    commands = call.items("commands")
    if len(commands) > MOST_COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        if not isinstance(command, Mapping) or not _COMMAND.fullmatch(str(command.get("command"))):
            raise bad_request("BOT_COMMAND_INVALID")
        if not 1 <= len(str(command.get("description") or "")) <= 256:
            raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    state.commands[_menu(call)] = commands
    return True


def get_commands(state: TelegramState, call: Call) -> object:
    """Return the menu of a scope and a language."""
    return state.commands.get(_menu(call), [])


def delete_commands(state: TelegramState, call: Call) -> object:
    """Forget the menu of a scope and a language."""
    state.commands.pop(_menu(call), None)
    return True


def set_text(state: TelegramState, call: Call) -> object:
    """Keep a text about the bot: its name or a description, by language."""
    name = call.method.removeprefix("set")
    value = call.text("name") or call.text("description") or call.text("short_description")
    state.texts_about[f"{name} {call.text('language_code')}".strip()] = value
    return True


def set_webhook(state: TelegramState, call: Call) -> object:
    """Deliver to an address from now on; to none where it is empty."""
    url = call.text("url")
    if not url:
        return delete_webhook(state, call)
    _check_address(state, url)
    if not _SECRET.fullmatch(call.text("secret_token")):
        raise bad_request("secret token contains unallowed characters")
    now = time.monotonic()
    if state.webhook.set_at_s is not None and now - state.webhook.set_at_s < SETTING_AGAIN_AFTER_S:
        raise flood(1)
    connections = min(max(call.number("max_connections", 40), 1), 100)
    state.webhook = Webhook(url, call.text("secret_token"), connections, set_at_s=now)
    state.updates.allow(call.args.get("allowed_updates"))
    return _changed(state, call)


def delete_webhook(state: TelegramState, call: Call) -> object:
    """Deliver to no address any more."""
    state.webhook = Webhook(set_at_s=state.webhook.set_at_s)
    return _changed(state, call)


def get_webhook(state: TelegramState, call: Call) -> object:
    """Tell where updates go, how many wait, and what failed last."""
    webhook = state.webhook
    found: Json = {"url": webhook.url, "has_custom_certificate": False}
    found["pending_update_count"] = len(state.updates.waiting)
    if webhook.url:
        found |= {"max_connections": webhook.max_connections, "ip_address": "127.0.0.1"}
    if webhook.last_error is not None:
        found |= {"last_error_date": webhook.last_error_at, "last_error_message": webhook.last_error}
    return found | ({"allowed_updates": [*state.updates.allowed]} if state.updates.allowed else {})


def get_file(state: TelegramState, call: Call) -> object:
    """Tell where a file can be downloaded; not one of more than 20 MB."""
    file_id = call.text("file_id")
    if file_id not in state.files:
        raise bad_request("invalid file_id")
    size = len(state.files[file_id])
    if size > LARGEST_FILE_BYTES:
        raise bad_request("file is too big")
    found: Json = {"file_id": file_id, "file_unique_id": file_id[-8:], "file_size": size}
    return found | {"file_path": f"files/{file_id}"}


def get_chat(state: TelegramState, call: Call) -> object:
    """Tell all about a chat."""
    chat = state.chat_of(call)
    gifts = "unlimited_gifts limited_gifts unique_gifts premium_subscription gifts_from_channels"
    found = chat_json(state, chat) | {"accent_color_id": 0, "max_reaction_count": 11}
    found["accepted_gift_types"] = dict.fromkeys(gifts.split(), False)
    return found | ({"linked_chat_id": chat.linked} if chat.linked is not None else {})


def get_member(state: TelegramState, call: Call) -> object:
    """Tell what somebody is in a chat."""
    chat, user_id = reachable(state.chat_of(call)), call.number("user_id")
    if user_id == state.bot.id:
        return member_json(state, state.bot, chat.bot)
    if user_id not in state.users:
        raise bad_request("PARTICIPANT_ID_INVALID")
    is_inside = user_id in chat.members or user_id == chat.id
    return member_json(state, state.users[user_id], "member" if is_inside else "left")


def get_admins(state: TelegramState, call: Call) -> object:
    """Tell who administers a chat: its first member owns it."""
    chat = reachable(state.chat_of(call))
    if chat.kind == "private":
        raise bad_request("there are no administrators in the private chat")
    owners = [member_json(state, state.users[user], "creator") for user in chat.members[:1]]
    return [*owners, member_json(state, state.bot, chat.bot)] if chat.bot == "administrator" else owners


def get_member_count(state: TelegramState, call: Call) -> object:
    """Tell how many are in a chat."""
    chat = reachable(state.chat_of(call))
    return 2 if chat.kind == "private" else len(chat.members) + 1


def leave(state: TelegramState, call: Call) -> object:
    """Leave a chat."""
    chat = reachable(state.chat_of(call))
    if chat.kind == "private":
        raise bad_request("chat member status can't be changed in private chats")
    chat.bot = "left"
    return True


def create_topic(state: TelegramState, call: Call) -> object:
    """Open a topic in a forum that the bot administers."""
    chat = reachable(state.chat_of(call))
    if not chat.is_forum:
        raise bad_request("the chat is not a forum")
    if chat.bot != "administrator":
        raise bad_request("not enough rights to create a topic")
    if not 1 <= length(call.text("name")) <= LONGEST_TOPIC_NAME:
        raise bad_request("TOPIC_TITLE_INVALID")
    topic = state.add_topic(chat.id, call.text("name"))
    chat.messages[topic].note()
    return topic_json(chat.topics[topic])


def close_topic(state: TelegramState, call: Call) -> object:
    """Close a topic, or open it again."""
    chat = reachable(state.chat_of(call))
    topic = chat.topics.get(call.number("message_thread_id"))
    if topic is None:
        raise bad_request("message thread not found")
    topic.is_closed = call.method == "closeForumTopic"
    return True


def _menu(call: Call) -> tuple[str, str]:
    scope = call.mapping("scope") or {"type": "default"}
    return json.dumps(scope, sort_keys=True), call.text("language_code")


def _check_address(state: TelegramState, url: str) -> None:
    if not state.manners.webhook_needs_https:
        return
    address = urlsplit(url)
    if address.scheme != "https":
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    if address.port not in (None, *WEBHOOK_PORTS):
        raise bad_request("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")


def _changed(state: TelegramState, call: Call) -> object:
    if call.flag("drop_pending_updates"):
        state.updates.confirm([one.update_id for one in state.updates.waiting])
    for tell in state.updates.on_new:
        tell()
    return True
