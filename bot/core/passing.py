"""Passes a question on to a person without having looked for an answer, and words what its asker is told."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from bot.core.admit import Manners
from bot.core.escalate import Handover, Opened, Tickets
from bot.core.incoming import Question
from bot.core.messages import Reason
from bot.core.outgoing import Button, Channel, Readers
from bot.core.phrases import phrase, spoken
from knowledge.language import language_of
from knowledge.types import Reader, Relevance

# Where it is better not to find out who asks.
NOBODY = Reader()
_TOLD: Mapping[Reason, str] = {
    "failed": "broke_down",
    "asked": "asked_for_a_person",
    "disliked": "asked_for_a_person",
    "stale": "too_late",
}
# What is said instead where the asker has to agree first, and the button below.
_ASKED: Mapping[Reason, tuple[str, Button]] = {
    "failed": ("may_i_broken", "consent"),
    "disliked": ("may_i_disliked", "consent"),
    "stale": ("may_i_late", "retry"),
}


@dataclass(frozen=True, slots=True)
class Told:
    """What is said about a question that is, or may be, passed on; with a button where its asker decides."""

    text: str
    button: Button | None = None


class AskedBefore(Protocol):
    """What somebody has asked, and been answered, before."""

    async def answered(self, number: int, answer: int, actor: str) -> str | None:
        """Return the question of an answer that was given in the same place as a message; None for any other."""
        ...

    async def asked_before(self, number: int) -> str | None:
        """Return the last question that the author of a message asked before it in its conversation."""
        ...


class Passing:
    """Opens tickets for people who ask for a person, or whom we cannot answer; where it `asks_first`, if they agree."""

    def __init__(
        self, questions: AskedBefore, tickets: Tickets, manners: Manners, fingerprint: str, *, asks_first: bool = False
    ) -> None:
        self._questions = questions
        self._tickets = tickets
        self._manners = manners
        self._fingerprint = fingerprint
        self._asks_first = asks_first

    async def pass_on(self, question: Question, channel: Channel, reason: Reason) -> Told | None:
        """Return what is said about the ticket; None where a question is meant that was not answered here."""
        about = await self._about(question)
        if about is None:
            return None
        # What breaks us may be that nobody can tell who asks.
        readers = Readers(NOBODY, NOBODY) if reason == "failed" else await channel.readers(question.incoming)
        language = language_of(about, default=spoken(question.incoming.language or readers.language or "") or "en")
        handover = Handover(
            about,
            language,
            reason,
            None,
            Relevance(1.0),
            (),
            self._fingerprint,
            message=question.number,
            desk=self._manners.rules(question.incoming).desk,
        )
        said_in = spoken(readers.chosen or "") or language
        # Whoever asks for a person has agreed.
        asks_first = self._asks_first and reason in _ASKED
        opened = await (self._tickets.suggest(handover) if asks_first else self._tickets.open(handover))
        if opened is None:
            name, button = _ASKED[reason]
            return Told(phrase(name, said_in), button)
        return Told(_told(_TOLD[reason], opened, said_in), "retry" if reason == "stale" else None)

    async def agree(self, question: Question, channel: Channel) -> Told | None:
        """Return what is said about the ticket that its asker has agreed to; None where there is no such question."""
        asked = question.incoming.wire["consent"]
        opened = await self._tickets.agreed(int(asked), question.number) if asked.isdecimal() else None
        if opened is None:
            return None
        language = own_language(question, await channel.readers(question.incoming))
        return Told(_told("asked_for_a_person", opened, language))

    async def _about(self, question: Question) -> str | None:
        answer = question.incoming.wire.get("human")
        if answer:
            return await self._questions.answered(question.number, int(answer), question.incoming.author)
        if question.text.strip():
            return question.text
        return await self._questions.asked_before(question.number) or ""


def _told(name: str, opened: Opened, language: str) -> str:
    return " ".join(filter(None, [phrase(name, language, ticket=opened.number), opened.promise(language)]))


def own_language(question: Question, readers: Readers) -> str:
    """Return the language to say something of our own in."""
    return spoken(readers.chosen or question.incoming.language or "") or language_of(
        question.text, default=spoken(readers.language or "") or "en"
    )
