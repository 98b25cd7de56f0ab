"""The wire of one message: sent, edited, deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from telegram import (
    ForceReply,
    InlineKeyboardMarkup,
    InlineQueryResultArticle,
    InputTextMessageContent,
    LinkPreviewOptions,
    MessageEntity,
    ReplyParameters,
)

from bot.channels.telegram.errors import refusal_of
from bot.channels.telegram.render.text import Styled
from bot.channels.telegram.send.calls import Calls
from bot.channels.utf16 import length
from bot.core.errors import MaybeSent, Undeliverable
from bot.core.incoming import Place
from knowledge.errors import TransientError

# What stands where a message was that can no longer be deleted.
NOTHING_LEFT = "…"
# core.telegram.org/bots/api#inlinequeryresultarticle; the title is seen by nobody.
MAX_RESULT_ID, MAX_TITLE = 64, 64
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Words:
    """What a message shows, as the Bot API takes it: its text, what is special about parts of it, its buttons."""

    text: str
    entities: Sequence[Json] = ()
    buttons: Json | None = None

    @classmethod
    def of(cls, text: Styled) -> "Words":
        """Return a text as it was rendered."""
        return cls(text.text, tuple(entity.as_json() for entity in text.entities))

    def below(self, line: str) -> "Words":
        """Return the same below a line."""
        above = f"{line}\n\n"
        shift = length(above)
        moved = tuple({**entity, "offset": entity["offset"] + shift} for entity in self.entities)
        return Words(above + self.text, moved, self.buttons)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a message goes: a chat, a topic in it, the message that it replies to; by which business account."""

    place: Place
    topic: int | None = None
    reply_to: int | None = None
    business: str | None = None


class MessageCalls:
    """The calls for messages."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def send(self, address: Address, words: Words) -> str:
        """Send a message and return its name; one whose question is gone is sent all the same."""
        reply = ReplyParameters(address.reply_to, allow_sending_without_reply=True) if address.reply_to else None
        message = await self._calls.write(
            "sendMessage",
            address.place,
            lambda bot: bot.send_message(
                address.place.channel,
                words.text,
                entities=_entities(words),
                reply_markup=_prompt(words) or keyboard_of(words),
                message_thread_id=address.topic,
                reply_parameters=reply,
                link_preview_options=_NO_PREVIEW,
                business_connection_id=address.business,
            ),
        )
        return str(message.message_id)

    async def draft(self, address: Address, number: int, words: Words) -> None:
        """Show a draft in a private chat, in place of an earlier one of this number."""
        await self._calls.write(
            "sendMessageDraft",
            address.place,
            lambda bot: bot.send_message_draft(
                int(address.place.channel),
                number,
                words.text,
                message_thread_id=address.topic,
                entities=_entities(words),
            ),
        )

    async def answer_guest(self, place: Place, query: str, words: Words) -> str:
        """Answer, once, who named the bot in a chat that it is not in; nothing can be pressed there."""
        content = InputTextMessageContent(words.text, entities=_entities(words), link_preview_options=_NO_PREVIEW)
        result = InlineQueryResultArticle(query[:MAX_RESULT_ID], words.text[:MAX_TITLE], content)
        sent = await self._calls.write("answerGuestQuery", place, lambda bot: bot.answer_guest_query(query, result))
        return str(sent.inline_message_id)

    async def open_topic(self, place: Place, name: str) -> str:
        """Open a topic and return its name, as messages are sent to it."""
        topic = await self._calls.write(
            "createForumTopic", place, lambda bot: bot.create_forum_topic(place.channel, name)
        )
        return str(topic.message_thread_id)

    async def edit(self, address: Address, message: int, words: Words) -> None:
        """Let a message show this and nothing else; once more changes nothing."""
        try:
            await self._calls.write(
                "editMessageText",
                address.place,
                lambda bot: bot.edit_message_text(
                    words.text,
                    address.place.channel,
                    message,
                    entities=_entities(words),
                    reply_markup=keyboard_of(words),
                    link_preview_options=_NO_PREVIEW,
                    business_connection_id=address.business,
                ),
            )
        except Undeliverable as exc:
            if refusal_of(exc) != "same":
                raise

    async def remove(self, place: Place, message: int) -> None:
        """Delete a message; of one that is too old for that nothing but a sign is left."""
        try:
            await self._delete(place, message)
        except Undeliverable as exc:
            if refusal_of(exc) == "gone":
                return
            if refusal_of(exc) != "fixed":
                raise
            await self.edit(Address(place), message, Words(NOTHING_LEFT))

    async def _delete(self, place: Place, message: int) -> None:
        try:
            await self._calls.touch("deleteMessage", place, lambda bot: bot.delete_message(place.channel, message))
        except MaybeSent as exc:
            raise TransientError(str(exc)) from exc


def _entities(words: Words) -> Sequence[MessageEntity] | None:
    return MessageEntity.de_list([dict(entity) for entity in words.entities], None) or None


def keyboard_of(words: Words) -> InlineKeyboardMarkup | None:
    """Return the buttons below a message as the library takes them."""
    is_keyboard = words.buttons is not None and "inline_keyboard" in words.buttons
    return InlineKeyboardMarkup.de_json(dict(words.buttons or {}), None) if is_keyboard else None


def _prompt(words: Words) -> ForceReply | None:
    """Return what opens a reply to the message, for those whom it names or replies to."""
    return ForceReply(selective=True) if words.buttons and "force_reply" in words.buttons else None
