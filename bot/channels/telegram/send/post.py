"""Sends parcels in the best form that Telegram takes: the words arrive, if need be as plain text."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from bot.channels.telegram.errors import refusal_of
from bot.channels.telegram.render.reply import plain
from bot.channels.telegram.render.text import LIMIT
from bot.channels.telegram.send.message import Address, MessageCalls, Words
from bot.channels.telegram.send.parcels import business_of, guest_query_of, is_there_still, number_of, topic_of
from bot.channels.utf16 import length
from bot.core.deliver import MOST_UNCONFIRMED
from bot.core.errors import MaybeSent, Undeliverable
from bot.core.outgoing import Parcel

Result = TypeVar("Result")

log = logging.getLogger(__name__)


class Poster:
    """Sends parcels as messages, or in place of messages."""

    def __init__(self, messages: MessageCalls) -> None:
        self._messages = messages

    async def post(self, parcel: Parcel, *, may_be_there: bool = False) -> str | None:
        """Send a parcel as a message of its own; what may be there already says so, and is not sent a third time."""
        if parcel.attempts >= MOST_UNCONFIRMED:
            log.warning("sent twice, never confirmed", extra={"place": str(parcel.place)})
            return None
        if query := guest_query_of(parcel.payload):
            return await self._to_guest(parcel, query)
        again = again_of(parcel) if parcel.was_begun or may_be_there else ""
        address = address_of(parcel)
        try:
            return await self._posted(address, parcel, again)
        except Undeliverable as exc:
            if refusal_of(exc) != "topic":
                raise
            log.info("a message goes to no topic: %s", exc, extra={"place": str(parcel.place)})
            # What replies to a message goes to the topic of that one.
            return await self._posted(replace(address, topic=None, reply_to=None), parcel, again)

    async def _to_guest(self, parcel: Parcel, query: str) -> str | None:
        """Answer a guest: by one message, which says itself that it is the first of several."""
        if parcel.position > 1:
            log.info("the rest of an answer to a guest is not sent", extra={"place": str(parcel.place)})
            return None
        return await _in_some_form(
            parcel, lambda words: self._messages.answer_guest(parcel.place, query, replace(words, buttons=None))
        )

    async def put(self, parcel: Parcel, message: int) -> str | None:
        """Let a message show a parcel and nothing else, but that it is a repeat; where it cannot, another one does."""
        address, again = address_of(parcel), again_of(parcel) if parcel.is_repeat else ""
        try:
            await _in_some_form(parcel, lambda words: self._messages.edit(address, message, _marked(words, again)))
        except Undeliverable as exc:
            if refusal_of(exc) not in ("gone", "fixed"):
                raise
            log.info("a message is sent anew: %s", exc, extra={"place": str(parcel.place)})
            return await self.post(parcel)
        return str(message)

    async def _posted(self, address: Address, parcel: Parcel, again: str) -> str:
        async def send(words: Words) -> str:
            if not again:
                return await self._messages.send(address, words)
            marked = _marked(words, again)
            if marked is words:
                await self._say(address, again)
            return await self._messages.send(address, marked)

        return await _in_some_form(parcel, send)

    async def _say(self, address: Address, again: str) -> None:
        """Say in a message of its own that the next one is a repeat."""
        try:
            await self._messages.send(address, Words(again))
        except MaybeSent as exc:
            log.info("nobody knows whether a repeat is marked: %s", exc, extra={"place": str(address.place)})


def again_of(parcel: Parcel) -> str:
    """Return what is said of a parcel that is a repeat; "" where nothing is."""
    return str(parcel.payload.get("again") or "")


def _marked(words: Words, again: str) -> Words:
    """Return words below the sign of a repeat; as they are where there is no room for it, or no repeat."""
    marked = words.below(again) if again else words
    return marked if length(marked.text) <= LIMIT else words


def address_of(parcel: Parcel) -> Address:
    """Return where a parcel goes."""
    reply_to = number_of(parcel.payload.get("reply_to")) if is_there_still(parcel) else None
    return Address(parcel.place, topic_of(parcel.thread), reply_to, business_of(parcel.payload))


async def _in_some_form(parcel: Parcel, send: Callable[[Words], Awaitable[Result]]) -> Result:
    """Send the words of a parcel in the first form that is not refused."""
    best, *others = _forms(parcel.payload)
    for words in others:
        try:
            return await send(best)
        except Undeliverable as exc:
            if refusal_of(exc) not in ("form", "buttons"):
                raise
            log.warning("a message is sent in a simpler form: %s", exc, extra={"place": str(parcel.place)})
        best = words
    return await send(best)


def _forms(payload: Mapping[str, object]) -> Iterator[Words]:
    """Yield what a payload says as it is meant, then as plain text, then without anything to press."""
    whole = words_of(payload)
    yield whole
    if whole.entities:
        yield Words(plain(payload), (), whole.buttons)
    if whole.buttons:
        yield Words(plain(payload))


def words_of(payload: Mapping[str, object]) -> Words:
    """Return what a payload says as it is meant."""
    entities, buttons = payload.get("entities"), payload.get("reply_markup")
    return Words(
        str(payload.get("text") or ""),
        tuple(entities) if isinstance(entities, list) else (),
        buttons if isinstance(buttons, Mapping) else None,
    )
