"""Everything the server knows, the bot's calls and the tests' under one lock."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import RLock

from tests.wire.injections import Injection
from tests.wire.telegram.chats import Chat, Topic, User
from tests.wire.telegram.errors import bad_request
from tests.wire.telegram.faults import Fault
from tests.wire.telegram.limits import Limits
from tests.wire.telegram.manners import Manners
from tests.wire.telegram.messages import Media, Message
from tests.wire.telegram.records import Action, Call, CallbackAnswer, Delivery, Draft
from tests.wire.telegram.updates import Updates

# Telegram itself, which forwards a channel's posts to its discussion; and who an anonymous administrator is shown as.
TELEGRAM, CHANNEL_BOT, ANONYMOUS_BOT = 777000, 136817688, 1087968824
CALLBACK_TEXT = 200


@dataclass(slots=True)
class Query:
    """A pressed button that waits for its answer."""

    id: str
    user: int
    data: str
    at_s: float = field(default_factory=time.monotonic)
    is_answered: bool = False


@dataclass(slots=True)
class Webhook:
    """Where updates are delivered to; no `url`: nowhere."""

    url: str = ""
    secret_token: str = ""
    max_connections: int = 40
    last_error_at: int | None = None
    last_error: str | None = None
    set_at_s: float | None = None


class TelegramState:
    """The bot, the people and chats around it, and everything recorded."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.manners = Manners()
        self.limits = Limits()
        self.port = 0
        self.bot = User(12345, "Answer Desk", "answer_desk_bot", is_bot=True)
        self.token = "12345:test"
        self.privacy_mode = True
        self.users: dict[int, User] = {
            self.bot.id: self.bot,
            TELEGRAM: User(TELEGRAM, "Telegram"),
            CHANNEL_BOT: User(CHANNEL_BOT, "Channel", "Channel_Bot", is_bot=True),
            ANONYMOUS_BOT: User(ANONYMOUS_BOT, "Group", "GroupAnonymousBot", is_bot=True),
        }
        self.chats: dict[int, Chat] = {}
        self.businesses: dict[str, int] = {}
        self.updates = Updates(self.manners)
        self.webhook = Webhook()
        self.commands: dict[tuple[str, str], list[object]] = {}
        self.texts_about: dict[str, str] = {}
        self.queries: dict[str, Query] = {}
        self.files: dict[str, bytes] = {}
        self.media: dict[str, Media] = {}
        self.allowed_clickables: set[str] = set()
        self.alarms: list[str] = []
        # What was answered in chats that the bot is not in, by the number of the query.
        self.guest_answers: dict[str, str] = {}
        self.calls: list[Call] = []
        self.deliveries: list[Delivery] = []
        self.callback_answers: list[CallbackAnswer] = []
        self.all_drafts: list[Draft] = []
        self.actions: list[Action] = []
        self.faults: list[Injection[Fault, int | str]] = []
        self.failures: list[Exception] = []

    @property
    def url(self) -> str:
        """The address of its root."""
        return f"http://127.0.0.1:{self.port}"

    def add_user(
        self,
        user_id: int,
        first_name: str = "Person",
        *,
        username: str | None = None,
        language: str | None = None,
        last_name: str | None = None,
        has_started: bool = True,
    ) -> User:
        """Add a person and their chat with the bot, which the bot may write to once they started it."""
        with self.lock:
            user = User(user_id, first_name, username, language, last_name=last_name)
            self.users[user_id] = user
            self.chats[user_id] = Chat(user_id, "private", is_open=has_started)
            return user

    def add_group(self, chat_id: int, members: list[int], *, title: str = "Group", is_admin: bool = False) -> Chat:
        """Add a group of the old kind."""
        return self._add(Chat(chat_id, "group", title, members=members), is_admin)

    def add_supergroup(
        self,
        chat_id: int,
        members: list[int],
        *,
        title: str = "Supergroup",
        is_forum: bool = False,
        is_admin: bool = False,
    ) -> Chat:
        """Add a supergroup, perhaps with topics."""
        return self._add(Chat(chat_id, "supergroup", title, members=members, is_forum=is_forum), is_admin)

    def add_channel(self, chat_id: int, *, title: str = "Channel", discussion: int | None = None) -> Chat:
        """Add a channel that the bot is an administrator of, perhaps with a group where its posts are discussed."""
        chat = self._add(Chat(chat_id, "channel", title, linked=discussion), is_admin=True)
        if discussion is not None:
            self.chats[discussion].linked = chat_id
        return chat

    def add_topic(self, chat_id: int, name: str, *, topic: int | None = None, opened_by: int | None = None) -> int:
        """Open a topic in a forum and return its id, the same as that of the message which says so."""
        with self.lock:
            chat = self.chats[chat_id]
            if topic is not None:
                chat.skip_to(topic)
            opener = self.bot.id if opened_by is None else opened_by
            topic_id = chat.next_id()
            chat.topics[topic_id] = Topic(topic_id, name, opener)
            service: dict[str, object] = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
            message = Message(topic_id, chat_id, opener, date=int(time.time()), topic=topic_id, thread=topic_id)
            message.service, message.is_ours = service, opener == self.bot.id
            chat.messages[topic_id] = message
            return topic_id

    def add_file(
        self, kind: str, name: str | None = None, content: bytes | None = None, mime: str | None = None
    ) -> Media:
        """Keep a file that can be downloaded."""
        with self.lock:
            file_id = f"{kind}-{secrets.token_hex(8)}"
            self.files[file_id] = content if content is not None else f"content of a {kind}".encode()
            self.media[file_id] = Media(kind, file_id, name, mime, len(self.files[file_id]))
            return self.media[file_id]

    def chat_of(self, call: Call) -> Chat:
        """Return the chat that a call is about; refuses one that is unknown."""
        if call.chat in (None, ""):
            raise bad_request("chat_id is empty")
        return self.known_chat(call.chat)

    def known_chat(self, which: object) -> Chat:
        """Return a chat by its id or @name; refuses one that is unknown."""
        if isinstance(which, int):
            found = self.chats.get(which)
        else:
            name = str(which).removeprefix("@").casefold()
            found = next((one for one in self.chats.values() if (one.username or "").casefold() == name), None)
        if found is None:
            raise bad_request("chat not found")
        return found

    def fault_for(self, call: Call) -> Fault | None:
        """Return the fault that a test ordered for a call, counting it."""
        with self.lock:
            return next((one.fault for one in self.faults if one.takes(call.method.casefold(), call.chat)), None)

    def answer_query(self, query_id: str, text: str, *, is_alert: bool) -> bool:
        """Answer a pressed button; refuses a query that is unknown, too old or answered."""
        query = self.queries.get(query_id)
        now = time.monotonic()
        if query is None or query.is_answered or now - query.at_s > self.manners.callbacks_live_s:
            raise bad_request("query is too old and response timeout expired or query ID is invalid")
        if len(text) > CALLBACK_TEXT:
            raise bad_request("MESSAGE_TOO_LONG")
        query.is_answered = True
        self.callback_answers.append(CallbackAnswer(query_id, text, is_alert, now))
        return True

    def emit(self, kind: str, body: Mapping[str, object], chat: int | None) -> int | None:
        """Queue an update for the bot and return its id."""
        return self.updates.add(kind, body, chat)

    def _add(self, chat: Chat, is_admin: bool) -> Chat:
        with self.lock:
            chat.bot = "administrator" if is_admin else "member"
            self.chats[chat.id] = chat
            return chat
