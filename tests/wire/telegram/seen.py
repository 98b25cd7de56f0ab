"""What people see in the chats now, and saw before."""

import time
from collections.abc import Mapping

from tests.wire.telegram.messages import Message
from tests.wire.telegram.records import Call, CallbackAnswer, Delivery, Draft, Poll
from tests.wire.telegram.state import TelegramState
from tests.wire.telegram.updates import chat_in

# A chat action is shown for so long, or until a message comes.
ACTION_S = 5.0
# So is a draft.
DRAFT_S = 30.0


class Seen(TelegramState):
    """Looks at the chats as their people do."""

    def messages(self, chat: int, *, topic: int | None = None, with_deleted: bool = False) -> list[Message]:
        """Return the messages of a chat or of one of its topics, oldest first, each as it is now."""
        with self.lock:
            found = self.chats[chat].messages.values()
            return [
                one.copied()
                for one in found
                if (topic is None or one.topic == topic) and (with_deleted or not one.is_deleted)
            ]

    def message(self, chat: int, message_id: int) -> Message:
        """Return a message as it is now, deleted or not."""
        with self.lock:
            return self.chats[chat].messages[message_id].copied()

    def answers(
        self, chat: int, *, reply_to: int | None = None, topic: int | None = None, with_deleted: bool = False
    ) -> list[Message]:
        """Return what the bot wrote, perhaps only what replies to one message."""
        found = [one for one in self.messages(chat, topic=topic, with_deleted=with_deleted) if one.is_ours]
        found = [one for one in found if not one.service]
        return [one for one in found if reply_to is None or one.reply_to == reply_to]

    def all_answers(self) -> list[Message]:
        """Return what the bot wrote in all chats."""
        return [one for chat in self.chat_ids() for one in self.answers(chat)]

    def topics(self, chat: int) -> dict[int, str]:
        """Return the names of a forum's topics by their ids, oldest first."""
        with self.lock:
            return {topic.id: topic.name for topic in self.chats[chat].topics.values()}

    def files_sent(self, chat: int, *, topic: int | None = None) -> list[tuple[str | None, bytes]]:
        """Return the names and contents of the files that the bot sent, oldest first."""
        media = [one.media for one in self.answers(chat, topic=topic) if one.media]
        with self.lock:
            return [(one.name, self.files[one.file_id]) for one in media]

    def prompts(self, chat: int, user: int) -> list[Message]:
        """Return the messages that opened a reply for somebody, oldest first."""
        return [one for one in self.answers(chat) if user in one.prompted]

    def told(self, query_id: str) -> CallbackAnswer | None:
        """Return what who pressed a button was told; None before that."""
        return next((one for one in list(self.callback_answers) if one.query_id == query_id), None)

    def drafts(self, chat: int, *, draft_id: int | None = None) -> list[Draft]:
        """Return all that drafts showed in a chat, oldest first."""
        with self.lock:
            return [one for one in self.all_drafts if one.chat == chat and draft_id in (None, one.draft_id)]

    def standing_draft(self, chat: int) -> Draft | None:
        """Return the draft that is shown now: a message ends it, and so does time."""
        drafts = self.drafts(chat)
        if not drafts or time.monotonic() - drafts[-1].at_s > DRAFT_S:
            return None
        return None if any(at_s > drafts[-1].at_s for at_s in self._written(chat)) else drafts[-1]

    def typing(self, chat: int, *, topic: int | None = None) -> list[tuple[float, float]]:
        """Return when the bot was seen typing, as intervals of the steady clock; the last may still be open."""
        with self.lock:
            actions = [one for one in self.actions if one.chat == chat and one.action == "typing"]
        written, found = self._written(chat, topic), list[tuple[float, float]]()
        for action in actions:
            if topic is not None and action.topic != topic:
                continue
            end_s = min([at_s for at_s in written if at_s > action.at_s] + [action.at_s + ACTION_S])
            if found and action.at_s <= found[-1][1]:
                found[-1] = (found[-1][0], max(end_s, found[-1][1]))
            else:
                found.append((action.at_s, end_s))
        return found

    def is_typing(self, chat: int, *, topic: int | None = None) -> bool:
        """Tell whether the bot is seen typing now."""
        shown = self.typing(chat, topic=topic)
        return bool(shown) and shown[-1][1] > time.monotonic()

    def chat_ids(self) -> list[int]:
        """Return the ids of all chats."""
        with self.lock:
            return [*self.chats]

    def open_queries(self) -> list[str]:
        """Return the ids of pressed buttons that nobody answered."""
        with self.lock:
            return [query.id for query in self.queries.values() if not query.is_answered]

    def calls_of(self, method: str) -> list[Call]:
        """Return the calls of a method, oldest first."""
        return [call for call in list(self.calls) if call.method.casefold() == method.casefold()]

    def deliveries_of_chat(self, chat: int) -> list[Delivery]:
        """Return the deliveries to the webhook of one chat's updates, oldest first."""
        ids = {update_id for update_id, update in self.updates.issued.items() if chat_in(update) == chat}
        return [one for one in list(self.deliveries) if one.update["update_id"] in ids]

    @property
    def offsets(self) -> list[int]:
        """The offsets of all getUpdates, oldest first, without repeats in a row."""
        found = [poll.offset for poll in self.polls]
        return [offset for number, offset in enumerate(found) if number == 0 or offset != found[number - 1]]

    @property
    def polls(self) -> list[Poll]:
        """All getUpdates, oldest first."""
        return list(self.updates.polls)

    @property
    def pending_update_ids(self) -> list[int]:
        """The updates that the bot has not confirmed."""
        with self.lock:
            return [one.update_id for one in self.updates.waiting]

    def update_of(self, chat: int, message_id: int) -> int | None:
        """Return the id of the update that brought a message, None where the bot never got one."""
        with self.lock:
            issued = self.updates.issued.items()
            return next((one for one, update in issued if _place_of(update) == (chat, message_id)), None)

    def _written(self, chat: int, topic: int | None = None) -> list[float]:
        """Return when the bot's messages came."""
        with self.lock:
            ours = [one for one in self.chats[chat].messages.values() if one.is_ours and one.moments]
            return [one.moments[0].at_s for one in ours if topic is None or one.topic == topic]


def _place_of(update: Mapping[str, object]) -> tuple[object, object] | None:
    """Return the chat and the id of the new message in an update."""
    for kind in ("message", "channel_post", "business_message"):
        body = update.get(kind)
        if isinstance(body, dict):
            return body["chat"]["id"], body["message_id"]
    return None
