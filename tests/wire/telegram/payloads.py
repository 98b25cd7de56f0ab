"""Users, chats and messages as Telegram writes them."""

from collections.abc import Mapping

from tests.wire.telegram.chats import GENERAL, Chat, Topic, User
from tests.wire.telegram.messages import Entity, Media, Message
from tests.wire.telegram.records import Json
from tests.wire.telegram.state import TelegramState

PICTURE_SIDE = 320
SPOKEN_S = 3


def user_json(user: User) -> Json:
    """Return a user."""
    found: Json = {"id": user.id, "is_bot": user.is_bot, "first_name": user.first_name}
    more = {"last_name": user.last_name, "username": user.username, "language_code": user.language_code}
    return found | {name: value for name, value in more.items() if value is not None}


def chat_json(state: TelegramState, chat: Chat) -> Json:
    """Return a chat in short."""
    found: Json = {"id": chat.id, "type": chat.kind}
    if chat.kind == "private":
        user = state.users[chat.id]
        found["first_name"] = user.first_name
    else:
        found["title"] = chat.title
    username = state.users[chat.id].username if chat.kind == "private" else chat.username
    if username is not None:
        found["username"] = username
    return found | ({"is_forum": True} if chat.is_forum else {})


def message_json(state: TelegramState, message: Message, *, with_reply: bool = True) -> Json:
    """Return a message, with the one it replies to."""
    chat = state.chats[message.chat]
    found: Json = {"message_id": message.id, "date": message.date, "chat": chat_json(state, chat)}
    if message.sender:
        found["from"] = user_json(state.users[message.sender])
    if message.sender_chat is not None:
        found["sender_chat"] = chat_json(state, state.chats[message.sender_chat])
    found |= _thread(message) | _origin(state, message)
    if with_reply and (reply := _reply(state, chat, message)):
        found["reply_to_message"] = reply
    found |= _content(state, message)
    if message.edit_date is not None:
        found["edit_date"] = message.edit_date
    if message.business is not None:
        found["business_connection_id"] = message.business
    return found


def member_json(state: TelegramState, user: User, status: str) -> Json:
    """Return somebody's place in a chat."""
    found: Json = {"user": user_json(user), "status": status}
    if status == "administrator":
        rights = (
            "can_manage_chat can_delete_messages can_manage_video_chats can_restrict_members can_promote_members "
            "can_change_info can_invite_users can_post_stories can_edit_stories can_delete_stories"
        )
        found |= {"can_be_edited": False, "is_anonymous": False} | dict.fromkeys(rights.split(), True)
        found["can_manage_topics"] = True
    if status == "creator":
        found["is_anonymous"] = False
    return found | ({"until_date": 0} if status == "kicked" else {})


def _thread(message: Message) -> Json:
    if message.thread is None:
        return {}
    found: Json = {"message_thread_id": message.thread}
    is_topic = message.topic is not None and message.topic != GENERAL
    return found | ({"is_topic_message": True} if is_topic else {})


def _origin(state: TelegramState, message: Message) -> Json:
    """Return where a post comes from that Telegram forwarded to a channel's discussion."""
    if message.forwarded_from is None:
        return {}
    channel, post = message.forwarded_from
    chat = chat_json(state, state.chats[channel])
    origin = {"type": "channel", "chat": chat, "message_id": post, "date": message.date}
    return {"is_automatic_forward": True, "forward_origin": origin}


def _reply(state: TelegramState, chat: Chat, message: Message) -> Json | None:
    """Return what a message replies to; in a topic, without another, that is the message which opened the topic."""
    replied = message.reply_to
    if replied is None and message.topic in chat.topics and message.id != message.topic:
        replied = message.topic
    target = chat.message(replied) if replied is not None else None
    return message_json(state, target, with_reply=False) if target else None


def _content(state: TelegramState, message: Message) -> Json:
    if message.service:
        return dict(message.service)
    found: Json = {}
    entities = [_whole(state, entity) for entity in message.all_entities]
    if message.media is None:
        found["text"] = message.text
    else:
        found |= _media(message.media)
        found |= {"caption": message.text} if message.text else {}
    if entities:
        found["entities" if message.media is None else "caption_entities"] = entities
    if message.media_group is not None:
        found["media_group_id"] = message.media_group
    if message.link_preview:
        found["link_preview_options"] = dict(message.link_preview)
    if message.keyboard:
        found["reply_markup"] = {"inline_keyboard": message.keyboard}
    return found


def _whole(state: TelegramState, entity: Entity) -> Entity:
    """Return an entity with all of the person that it names."""
    user = entity.get("user")
    if not isinstance(user, Mapping):
        return entity
    known = state.users.get(int(str(user["id"])))
    return {**entity, "user": user_json(known)} if known else entity


def _media(media: Media) -> Json:
    file: Json = {"file_id": media.file_id, "file_unique_id": media.file_id[-8:], "file_size": media.size}
    sized: Json = {"width": PICTURE_SIDE, "height": PICTURE_SIDE}
    if media.kind == "photo":
        return {"photo": [file | sized]}
    more: dict[str, Json] = {
        "voice": {"duration": SPOKEN_S, "mime_type": "audio/ogg"},
        "audio": {"duration": SPOKEN_S, "mime_type": "audio/mpeg"},
        "video": {"duration": SPOKEN_S, **sized},
        "video_note": {"duration": SPOKEN_S, "length": PICTURE_SIDE},
        "animation": {"duration": SPOKEN_S, **sized},
        "document": {"file_name": media.name or "document.pdf", "mime_type": media.mime_type or "application/pdf"},
        "sticker": {"type": "regular", "is_animated": False, "is_video": False, "emoji": "👍", **sized},
    }
    found: Json = {media.kind: file | more[media.kind]}
    # A GIF is also sent as the document that it is.
    return found | ({"document": file} if media.kind == "animation" else {})


def topic_json(topic: Topic) -> Json:
    """Return a topic."""
    return {"message_thread_id": topic.id, "name": topic.name, "icon_color": 7322096}
