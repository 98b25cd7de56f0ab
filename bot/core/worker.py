"""Answers one stored message: its turn has come, and nobody else works on its conversation meanwhile."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from bot.core.admit import Admission, Manners, admit
from bot.core.deliver import Deliverer
from bot.core.escalate import Handover, Tickets
from bot.core.handle import MAX_QUESTION_CHARACTERS, Handler
from bot.core.incoming import Question
from bot.core.messages import Asked, Reason
from bot.core.outgoing import Button, Channel, Outbox, Parcel, Readers, Traces
from bot.core.phrases import phrase, spoken
from knowledge.errors import TransientError
from knowledge.faultpoint import faultpoint
from knowledge.language import language_of
from knowledge.types import Relevance

# A message that breaks us so often is given to a person.
MOST_ATTEMPTS = 3


class Questions(Protocol):
    """The stored messages, as those who answer them see them."""

    async def take(self, number: int) -> Question | None:
        """Return a message whose turn has come, joined with those of its burst; None where nothing is to be done.

        None also where a later message of the burst will do it, or a person has taken over the conversation.
        """
        ...

    async def finish(self, number: int, state: str, reason: str | None = None) -> None:
        """Note that a message is done with ("done", "refused", "failed", "cancelled")."""
        ...

    async def answered(self, number: int, answer: int, actor: str) -> str | None:
        """Return the question of an answer that was given in the same place as a message; None for any other."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What a worker works with."""

    questions: Questions
    outbox: Outbox
    traces: Traces
    tickets: Tickets
    handler: Handler
    channels: Mapping[str, Channel]
    manners: Manners
    fingerprint: str
    now: Callable[[], datetime]


class Worker:
    """Does the job of one message, from its turn until all of its reply is sent."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._deliverer = Deliverer(parts.outbox, parts.traces)

    async def do(self, number: int) -> None:
        """Answer a message, or go on where an earlier attempt ended; TransientError where it has to be tried again."""
        while question := await self._parts.questions.take(number):
            faultpoint("taken")
            channel = self._parts.channels.get(question.incoming.place.platform)
            if channel is None:
                raise TransientError(f"message {number} waits: {question.incoming.place.platform} is not open here")
            if question.has_reply:
                await self._deliverer.deliver(question, channel)
                return
            if await self._reply(question, channel):
                return

    async def _reply(self, question: Question, channel: Channel) -> bool:
        """Say something to a message; False where it was changed meanwhile, and its turn comes once more."""
        if question.attempts > MOST_ATTEMPTS:
            return await self._hand_over(question, channel, "failed")
        if "human" in question.incoming.wire:
            return await self._hand_over(question, channel, "asked")
        if question.is_over_limit:
            return await self._refuse(question, channel, "limit")
        verdict = admit(question.incoming, question.text, self._parts.manners, now=self._parts.now())
        if verdict == "answer":
            return await self._answer(question, channel)
        if verdict == "stale":
            return await self._hand_over(question, channel, "stale", button="retry")
        return await self._refuse(question, channel, verdict)

    async def _answer(self, question: Question, channel: Channel) -> bool:
        readers = await channel.readers(question.incoming)
        asked = await self._asked(question, channel, readers)
        if len(asked.question) > MAX_QUESTION_CHARACTERS:
            text = phrase("too_long", _language(question, readers), limit=MAX_QUESTION_CHARACTERS)
            return await self._say(question, channel, [channel.notice(text, question, sight="private")])
        async with channel.showing(question, self._parts.traces) as showing:
            reply = await self._parts.handler.handle(asked, showing, showing.step)
            faultpoint("worded")
            if reply.decision == "escalate" and not asked.may_hand_over:
                return await self._finish(question, "done")
            parcels = [*channel.render(reply, question)]
            if reply.decision == "escalate" and await self._may_be_told_in_private(asked, readers):
                text = phrase("in_private", reply.language)
                parcels.append(channel.notice(text, question, sight="private", button="private"))
            return await self._say(question, channel, parcels)

    async def _asked(self, question: Question, channel: Channel, readers: Readers) -> Asked:
        """Return what is asked, by the rules of the place and for those who read along."""
        incoming = question.incoming
        rules = self._parts.manners.rules(incoming.place.channel)
        is_private = incoming.company == "direct" or incoming.origin == "command"
        history = question.history
        if incoming.thread and not question.is_follow_up:
            history = await channel.history(incoming)
        return Asked(
            question.text,
            readers.asker if is_private else readers.audience,
            spoken(rules.language or incoming.language or ""),
            asker=f"{incoming.place.platform}:{incoming.place.workspace}:{incoming.author}",
            history=history,
            message=question.number,
            sources=rules.sources,
            threshold=rules.threshold,
            desk=rules.desk,
            may_hand_over=incoming.is_addressed or question.is_follow_up,
        )

    async def _may_be_told_in_private(self, asked: Asked, readers: Readers) -> bool:
        if readers.asker.tags <= asked.reader.tags:
            return False
        return await self._parts.handler.would_answer(replace(asked, reader=readers.asker))

    async def _refuse(self, question: Question, channel: Channel, verdict: Admission) -> bool:
        """Tell the asker alone why there is no answer, if they wait for one."""
        if verdict == "thanks" or not question.incoming.is_addressed:
            return await self._finish(question, "refused", verdict)
        readers = await channel.readers(question.incoming)
        text = phrase(f"refused_{verdict}", _language(question, readers))
        return await self._say(question, channel, [channel.notice(text, question, sight="private")])

    async def _hand_over(
        self, question: Question, channel: Channel, reason: Reason, *, button: Button | None = None
    ) -> bool:
        """Give a message to a person without an answer, and say so."""
        answer = question.incoming.wire.get("human")
        about = question.text
        if answer:
            found = await self._parts.questions.answered(question.number, int(answer), question.incoming.author)
            if found is None:
                return await self._finish(question, "refused", "the answer was not given here")
            about = found
        language = language_of(about)
        handover = Handover(
            about,
            language,
            reason,
            None,
            Relevance(1.0),
            (),
            self._parts.fingerprint,
            message=question.number,
            desk=self._parts.manners.rules(question.incoming.place.channel).desk,
        )
        ticket = await self._parts.tickets.open(handover)
        faultpoint("ticketed")
        text = phrase(_TOLD[reason], language, ticket=ticket)
        return await self._say(question, channel, [channel.notice(text, question, sight="open", button=button)])

    async def _say(self, question: Question, channel: Channel, parcels: Sequence[Parcel]) -> bool:
        """Plan a whole reply, then send it; False where the message was changed meanwhile."""
        numbered = [replace(parcel, position=position) for position, parcel in enumerate(parcels, 1)]
        if not await self._parts.outbox.plan(question, numbered, asker=question.incoming.author):
            return False
        faultpoint("planned")
        await self._deliverer.deliver(question, channel)
        return True

    async def _finish(self, question: Question, state: str, reason: str | None = None) -> bool:
        await self._parts.questions.finish(question.number, state, reason)
        return True


_TOLD: Mapping[Reason, str] = {"failed": "broke_down", "asked": "asked_for_a_person", "stale": "too_late"}


def _language(question: Question, readers: Readers) -> str:
    """Return the language to say something of our own in."""
    return spoken(question.incoming.language or "") or language_of(
        question.text, default=spoken(readers.language or "") or "en"
    )
