"""Commands: questions, and what people want of the bot itself."""

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from bot.channels.telegram.translate.text import Command, is_our_name
from bot.channels.telegram.translate.values import Here
from bot.channels.translated import Ignored
from bot.core.incoming import Incoming
from bot.core.requests import Request

# "/<request>" each; what follows is what it is about.
REQUESTS: Mapping[str, Request] = {
    "help": "help",
    "language": "language",
    "sources": "sources",
    "why": "why",
    "bot": "bot",
    "link": "link",
    "forget": "forget",
}
# What is done to a ticket where people take over; read by the core, as they write it.
DESK_COMMANDS = frozenset({"claim", "release", "close", "return", "reopen", "teach", "draft", "reply", "note"})
# How the payload of a deep link begins: a question in base64url, a stored question, a code that confirms an address.
QUESTION, AGAIN, CODE = "q_", "p_", "link_"
# Set where people do not see what was asked: the reply says it.
QUOTED: Mapping[str, str] = {"quoted": "yes"}
_NUMBER = re.compile(r"[0-9]{1,18}")


def ordered(command: Command, given: Incoming, here: Here) -> Incoming | Ignored:
    """Return what a command means; `given` is its message, with what follows the command for its text."""
    if given.company != "direct" and command.bot and not is_our_name(command.bot, here):
        return Ignored("a command to another bot")
    if here.is_desk(given.place.channel) and _is_for_desk(command, given):
        # "/" and the rest as they were written; the bot's name behind it says nothing more.
        return replace(given, text=f"/{command.name} {given.text}".strip())
    how = _COMMANDS.get(command.name)
    if given.company == "shared" and command.name != "ask":
        return Ignored("a command in a chat that is not ours")
    if how is not None:
        return how(replace(given, is_addressed=True), here)
    if command.name in REQUESTS:
        return _request(given, REQUESTS[command.name], given.text)
    return _request(given, "help") if given.company == "direct" else Ignored("a command that is not ours")


def _is_for_desk(command: Command, given: Incoming) -> bool:
    """Tell whether a command is about a ticket: to ask means its asker in a ticket's topic, and the bot elsewhere."""
    is_of_ticket = given.thread is not None or "reply_to" in given.wire
    return command.name in DESK_COMMANDS or (command.name == "ask" and is_of_ticket)


def _ask(given: Incoming, here: Here) -> Incoming:
    return lent(given)


def _human(given: Incoming, here: Here) -> Incoming:
    # By a command: what is written right before or after is another matter.
    asked = lent(given)
    return replace(asked, origin="command", wire={**asked.wire, "human": ""})


def lent(given: Incoming) -> Incoming:
    """Return a message that says nothing itself with the words of the one that it replies to."""
    words = given.wire.get("reply_text", "")
    if given.text or given.has_files or not words:
        return given
    return replace(given, text=words, wire={name: said for name, said in given.wire.items() if name != "reply_text"})


def _start(given: Incoming, here: Here) -> Incoming:
    payload = given.text
    if given.company != "direct" or not payload:
        return _request(given, "start")
    question = here.questions.get(payload) or _question(payload)
    if question:
        return replace(given, text=question, wire={**given.wire, **QUOTED})
    number = payload.removeprefix(AGAIN)
    if payload.startswith(AGAIN) and _NUMBER.fullmatch(number):
        return replace(given, text="", origin="button", wire={**given.wire, "again": number})
    if payload.startswith(CODE):
        return _request(given, "link", payload.removeprefix(CODE))
    return _request(given, "start")


def _question(payload: str) -> str:
    """Return the question that a deep link carries, "" where it carries none."""
    if not payload.startswith(QUESTION):
        return ""
    encoded = payload.removeprefix(QUESTION)
    try:
        # Links leave out the padding, and too much of it does no harm.
        return base64.urlsafe_b64decode(f"{encoded}==").decode().strip()
    except (binascii.Error, ValueError):
        return ""


def _request(given: Incoming, name: Request, about: str = "") -> Incoming:
    wire = {**given.wire, "request": name, "about": about}
    return replace(given, text="", is_addressed=True, origin="request", wire=wire)


_COMMANDS: Mapping[str, Callable[[Incoming, Here], Incoming]] = {"ask": _ask, "human": _human, "start": _start}
