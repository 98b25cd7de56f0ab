"""The way in: what was delivered is stored together with its job, and only then the platform is told so."""

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, Protocol

from bot.core.incoming import Incoming, Place
from bot.core.tickets.acts import Act, Outcome
from knowledge.faultpoint import faultpoint

# What became of a delivery: "unwanted" is not stored, for it is not for us; "limited" is stored, and has no answer.
Stored = Literal["new", "known", "unwanted", "limited"]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is taken of one person and of one place within a minute, and how bursts are joined.

    What one author writes within `burst` of the last message is one question, which waits for `longest_wait` at most.
    """

    per_person: int = 10
    per_place: int = 60
    burst: timedelta = timedelta(seconds=1.2)
    longest_wait: timedelta = timedelta(seconds=6)


class Inbox(Protocol):
    """The stored messages; every method is one transaction that has ended when it returns."""

    async def store(self, incoming: Incoming, *, is_volunteer: bool) -> Stored:
        """Store a message with its job, once; what is too much by the inbox's `Limits` has no answer.

        What is not addressed to us is wanted only in a thread where its author asked us or talks with a person,
        right behind a message of its author that still waits, or where the bot answers as a `is_volunteer`.
        """
        ...

    async def edit(self, incoming: Incoming, *, may_revise: bool = False) -> Stored:
        """Give a stored message its new text; "unwanted" where it is not stored.

        Where a reply is planned or sent already nothing changes, unless it `may_revise` that one: then the message is
        answered again, and its new reply takes the place of the earlier one.
        """
        ...

    async def delete(self, place: Place, message: str) -> None:
        """Cancel a message, also one that has not come yet."""
        ...


class DeskBook(Protocol):
    """The tickets, as people at desks do something to them; every method is one transaction."""

    async def act(self, act: Act) -> Outcome:
        """Do something to a ticket or an entry, if its actor may and its state allows it; errands follow from it."""
        ...

    async def hear(self, incoming: Incoming) -> Outcome | None:
        """Take in what was written at a desk; None where it belongs to no ticket, and is a message like any other."""
        ...

    async def reword(self, incoming: Incoming) -> bool:
        """Take in the new text of what was written at a desk, or relayed to one; False where it is nothing of ours."""
        ...


class Intake:
    """Takes in what channels deliver; when a method returns, a crash loses nothing of it."""

    def __init__(self, inbox: Inbox, *, volunteers: frozenset[str] = frozenset(), book: DeskBook | None = None) -> None:
        self._inbox = inbox
        self._volunteers = volunteers
        self._book = book

    async def take(self, incoming: Incoming) -> Stored:
        """Store a message, and have it answered; what was written at a desk goes its own way."""
        if self._book and (outcome := await self._book.hear(incoming)):
            faultpoint("heard")
            return "known" if outcome.came == "known" else "new"
        is_reply = (incoming.thread is not None and incoming.conversation is None) or "reply_to" in incoming.wire
        is_volunteer = not self._volunteers.isdisjoint(incoming.channels) and not is_reply
        faultpoint("received")
        stored = await self._inbox.store(incoming, is_volunteer=is_volunteer)
        faultpoint("accepted")
        log.info("message %s", stored, extra={"place": str(incoming.place), "platform_message": incoming.message})
        return stored

    async def edit(self, incoming: Incoming, *, may_revise: bool = False) -> None:
        """Take the new text of a message; one that was never for us may have become so."""
        if self._book and await self._book.reword(incoming):
            return
        stored = await self._inbox.edit(incoming, may_revise=may_revise)
        if stored != "unwanted" or not incoming.is_addressed:
            return
        if await self.take(incoming) == "known":
            # The message itself has come between the two.
            await self._inbox.edit(incoming, may_revise=may_revise)

    async def delete(self, place: Place, message: str) -> None:
        """Take note that a message is gone."""
        await self._inbox.delete(place, message)

    async def act(self, act: Act) -> Outcome:
        """Do what somebody pressed a desk's button for."""
        if self._book is None:
            return Outcome("unknown")
        outcome = await self._book.act(act)
        faultpoint("acted")
        log.info("%s of %s: %s", act.kind, act.number, outcome.came, extra={"actor": act.actor.id})
        return outcome


class Heard(Protocol):
    """Until when everything of a place has been heard, as one of the platform's names for messages."""

    async def until(self, place: Place) -> str | None:
        """Return it; None where nothing is known."""
        ...

    async def hear(self, place: Place, until: str) -> None:
        """Note it; what is earlier than what is known changes nothing."""
        ...
