"""Who is let in where the bot is for members only."""

import time
from collections.abc import Callable
from dataclasses import replace

from bot.core.incoming import Incoming
from bot.core.requests import People

# What strangers may ask for: without it, nobody could say who they are.
WELCOME = frozenset({"start", "help", "link"})
# What a stranger's message is stored as.
STRANGER = "stranger"
TOLD_AGAIN_AFTER_S = 3600.0
STRANGERS_REMEMBERED = 10_000


class Doorman:
    """Lets in who may ask; without any `chats`, everybody.

    Groups are as listed, or desks where people take over, and silent otherwise; a person on their own is let in who has
    proved who they are, and the others are told once an hour that they are strangers.
    """

    def __init__(
        self,
        chats: frozenset[str],
        people: People,
        clock: Callable[[], float] = time.monotonic,
        *,
        desks: frozenset[str] = frozenset(),
    ) -> None:
        self._chats = chats
        self._desks = desks
        self._people = people
        self._clock = clock
        self._told: dict[str, float] = {}

    async def admit(self, incoming: Incoming) -> Incoming | None:
        """Return what is to be stored of a message; None: nothing."""
        if not self._chats or not (self._chats | self._desks).isdisjoint(incoming.channels):
            return incoming
        if incoming.company != "direct":
            return None
        if incoming.origin == "request" and incoming.wire.get("request") in WELCOME:
            return incoming
        if await self._people.email(incoming.place, incoming.author):
            return incoming
        is_told = self._clock() - self._told.get(incoming.author, -TOLD_AGAIN_AFTER_S) < TOLD_AGAIN_AFTER_S
        return None if is_told else _from_stranger(incoming)

    def stored(self, incoming: Incoming) -> None:
        """Take note of what was stored: a stranger will be told."""
        if incoming.wire.get("request") != STRANGER:
            return
        self._told.pop(incoming.author, None)
        self._told[incoming.author] = self._clock()
        if len(self._told) > STRANGERS_REMEMBERED:
            del self._told[next(iter(self._told))]


def _from_stranger(incoming: Incoming) -> Incoming:
    """Return the message without anything that its author wrote."""
    kept = {name: value for name, value in incoming.wire.items() if name in ("ui", "was", "business")}
    return replace(incoming, text="", origin="request", has_files=False, wire={**kept, "request": STRANGER})
