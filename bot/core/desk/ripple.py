"""What had no answer is asked again when the knowledge has changed; what answers it now is offered to the desk."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Literal, Protocol

from bot.core.admit import Manners, PlaceRules
from bot.core.cite import source_lines
from bot.core.desk.book import Cited
from bot.core.desk.desks import Desks
from bot.core.desk.readers import common_reader, rules_of
from bot.core.handle import EVIDENCE_FOR_ANSWER, Draft
from bot.core.incoming import Incoming
from bot.core.messages import Answer, Asked, Reason
from bot.core.notes import notes_on
from bot.core.outgoing import Channel
from bot.core.phrases import phrase, spoken
from bot.core.standing import Standing
from knowledge.errors import EmbedderProblem, TransientError
from knowledge.types import Evidence, Reader

# A sync changes the knowledge with each document, and the vectors follow in batches of a few seconds: asked in between,
# everything would be asked again for each of them.
QUIET_FOR = timedelta(seconds=5)
# Where that never ends, what is there by then is asked.
QUIET_WITHIN = timedelta(minutes=5)
# Between two of these the knowledge is looked at anew.
BATCH = 20
# Whose daily cap the model's answers count for.
ASKER = "ripple"
# The model was not asked then, or not heard.
_NEVER_WORDED: frozenset[Reason | None] = frozenset({"below_threshold", "no_source", "risky"})
# The documents had been found, and no answer came of them.
_WORDED_IN_VAIN = frozenset({"unsupported", "absent", "refused"})

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A question that had no answer; `incoming` is the message that asked it, None where it came from a terminal.

    `ticket` is set while people wait with it: it is open, or somebody has claimed it; `desks` have its card, or should.
    `quotes`: what the answer stands on that they were offered already. `candidates` is what was found at first; `tried`
    the digest of what gave no answer since; `was_asked`: it has been asked again before.
    """

    number: int
    question: str
    language: str
    reason: str
    ticket: int | None = None
    desks: tuple[str, ...] = ()
    incoming: Incoming | None = None
    quotes: tuple[Cited, ...] = ()
    candidates: tuple[Mapping[str, Any], ...] = ()
    tried: bytes | None = None
    was_asked: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """An answer that is there now, with its sources as plain text, for those who hold the tags of `reader`."""

    text: str
    quotes: tuple[Cited, ...]
    reader: Reader
    relevance: float | None

    @property
    def documents(self) -> tuple[str, ...]:
        """What it stands on, as source/path."""
        return tuple(dict.fromkeys(f"{quote.source}/{quote.document}" for quote in self.quotes))


class Unanswered(Protocol):
    """The questions that had no answer; every method is one transaction."""

    async def state(self) -> bytes:
        """Return what identifies the knowledge as it is, with the vectors that it has."""
        ...

    async def to_ask(self, state: bytes, *, limit: int) -> Sequence[Waiting]:
        """Return questions that were not asked in this state: those of people who wait first, newest first."""
        ...

    async def leave(self, waiting: Waiting, state: bytes) -> None:
        """Note that nothing has changed for a question in this state."""
        ...

    async def in_vain(self, waiting: Waiting, state: bytes, *, tried: bytes | None) -> None:
        """Note that there is no answer, or none any more; `tried` is what was found and did not give one."""
        ...

    async def found(self, waiting: Waiting, state: bytes, found: Found) -> None:
        """Note that there is an answer, and offer it to the desk where people wait with the question."""
        ...


class Drafter(Protocol):
    """Answers without telling anybody."""

    async def draft(self, asked: Asked) -> Draft:
        """Return the reply that would be given."""
        ...


@dataclass(frozen=True, slots=True)
class Means:
    """What it is done with: `plain` asks no model, and is the same as `full` where there is none.

    `calm` waits while people wait for answers to what they have just asked.
    """

    unanswered: Unanswered
    full: Drafter
    plain: Drafter
    standing: Standing
    desks: Desks
    channels: Mapping[str, Channel]
    manners: Manners
    now: Callable[[], datetime]
    calm: Callable[[], Awaitable[None]]


class Ripple:
    """Asks again, one question after another.

    A state of the knowledge costs a search for each question, and an answer in the documents' own words where that
    finds enough; the model is asked for tickets that people wait with, and only where it has not seen what was found.
    """

    def __init__(self, means: Means) -> None:
        self._means = means
        self._state = b""
        self._changed_at = self._restless_since = means.now()

    async def look(self) -> None:
        """Ask what was not asked yet of the knowledge as it is, once that is quiet; TransientError to look later."""
        state = await self._means.unanswered.state()
        verdict = self._judge(state)
        if verdict == "changing":
            return
        while waiting := await self._means.unanswered.to_ask(state, limit=BATCH):
            for one in waiting:
                await self._means.calm()
                await self._ask(one, state)
            # What never rests is asked to the end as it was, or the same questions would always come first.
            if verdict == "quiet" and await self._means.unanswered.state() != state:
                return

    def _judge(self, state: bytes) -> Literal["changing", "quiet", "restless"]:
        now = self._means.now()
        if state != self._state:
            if now - self._changed_at >= QUIET_FOR:
                self._restless_since = now
            self._state, self._changed_at = state, now
        if now - self._changed_at >= QUIET_FOR:
            return "quiet"
        if now - self._restless_since < QUIET_WITHIN:
            return "changing"
        self._restless_since = now
        return "restless"

    async def _ask(self, waiting: Waiting, state: bytes) -> None:
        try:
            came = await self._settle(waiting, state)
        except (TransientError, EmbedderProblem):
            raise
        except Exception:
            # It would break us at every look: it comes again when the knowledge has changed.
            log.exception("a question could not be asked again", extra={"unanswered": waiting.number})
            await self._means.unanswered.in_vain(waiting, state, tried=None)
        else:
            log.info("asked again: %s", came, extra={"unanswered": waiting.number, "ticket": waiting.ticket})

    async def _settle(self, waiting: Waiting, state: bytes) -> str:
        """Find out whether a question has an answer now, and note it; return what came of it."""
        means = self._means
        reader = await self._reader(waiting)
        if waiting.quotes and all(await means.standing.standing(waiting.quotes, reader)):
            await means.unanswered.leave(waiting, state)
            return "offered already"
        asked = _asked(waiting, reader, rules_of(waiting.incoming, means.manners))
        draft = await means.plain.draft(asked)
        evidence = draft.retrieved.evidence[:EVIDENCE_FOR_ANSWER]
        if draft.reason in _NEVER_WORDED:
            await means.unanswered.in_vain(waiting, state, tried=None)
            return "no answer"
        if was_tried(waiting, evidence):
            await means.unanswered.leave(waiting, state)
            return "nothing new"
        if waiting.ticket is not None and means.full is not means.plain:
            draft = await means.full.draft(asked)
        if draft.answer is None:
            # Where the model was down, the same may give an answer later.
            tried = digest(evidence) if draft.reason in _WORDED_IN_VAIN else None
            await means.unanswered.in_vain(waiting, state, tried=tried)
            return "no answer"
        await means.unanswered.found(waiting, state, found_in(draft.answer, draft, reader))
        return "found"

    async def _reader(self, waiting: Waiting) -> Reader:
        """Return what the asker, those who read along, and everybody at the desks may read."""
        means = self._means
        desks = map(means.desks.named, waiting.desks) if waiting.ticket is not None else ()
        return await common_reader(waiting.incoming, means.channels, filter(None, desks))


def _asked(waiting: Waiting, reader: Reader, rules: PlaceRules) -> Asked:
    return Asked(
        waiting.question,
        reader,
        spoken(waiting.language),
        asker=ASKER,
        sources=rules.sources,
        threshold=rules.threshold,
        desk=rules.desk,
    )


def was_tried(waiting: Waiting, evidence: Sequence[Evidence]) -> bool:
    """Tell whether the same evidence gave no answer before."""
    if waiting.tried is not None or waiting.was_asked:
        return waiting.tried == digest(evidence)
    return waiting.reason in _WORDED_IN_VAIN and _is_same(waiting.candidates, evidence)


def digest(evidence: Sequence[Evidence]) -> bytes:
    """Return what identifies the passages that an answer would be made from."""
    parts = [part for piece in evidence for part in (piece.hit.source, piece.hit.document, piece.hit.text)]
    return sha256("\0\0".join(parts).encode("utf-8", "surrogatepass")).digest()


def _is_same(candidates: Sequence[Mapping[str, Any]], evidence: Sequence[Evidence]) -> bool:
    """Tell whether evidence is what was kept of a question; of long texts the beginning, and how relevant they were."""
    return len(candidates) == len(evidence) and all(
        (kept["source"], kept["document"], kept["start_line"], kept["end_line"], kept["relevance"])
        == (piece.hit.source, piece.hit.document, piece.hit.start_line, piece.hit.end_line, round(piece.relevance, 4))
        and piece.hit.text.startswith(kept["quote"])
        for kept, piece in zip(candidates, evidence, strict=True)
    )


def found_in(answer: Answer, draft: Draft, reader: Reader) -> Found:
    """Return an answer as it is offered."""
    citations = [citation for sentence in answer.sentences for citation in sentence.citations]
    quotes = dict.fromkeys(Cited(one.source, one.document, one.quote) for one in citations)
    return Found(found_text(answer, draft.language), tuple(quotes), reader, draft.relevance)


def found_text(answer: Answer, language: str) -> str:
    """Return an answer as plain text: with its markers, what its readers have to know of it, and its sources."""
    lines = [f"{phrase('sources', language)}:", *source_lines(answer.sentences, language)]
    return "\n\n".join([answer.text, *notes_on(answer, language), "\n".join(lines)])
