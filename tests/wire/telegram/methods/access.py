"""What stands before every message: whether the bot may write there, where, in reply to what, and which text."""

from collections.abc import Mapping

from tests.wire.telegram.alarms import alarms_of
from tests.wire.telegram.chats import GENERAL, Chat
from tests.wire.telegram.entities import Judged, judge
from tests.wire.telegram.errors import bad_request, flood, refused
from tests.wire.telegram.messages import Message
from tests.wire.telegram.records import Call
from tests.wire.telegram.state import TelegramState


def writable(state: TelegramState, call: Call) -> Chat:
    """Return the chat that a call writes to; refuses where the bot may not."""
    chat = state.chat_of(call)
    if call.text("business_connection_id"):
        if call.text("business_connection_id") not in state.businesses:
            raise bad_request("business connection not found")
        return chat
    return reachable(chat)


def reachable(chat: Chat) -> Chat:
    """Return a chat that the bot is in; refuses another."""
    if chat.migrated_to is not None:
        raise bad_request("group chat was upgraded to a supergroup chat", migrate_to_chat_id=chat.migrated_to)
    if chat.kind == "private":
        if chat.bot == "kicked":
            raise refused(403, "bot was blocked by the user")
        if not chat.is_open:
            raise refused(403, "bot can't initiate conversation with a user")
    elif chat.bot == "kicked":
        raise refused(403, f"bot was kicked from the {chat.kind} chat")
    elif not chat.has_bot:
        raise refused(403, f"bot is not a member of the {chat.kind} chat")
    return chat


def topic_of(chat: Chat, call: Call, *, general_is_topic: bool = False) -> int | None:
    """Return the topic that a call names; refuses one that is not there, and General where it may not be named."""
    topic = call.number("message_thread_id")
    if not topic:
        return None
    if topic == GENERAL and chat.is_forum and general_is_topic:
        return GENERAL
    if topic not in chat.topics:
        raise bad_request("message thread not found")
    if chat.topics[topic].is_closed and chat.bot != "administrator":
        raise bad_request("TOPIC_CLOSED")
    return topic


def replied_by(state: TelegramState, chat: Chat, call: Call) -> Message | None:
    """Return the message that a call replies to; refuses one that is gone, unless the call says it may be."""
    parameters = call.mapping("reply_parameters")
    message_id = int(str(parameters.get("message_id") or call.number("reply_to_message_id")))
    may_be_gone = str(parameters.get("allow_sending_without_reply") or call.text("allow_sending_without_reply"))
    if not message_id:
        return None
    elsewhere = parameters.get("chat_id")
    place = chat if elsewhere in (None, chat.id) else state.known_chat(elsewhere)
    found = place.message(message_id)
    if found is None and may_be_gone.casefold() not in ("true", "1"):
        raise bad_request("message to be replied not found")
    quote = parameters.get("quote")
    if found is not None and quote and str(quote) not in found.text:
        raise bad_request("QUOTE_TEXT_INVALID")
    return found


def judged_text(state: TelegramState, call: Call) -> Judged:
    """Return what people will see of a call's text, and note what is alarming in it; refuses what Telegram refuses."""
    judged = judge(call.text("text"), call.text("parse_mode"), call.items("entities"))
    is_draft = call.method == "sendMessageDraft"
    if not judged.text and not is_draft:
        raise bad_request("text must be non-empty")
    preview = {"is_disabled": True} if is_draft else preview_of(call)
    state.alarms.extend(f"{call.method}: {one}" for one in alarms_of(judged, preview, state.allowed_clickables))
    return judged


def preview_of(call: Call) -> Mapping[str, object]:
    """Return how links are shown."""
    if call.flag("disable_web_page_preview"):
        return {"is_disabled": True}
    return call.mapping("link_preview_options")


def not_flooded(state: TelegramState, chat: Chat, call: Call) -> None:
    """Refuse a message that comes too soon; called last, what is refused for another reason does not count."""
    seconds = state.limits.wait_s(call.method, chat.id, is_group=chat.is_group)
    if seconds is not None:
        raise flood(seconds)
