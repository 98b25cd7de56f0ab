"""What Telegram or the way to it refuses, in our own errors: sorted by what the caller does next, never with a token.

A refusal has a number and a sentence; only the sentence tells one refusal from another, and python-telegram-bot changes
its beginning, so parts of it are looked for (core.telegram.org/bots/api#making-requests).
"""

import re
from collections.abc import Awaitable, Mapping
from datetime import timedelta
from typing import Literal, TypeVar

import httpx
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    RetryAfter,
    TelegramError,
)

from bot.channels.telegram.secrets import BOT_TOKEN, WHERE
from bot.core.errors import MaybeSent, Undeliverable
from knowledge.errors import RateLimited, SettingsProblem, TransientError

# What a refusal is about, where something else may be tried: another `form` of the words, no `topic`, no `buttons`;
# it is the `same` already; the message is `gone`, or `fixed` as it is; the `file` is too big, or not what it should be.
Refusal = Literal["form", "topic", "buttons", "same", "gone", "fixed", "file"]

_REFUSALS: Mapping[Refusal, tuple[str, ...]] = {
    "same": ("message is not modified",),
    "gone": (
        "message to edit not found",
        "message to delete not found",
        "message_id_invalid",
        "message identifier is not specified",
    ),
    "fixed": ("message can't be edited", "message can't be deleted", "no text in the message to edit"),
    "topic": ("message thread not found", "topic_closed", "topic_deleted"),
    "buttons": ("button", "keyboard", "reply markup", "reply_markup"),
    "file": (
        "file is too big",
        "invalid file_id",
        "wrong file_id",
        "wrong file identifier",
        "wrong remote file",
        "can't use file",
        "temporarily unavailable",
        "photo_invalid_dimensions",
        "image_process_failed",
        "file must be non-empty",
    ),
    "form": ("can't parse", "entit", "is too long", "message_too_long", "text must be", "text is empty"),
}
# What no other form of the words changes, and what somebody can do about it.
_REMEDIES: Mapping[str, str] = {
    "bot was blocked": "the person has blocked the bot; they have to start it again",
    "user is deactivated": "the person is gone",
    "user_is_blocked": "the person has blocked the bot; they have to start it again",
    "input_user_deactivated": "the person is gone",
    "can't initiate conversation": "the person has to start the bot first",
    "send messages to bots": "bots get no messages from bots",
    "bot was kicked": "add the bot to the chat again",
    "bot is not a member": "add the bot to the chat",
    "group chat was deactivated": "the group is gone, or has become a supergroup without us",
    "chat not found": "the chat is gone, or the bot was never in it",
    "peer_id_invalid": "the chat is gone, or the bot was never in it",
    "channel_private": "add the bot to the chat again",
    "rights to create a topic": "make the bot an administrator who may manage topics",
    "not a forum": "turn on topics in the group's settings",
    "not enough rights": "allow the bot to write there",
    "no rights to send": "allow the bot to write there",
    "need administrator rights": "make the bot an administrator there",
    "chat_write_forbidden": "allow the bot to write there",
    "chat_restricted": "allow the bot to write there",
    "chat_send_plain_forbidden": "allow the bot to write text there",
    "business": "the business account has to connect the bot again, and to let it reply",
}
_UNKNOWN_CHAT = "see whether the bot may write there"
# A request surely did not leave where there was never a connection for it.
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)
_TOKENS = re.compile(r"\d{5,20}:[A-Za-z0-9_-]{4,100}")

Result = TypeVar("Result")


class ChatMoved(TransientError):
    """A group became a supergroup: what goes there goes to `chat`."""

    def __init__(self, message: str, *, chat: str) -> None:
        super().__init__(message)
        self.chat = chat


Problem = TransientError | SettingsProblem | Undeliverable | MaybeSent


async def asked(call: Awaitable[Result], method: str) -> Result:
    """Return what Telegram answers to a call that changes nothing; the library's exceptions come as ours."""
    try:
        return await call
    except TelegramError as exc:
        raise telegram_error(exc, method) from exc


def telegram_error(exc: TelegramError, method: str = "the Bot API", *, writes: bool = False) -> Problem:
    """Return the error of ours for one of the library's; with `writes`, MaybeSent where nobody knows what was done."""
    match exc:
        case RetryAfter():
            wait_s = _seconds(exc.retry_after)
            return RateLimited(f"Telegram limits {method} for {wait_s:g} s", retry_after_s=wait_s)
        case ChatMigrated():
            chat = str(exc.new_chat_id)
            return ChatMoved(f"Telegram refuses {method}: the group is the supergroup {chat} now", chat=chat)
        case InvalidToken() | EndPointNotFound():
            # A method that the server does not know is refused like a token that it does not know.
            return SettingsProblem(f"Telegram refuses {method}: {BOT_TOKEN} is wrong or was revoked; {WHERE}")
        case Conflict():
            return TransientError(f"Telegram refuses {method}: {masked(exc.message)}; {_conflict(exc.message)}")
        case Forbidden() | BadRequest():
            return Undeliverable(f"Telegram refuses {method}: {masked(exc.message)}{_remedy(exc)}")
        case _:
            return _lost(exc, method, writes=writes)


def refusal_of(exc: BaseException | None) -> Refusal | None:
    """Return what may be tried instead, also for the error that `telegram_error` made; None where nothing helps.

    A refusal that nobody has seen before is one of the form: plain words are what Telegram most surely takes.
    """
    if exc is not None and not isinstance(exc, TelegramError):
        return refusal_of(exc.__cause__)
    if not isinstance(exc, BadRequest) or _remedy(exc):
        return None
    said = exc.message.casefold()
    found = (refusal for refusal, parts in _REFUSALS.items() if any(part in said for part in parts))
    return next(found, "form")


def masked(text: str) -> str:
    """Return a text without anything that looks like a bot's token: it stands in every address of the Bot API."""
    return _TOKENS.sub("(secret)", text)


def _seconds(wait: float | timedelta) -> float:
    return wait.total_seconds() if isinstance(wait, timedelta) else float(wait)


def _conflict(said: str) -> str:
    if "webhook" in said.casefold():
        return 'a webhook is set: choose mode = "webhook", or let the bot start once more in mode "polling"'
    return "another program gets the updates with the same token: stop it, or give it a bot of its own"


def _remedy(exc: Forbidden | BadRequest) -> str:
    said = exc.message.casefold()
    known = next((f"; {remedy}" for part, remedy in _REMEDIES.items() if part in said), "")
    return known or (f"; {_UNKNOWN_CHAT}" if isinstance(exc, Forbidden) else "")


def _lost(exc: TelegramError, method: str, *, writes: bool) -> Problem:
    """Return what a broken connection or a server in trouble means: what never left has surely not been done."""
    cause = exc.__cause__
    said = f"Telegram did not answer {method}: {type(cause or exc).__name__}"
    if writes and not isinstance(cause, _NEVER_SENT):
        return MaybeSent(said)
    return TransientError(f"{said}; see whether the Bot API can be reached")
