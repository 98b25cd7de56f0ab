"""The ports to what people told the bot of themselves, and to having all of it forgotten."""

from dataclasses import dataclass
from typing import Protocol

from bot.core.incoming import Incoming, Place


class People(Protocol):
    """What people told the bot of themselves; every method is one transaction."""

    async def language(self, place: Place, author: str) -> str | None:
        """Return the language that somebody wants answers in."""
        ...

    async def speak(self, place: Place, author: str, language: str | None) -> None:
        """Note it; None: the language of each question."""
        ...

    async def email(self, place: Place, author: str) -> str | None:
        """Return the address that somebody has proved to have, or that the operator knows them by."""
        ...


class Ownership(Protocol):
    """Whose the conversations are: the bot's, or a person's who has taken over."""

    async def give_back(self, incoming: Incoming) -> bool:
        """Let the bot have the conversation of a message again, for its author says so; False where nobody has it."""
        ...


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many messages lost their words, and how many keep them, because they wait or a person has them."""

    messages: int
    kept: int


class Forgetting(Protocol):
    """Takes the words out of everything that is stored of a person."""

    async def forget(self, number: int) -> Forgotten:
        """Forget what the author of a message has written on its platform, in one transaction.

        Their words, what they were told in private and what was quoted to them, their comments, their language and
        their address go; rows stay for the counts, under a random name. A second time changes nothing.
        """
        ...
