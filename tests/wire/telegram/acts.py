"""What people say and do in the chats, each with the update that Telegram sends of it."""

import secrets
import time
from collections.abc import Mapping, Sequence

from tests.wire.telegram.chats import Chat, Membership, User
from tests.wire.telegram.entities import find
from tests.wire.telegram.messages import Entity, Media, Message
from tests.wire.telegram.payloads import chat_json, member_json, message_json, user_json
from tests.wire.telegram.privacy import may_see
from tests.wire.telegram.records import Json
from tests.wire.telegram.state import ANONYMOUS_BOT, CHANNEL_BOT, TELEGRAM, Query, TelegramState
from tests.wire.telegram.threads import placed
from tests.wire.telegram.updates import chat_in

SUPERGROUP_PREFIX = -1_000_000_000_000


class Acts(TelegramState):
    """The people around the bot, moved by a test."""

    def says(
        self,
        user: int,
        chat: int,
        text: str = "",
        *,
        topic: int | None = None,
        reply_to: int | None = None,
        entities: Sequence[Entity] = (),
        media: str | Media | None = None,
        media_group: str | None = None,
        date: int | None = None,
        as_channel: int | None = None,
        business: str | None = None,
    ) -> int:
        """Let somebody write, and return the message's id.

        Links, mentions and commands are found as Telegram finds them; `entities` come on top. `media` is a kind
        ("photo", "voice", "document", "sticker", ...) or a file of `add_file`; the text is its caption. `as_channel`:
        in the name of a channel, or of the group itself. `business`: to the person that this connection belongs to.
        """
        with self.lock:
            place = self.chats[chat]
            if business is None and place.kind == "private":
                place.is_open = True
            replied = place.messages.get(reply_to) if reply_to is not None else None
            message = Message(place.next_id(), chat, user, text, _now() if date is None else date, [*entities])
            message.detected = find(text)
            message.topic, message.thread = placed(place, topic, replied)
            message.reply_to, message.media_group, message.business = reply_to, media_group, business
            message.media = self.add_file(media) if isinstance(media, str) else media
            if as_channel is not None:
                message.sender = ANONYMOUS_BOT if as_channel == chat else CHANNEL_BOT
                message.sender_chat = as_channel
            self._keep(place, message)
            return message.id

    def sends_file(
        self,
        user: int,
        chat: int,
        file: Media,
        *,
        topic: int | None = None,
        reply_to: int | None = None,
    ) -> int:
        """Let somebody send a file of `add_file` without words, and return the message's id."""
        return self.says(user, chat, media=file, topic=topic, reply_to=reply_to)

    def says_album(self, user: int, chat: int, caption: str, count: int = 3, kind: str = "photo") -> list[int]:
        """Let somebody send several pictures at once: so many messages, the caption on the first."""
        group = secrets.token_hex(8)
        texts = [caption, *[""] * (count - 1)]
        return [self.says(user, chat, text, media=kind, media_group=group) for text in texts]

    def posts(self, channel: int, text: str) -> tuple[int, int | None]:
        """Let a channel post; return the post's id, and that of the copy in its discussion."""
        with self.lock:
            place = self.chats[channel]
            post = Message(place.next_id(), channel, 0, text, _now(), detected=find(text), sender_chat=channel)
            self._keep(place, post)
            if place.linked is None:
                return post.id, None
            group = self.chats[place.linked]
            copy = Message(group.next_id(), group.id, TELEGRAM, text, _now(), detected=find(text), sender_chat=channel)
            copy.forwarded_from = (channel, post.id)
            self._keep(group, copy)
            return post.id, copy.id

    def edits(self, user: int, chat: int, message_id: int, text: str) -> None:
        """Let the author write something else."""
        with self.lock:
            message = self.chats[chat].messages[message_id]
            assert user == message.sender or message.sender_chat is not None, "only the author edits a message"
            message.text, message.entities, message.detected = text, [], find(text)
            message.edit_date = _now()
            message.note()
            self._tell(self.chats[chat], message, is_edit=True)

    def deletes(self, chat: int, message_id: int) -> None:
        """Let a message be deleted; Telegram tells no bot of it."""
        with self.lock:
            message = self.chats[chat].messages[message_id]
            message.is_deleted = True
            message.note()

    def presses(self, user: int, chat: int, message_id: int, data: str) -> str:
        """Let somebody press the button with this data or this text, and return the query's id."""
        with self.lock:
            message = self.chats[chat].messages[message_id]
            chosen = next((one for one in message.buttons if data in (one.get("callback_data"), one.get("text"))), None)
            assert chosen is not None, f"no button {data!r} below {message.text[:80]!r}: {message.buttons}"
            query = Query(str(secrets.randbelow(2**62)), user, str(chosen["callback_data"]))
            return self._press(query, chat, message_json(self, message))

    def presses_newest(self, user: int, chat: int, label: str) -> str:
        """Let somebody press the button with this data or text in the newest message of ours that has it."""
        with self.lock:
            shown = [one for one in self.chats[chat].messages.values() if one.is_ours and not one.is_deleted]
            found = [one.id for one in shown for button in one.buttons if label in button.values()]
            assert found, f"no button {label!r} in {chat}: {[one.buttons for one in shown if one.buttons]}"
            return self.presses(user, chat, found[-1], label)

    def presses_raw(self, user: int, chat: int, message_id: int, data: str) -> str:
        """Let a client send any data for a button, also one that is gone or never was; return the query's id."""
        with self.lock:
            message = self.chats[chat].messages.get(message_id)
            gone: Json = {"message_id": message_id, "chat": chat_json(self, self.chats[chat]), "date": 0}
            shown = message_json(self, message) if message and not message.is_deleted else gone
            return self._press(Query(str(secrets.randbelow(2**62)), user, data), chat, shown)

    def reacts(self, user: int, chat: int, message_id: int, emoji: str | None) -> None:
        """Let somebody react, or take the reaction back; a bot learns of it in groups that it administers."""
        with self.lock:
            place = self.chats[chat]
            message = place.messages[message_id]
            old = message.reactions.get(user, [])
            message.reactions[user] = [emoji] if emoji else []
            body: Json = {"chat": chat_json(self, place), "message_id": message_id, "date": _now()}
            body |= {"user": user_json(self.users[user]), "old_reaction": _reactions(old)}
            body["new_reaction"] = _reactions(message.reactions[user])
            if place.kind == "private" or place.bot == "administrator":
                self.emit("message_reaction", body, chat)

    def blocks(self, user: int) -> None:
        """Let somebody block the bot."""
        self._changes_membership(user, user, "kicked")

    def unblocks(self, user: int) -> None:
        """Let somebody let the bot write again."""
        self._changes_membership(user, user, "member")

    def kicks(self, chat: int, by: int | None = None) -> None:
        """Let somebody remove the bot from a chat."""
        self._changes_membership(chat, by, "kicked")

    def adds_bot(self, chat: int, by: int | None = None, *, as_admin: bool = False) -> None:
        """Let somebody add the bot to a chat, which the chat tells too, or make it an administrator."""
        with self.lock:
            was_outside = not self.chats[chat].has_bot
            self._changes_membership(chat, by, "administrator" if as_admin else "member")
            if was_outside and self.chats[chat].is_group:
                author = by if by is not None else self.chats[chat].members[0]
                self.serves(chat, {"new_chat_members": [user_json(self.bot)]}, by=author)

    def migrates(self, group: int) -> int:
        """Let a group become a supergroup, and return the new id; both sides say so."""
        with self.lock:
            old = self.chats[group]
            new = Chat(SUPERGROUP_PREFIX + group, "supergroup", old.title, members=[*old.members], bot=old.bot)
            self.chats[new.id] = new
            author = old.members[0]
            self.serves(old.id, {"migrate_to_chat_id": new.id}, by=author)
            self.serves(new.id, {"migrate_from_chat_id": old.id}, by=author)
            old.migrated_to = new.id
            return new.id

    def serves(self, chat: int, service: Mapping[str, object], *, by: int, topic: int | None = None) -> int:
        """Let a service message appear, such as {"pinned_message": ...}, and return its id."""
        with self.lock:
            place = self.chats[chat]
            message = Message(place.next_id(), chat, by, date=_now(), service=dict(service))
            message.topic, message.thread = placed(place, topic, None)
            self._keep(place, message)
            return message.id

    def connects_business(self, user: int, *, is_enabled: bool = True) -> str:
        """Let somebody connect the bot to their own chats, and return the connection's id."""
        with self.lock:
            connection = f"business-{secrets.token_hex(4)}"
            self.businesses[connection] = user
            body: Json = {"id": connection, "user": user_json(self.users[user]), "user_chat_id": user}
            self.emit("business_connection", {**body, "date": _now(), "is_enabled": is_enabled}, user)
            return connection

    def sends_update(self, update: Mapping[str, object]) -> int:
        """Queue an update as it stands, such as a recorded one, but under the next id; return the id."""
        with self.lock:
            return self.updates.put(update, chat_in(update))

    def redelivers(self, update_id: int) -> None:
        """Queue an update again, under its own id, that the bot has already confirmed."""
        with self.lock:
            self.updates.repeat(update_id, chat_in(self.updates.issued[update_id]))

    def _keep(self, place: Chat, message: Message) -> None:
        place.messages[message.id] = message
        message.note()
        self._tell(place, message)

    def _tell(self, place: Chat, message: Message, *, is_edit: bool = False) -> None:
        if not may_see(self, place, message):
            return
        kind = "channel_post" if place.kind == "channel" else "message"
        kind = f"edited_{kind}" if is_edit else kind
        if message.business is not None:
            kind = "edited_business_message" if is_edit else "business_message"
        self.emit(kind, message_json(self, message), place.id)

    def _press(self, query: Query, chat: int, shown: Json) -> str:
        self.queries[query.id] = query
        body: Json = {"id": query.id, "from": user_json(self.users[query.user]), "data": query.data, "message": shown}
        self.emit("callback_query", {**body, "chat_instance": str(abs(chat))}, chat)
        return query.id

    def _changes_membership(self, chat: int, by: int | None, status: Membership) -> None:
        with self.lock:
            place = self.chats[chat]
            author = by if by is not None else (place.members or [chat])[0]
            body: Json = {"chat": chat_json(self, place), "from": user_json(self._person(author)), "date": _now()}
            body["old_chat_member"] = member_json(self, self.bot, place.bot)
            body["new_chat_member"] = member_json(self, self.bot, status)
            place.bot = status
            self.emit("my_chat_member", body, chat)

    def _person(self, user: int) -> User:
        return self.users.get(user) or self.users[TELEGRAM]


def _now() -> int:
    return int(time.time())


def _reactions(emoji: Sequence[str]) -> list[Json]:
    return [{"type": "emoji", "emoji": one} for one in emoji]
