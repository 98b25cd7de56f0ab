"""Turns what Telegram sends into our own values; whatever it is, nothing is raised."""

import logging
from collections.abc import Callable, Mapping

from telegram import (
    ChatMember,
    ChatMemberRestricted,
    ChatMemberUpdated,
    Update,
)
from telegram.constants import ChatType, UpdateType

from bot.channels.telegram.translate.clicks import clicked, reacted
from bot.channels.telegram.translate.messages import (
    business_message,
    edited,
    edited_business_message,
    guest_message,
    message,
)
from bot.channels.telegram.translate.values import Here, Left, Translated
from bot.channels.translated import Ignored

log = logging.getLogger(__name__)


def translate(update: Update, here: Here) -> Translated:
    """Return what an update means to us; Ignored tells why it is nothing."""
    try:
        return _meant(update, here)
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as exc:
        # The library takes in values of any kind.
        log.warning("an update cannot be read; it is skipped", extra={"update": update.update_id}, exc_info=True)
        return Ignored(f"an update of a shape that we do not know: {type(exc).__name__}")


def _meant(update: Update, here: Here) -> Translated:
    for kind, how in _KINDS.items():
        if given := getattr(update, kind):
            return how(given, here)
    unused = next((kind for kind in UpdateType if getattr(update, kind, None)), None)
    return Ignored(f"an update that we do not use: {unused}" if unused else "an update that the library cannot read")


def _membership(given: ChatMemberUpdated, here: Here) -> Left | Ignored:
    """Return whether we may still write in a chat, or may again."""
    if given.chat.type == ChatType.CHANNEL:
        return Ignored("our membership in a channel")
    was, is_now = _is_in(given.old_chat_member), _is_in(given.new_chat_member)
    if was == is_now:
        return Ignored("our rights in a chat")
    return Left(here.place(f"{given.chat.id:d}"), is_back=is_now)


def _is_in(member: ChatMember) -> bool:
    if isinstance(member, ChatMemberRestricted):
        return bool(member.is_member)
    return member.status not in (ChatMember.LEFT, ChatMember.BANNED)


_KINDS: Mapping[UpdateType, Callable[..., Translated]] = {
    UpdateType.MESSAGE: message,
    UpdateType.EDITED_MESSAGE: edited,
    UpdateType.CALLBACK_QUERY: clicked,
    UpdateType.MESSAGE_REACTION: reacted,
    UpdateType.MY_CHAT_MEMBER: _membership,
    UpdateType.BUSINESS_MESSAGE: business_message,
    UpdateType.EDITED_BUSINESS_MESSAGE: edited_business_message,
    UpdateType.GUEST_MESSAGE: guest_message,
}
