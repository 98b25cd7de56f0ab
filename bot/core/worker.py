"""Answers one stored message: its turn has come, and nobody else works on its conversation meanwhile."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from bot.core.admit import Admission, Manners, admit
from bot.core.deliver import Deliverer
from bot.core.desk.errands import Errands
from bot.core.errors import RecordingProblem
from bot.core.escalate import Tickets
from bot.core.handle import MAX_QUESTION_CHARACTERS, Handler
from bot.core.incoming import Question
from bot.core.messages import Asked, Reason, Reply
from bot.core.outgoing import Channel, Outbox, Parcel, Readers, Traces
from bot.core.passing import AskedBefore, Passing, Told, own_language
from bot.core.phrases import phrase, spoken
from bot.core.requests import Requests
from bot.core.transcribe import Transcriber
from knowledge.errors import TransientError
from knowledge.faultpoint import faultpoint

# A message that breaks us so often is given to a person.
MOST_ATTEMPTS = 3

log = logging.getLogger(__name__)


class Questions(AskedBefore, Protocol):
    """The stored messages, as those who answer them see them."""

    async def take(self, number: int) -> Question | None:
        """Return a message whose turn has come, joined with those of its burst; None where nothing is to be done.

        None also where a later message of the burst will do it, or a person has taken over the conversation.
        """
        ...

    async def finish(self, number: int, state: str, reason: str | None = None) -> None:
        """Note that a message is done with ("done", "refused", "failed", "cancelled")."""
        ...

    async def word(self, number: int, text: str) -> None:
        """Give a message that was said aloud its words."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What a worker works with; where it `asks_first`, askers agree before a person gets what broke it."""

    questions: Questions
    outbox: Outbox
    traces: Traces
    tickets: Tickets
    handler: Handler
    channels: Mapping[str, Channel]
    manners: Manners
    fingerprint: str
    now: Callable[[], datetime]
    requests: Requests
    transcriber: Transcriber | None = None
    errands: Errands | None = None
    asks_first: bool = False


class Worker:
    """Does the job of one message, from its turn until all of its reply is sent."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._deliverer = Deliverer(parts.outbox, parts.traces)
        self._passing = Passing(
            parts.questions, parts.tickets, parts.manners, parts.fingerprint, asks_first=parts.asks_first
        )

    async def do(self, number: int) -> None:
        """Answer a message, or go on where an earlier attempt ended; TransientError where it has to be tried again."""
        while question := await self._parts.questions.take(number):
            faultpoint("taken", question.incoming.kind)
            channel = self._parts.channels.get(question.incoming.place.platform)
            if channel is None:
                raise TransientError(f"message {number} waits: {question.incoming.place.platform} is not open here")
            if question.has_reply:
                if await self._deliverer.deliver(question, channel):
                    return
            elif await self._reply(question, channel):
                return
        faultpoint("passed")

    async def _reply(self, question: Question, channel: Channel) -> bool:
        """Say something to a message; False where it was changed meanwhile, and its turn comes once more."""
        if question.incoming.origin == "errand":
            return await self._run(question, channel)
        if question.attempts > MOST_ATTEMPTS:
            return await self._hand_over(question, channel, "failed")
        if not question.incoming.wire.keys().isdisjoint(("human", "consent")):
            return await self._pass_on(question, channel)
        if question.is_over_limit:
            return await self._refuse(question, channel, "limit")
        if question.incoming.origin == "request":
            return await self._serve(question, channel)
        return await self._consider(await self._heard(question, channel), channel)

    async def _pass_on(self, question: Question, channel: Channel) -> bool:
        """Give a question to a person, for its asker wants that."""
        if "consent" in question.incoming.wire:
            return await self._tell(question, channel, await self._passing.agree(question, channel))
        reason: Reason = "disliked" if "disliked" in question.incoming.wire else "asked"
        return await self._hand_over(question, channel, reason)

    async def _run(self, question: Question, channel: Channel) -> bool:
        """Say what is to be said to a desk, or in the name of one."""
        if self._parts.errands is None or question.attempts > MOST_ATTEMPTS:
            log.error("an errand is given up", extra={"number": question.number})
            return await self._finish(question, "failed", "it broke us, or there is no desk any more")
        parcels = await self._parts.errands.run(question, channel)
        faultpoint("worded", question.incoming.kind)
        return await self._say(question, channel, parcels)

    async def _consider(self, question: Question, channel: Channel) -> bool:
        """Answer a message, or tell its author why not."""
        verdict = admit(question.incoming, question.text, self._parts.manners, now=self._parts.now())
        if verdict == "answer":
            return await self._answer(question, channel)
        if verdict == "stale":
            return await self._hand_over(question, channel, "stale")
        return await self._refuse(question, channel, verdict)

    async def _serve(self, question: Question, channel: Channel) -> bool:
        """Say what somebody wants to know of the bot, or of what it has said."""
        readers = await channel.readers(question.incoming)
        said = await self._parts.requests.serve(question, readers, own_language(question, readers))
        if isinstance(said, Reply):
            return await self._say(question, channel, channel.render(said, question))
        notice = channel.notice(said.text, question, sight="private", button=said.button)
        return await self._say(question, channel, [notice])

    async def _heard(self, question: Question, channel: Channel) -> Question:
        """Return a question with the words of its recording, where it is one and somebody can listen."""
        transcriber = self._parts.transcriber
        if "recording" not in question.incoming.wire or question.text.strip() or transcriber is None:
            return question
        try:
            recording = await channel.recording(question.incoming)
            text = await transcriber.transcribe(recording, language=question.incoming.language) if recording else ""
        except (RecordingProblem, TransientError) as exc:
            # Not tried again: all that is asked after it in the chat would wait, and its author can write.
            log.warning("a recording has no words: %s", exc, extra={"number": question.number})
            return question
        await self._parts.questions.word(question.number, text)
        return replace(question, text=text)

    async def _answer(self, question: Question, channel: Channel) -> bool:
        readers = await channel.readers(question.incoming)
        asked = await self._asked(question, channel, readers)
        if len(asked.question) > MAX_QUESTION_CHARACTERS:
            text = phrase("too_long", own_language(question, readers), limit=MAX_QUESTION_CHARACTERS)
            return await self._say(question, channel, [channel.notice(text, question, sight="private")])
        async with channel.showing(question, self._parts.traces) as showing:
            reply = await self._parts.handler.handle(asked, showing, showing.step)
            faultpoint("worded", question.incoming.kind)
            if reply.decision == "escalate" and not asked.may_hand_over:
                return await self._finish(question, "done")
            parcels = [*_shown(reply, question, channel)]
            if reply.decision == "escalate" and await self._may_be_told_in_private(asked, readers):
                text = phrase("in_private", reply.language)
                parcels.append(channel.notice(text, question, sight="private", button="private"))
            return await self._say(question, channel, parcels)

    async def _asked(self, question: Question, channel: Channel, readers: Readers) -> Asked:
        """Return what is asked, by the rules of the place and for those who read along."""
        incoming = question.incoming
        rules = self._parts.manners.rules(incoming)
        is_private = incoming.company == "direct" or incoming.origin == "command"
        history = question.history
        is_elsewhere = incoming.thread is not None or "reply_to" in incoming.wire
        if not history and is_elsewhere and not question.is_follow_up:
            history = await channel.history(incoming)
        return Asked(
            question.text,
            readers.asker if is_private else readers.audience,
            spoken(rules.language or readers.chosen or incoming.language or ""),
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
        text = phrase(f"refused_{verdict}", own_language(question, readers))
        return await self._say(question, channel, [channel.notice(text, question, sight="private")])

    async def _hand_over(self, question: Question, channel: Channel, reason: Reason) -> bool:
        """Give a message to a person without an answer, and say so."""
        return await self._tell(question, channel, await self._passing.pass_on(question, channel, reason))

    async def _tell(self, question: Question, channel: Channel, told: Told | None) -> bool:
        """Say in one sentence that a person has a question; nothing where its author may not pass it on."""
        if told is None:
            return await self._finish(question, "refused", "there is no such question of theirs here")
        faultpoint("ticketed")
        notice = channel.notice(told.text, question, sight="open", button=told.button)
        return await self._say(question, channel, [notice])

    async def _say(self, question: Question, channel: Channel, parcels: Sequence[Parcel]) -> bool:
        """Plan a whole reply, then send it; False where the message was changed meanwhile."""
        numbered = in_place_of(question, parcels)
        if not await self._parts.outbox.plan(question, numbered, asker=question.incoming.author):
            return False
        faultpoint("planned", question.incoming.kind)
        return await self._deliverer.deliver(question, channel)

    async def _finish(self, question: Question, state: str, reason: str | None = None) -> bool:
        await self._parts.questions.finish(question.number, state, reason)
        return True


def _shown(reply: Reply, question: Question, channel: Channel) -> Sequence[Parcel]:
    """Return a reply as parcels; where its asker has to agree to a person first, with the button for it."""
    if reply.decision == "escalate" and reply.ticket is None:
        return [channel.notice(reply.text, question, sight="open", button="consent")]
    return channel.render(reply, question)


def in_place_of(question: Question, parcels: Sequence[Parcel]) -> list[Parcel]:
    """Return a reply in its order, each part in place of one of the earlier reply; what is left of that one goes."""
    shown = question.shown if parcels else ()
    placed = [replace(parcel, replaces=name) for parcel, name in zip(parcels, shown, strict=False)]
    new = [*placed, *parcels[len(placed) :]]
    gone = [
        replace(parcels[0], replaces=name, is_gone=True, plain="", marker=f"{parcels[0].marker}:{name}")
        for name in shown[len(placed) :]
    ]
    return [replace(parcel, position=position) for position, parcel in enumerate([*new, *gone], 1)]
