"""What people answer becomes knowledge: proposed, checked, decided on by people, and searchable at once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bot.compose import Desk, configured_names
from bot.core.errors import EntryProblem
from bot.core.learning.checks import Checked, Checker, Contradiction, Duplicate
from bot.core.learning.draft import clean_answer, general_question, last_words, links_of
from bot.core.learning.entry import Entries, Entry, Lesson, NameFinder, Part, Personal, State, Taught, Until
from bot.core.learning.personal import Stripped, personal
from bot.core.phrases import phrase
from bot.core.verify.check import Verifier
from bot.curated import Publisher, is_given_whole
from bot.spacy_names import SpacyNames
from bot.store.entries import PostgresEntries
from bot.tables import LearningSettings
from knowledge.background import Background
from knowledge.language import language_of
from knowledge.likeness import Likeness
from knowledge.types import Relevance


@dataclass(frozen=True, slots=True)
class Proposal:
    """An entry as people see it before they decide, with what was taken out and what speaks against it.

    `left`: what looks personal in it all the same, because somebody put it there.
    """

    entry: int
    state: State
    question: str
    answer: str
    language: str
    audience: tuple[str, ...]
    author_name: str
    stripped: tuple[Stripped, ...] = ()
    left: tuple[Stripped, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()


class Learning:
    """Everything that is done with entries; EntryProblem says what cannot be."""

    def __init__(
        self,
        *,
        entries: Entries,
        publisher: Publisher,
        checker: Checker,
        settings: LearningSettings,
        names: NameFinder | None = None,
    ) -> None:
        self._entries = entries
        self._publisher = publisher
        self._checker = checker
        self._settings = settings
        self._names = names

    async def propose(
        self, ticket: int, *, actor: str, actor_name: str, answer: str | None = None, signed: str | None = None
    ) -> Proposal:
        """Make a draft of a ticket's question and what a person said last, or `answer`; a ticket has one draft.

        It is cited by that person's name, or as it is `signed`.
        """
        lesson = await self._entries.lesson(ticket)
        if lesson is None or not lesson.question.strip():
            raise EntryProblem(f"ticket {ticket}: there is no such ticket, or its words were erased")
        spoken = last_words(lesson.said)
        if not answer and spoken is None:
            raise EntryProblem(f"ticket {ticket}: nobody has answered it yet; reply first, or give the answer")
        by, name = (actor, actor_name) if answer or spoken is None else (spoken.actor, spoken.name or actor_name)
        taught, stripped = await self._taught(lesson, answer or (spoken.text if spoken else ""))
        taught = replace(taught, ticket=ticket, author=by, author_name=signed or name)
        return await self._proposal(await self._entries.draft(taught, actor=actor), stripped)

    async def _taught(self, lesson: Lesson, text: str) -> tuple[Taught, Sequence[Stripped]]:
        language = language_of(text)
        names = await self._found(lesson.question)
        question, from_question = general_question(lesson, names)
        answer, from_answer = clean_answer(
            text, known=lesson.names, names=await self._found(text), shown=lambda kind: _placeholder(kind, language)
        )
        if not (question and answer):
            raise EntryProblem("nothing is left of the question or the answer but courtesies; give both in your words")
        _refuse_long(question, answer)
        taught = Taught(question, answer, language, links_of(answer), self._settings.audience, "", "", None)
        return taught, [*from_question, *from_answer]

    async def _found(self, text: str) -> Collection[tuple[int, int]]:
        return await self._names.names(text, language_of(text)) if self._names else ()

    async def _proposal(self, entry: Entry, stripped: Sequence[Stripped] = ()) -> Proposal:
        others = [other for other in await self._entries.approved() if other.id != entry.id]
        checked = Checked(entry.question, entry.answer, entry.audience)
        findings = await self._checker.check(checked, others)
        return Proposal(
            entry.id,
            entry.state,
            entry.question,
            entry.answer,
            entry.language,
            entry.audience,
            entry.author_name,
            stripped=tuple(stripped),
            left=(*_left("question", entry.question), *_left("answer", entry.answer)),
            duplicates=findings.duplicates,
            contradictions=findings.contradictions,
        )

    async def proposal(self, entry: int) -> Proposal:
        """Return an entry as it stands, with what speaks against it."""
        return await self._proposal(_known(entry, await self._entries.get(entry)))

    async def edit(
        self, entry: int, *, question: str, answer: str, actor: str, audience: tuple[str, ...] | None = None
    ) -> Proposal:
        """Word an entry anew, exactly so; one that is knowledge changes in the index at once."""
        known = _known(entry, await self._entries.get(entry))
        question, answer = " ".join(question.split()), answer.strip()
        if not (question and answer):
            raise EntryProblem(f"entry {entry} needs both a question and an answer")
        _refuse_long(question, answer)
        changed = Taught(
            question,
            answer,
            language_of(answer),
            links_of(answer),
            known.audience if audience is None else audience,
            known.author,
            known.author_name,
            known.ticket,
        )
        reworded = _known(entry, await self._entries.reword(entry, changed, actor=actor))
        if reworded.state == "approved":
            await self.publish()
        return await self._proposal(reworded)

    async def approve(self, entry: int, *, actor: str) -> Entry:
        """Make an entry knowledge, searchable when this returns."""
        known = _known(entry, await self._entries.get(entry))
        now = datetime.now(UTC)
        ends = known.expires_at if known.expires_at and known.expires_at > now else _in(self._settings.expire_days, now)
        until = Until(_in(self._settings.review_days, now), ends)
        approved = await self._turned(entry, "approved", actor, until)
        await self.publish()
        return approved

    async def reject(self, entry: int, *, actor: str) -> Entry:
        """Give up a draft."""
        return await self._turned(entry, "rejected", actor)

    async def unlearn(self, entry: int, *, actor: str) -> Entry:
        """Take an entry back: it has left the index when this returns."""
        unlearned = await self._turned(entry, "unlearned", actor)
        await self.publish()
        return unlearned

    async def time(self, entry: int, until: Until) -> Entry:
        """Set when an entry is to be looked at again, and when it ends."""
        return _known(entry, await self._entries.time(entry, until))

    async def publish(self) -> None:
        """Bring the index in step with the approved entries; where it is already, nothing happens."""
        await self._publisher.publish()

    async def expire_due(self, now: datetime) -> Sequence[int]:
        """Take out of the index what is over, and put right what was left half done; return what has expired."""
        expired = await self._entries.expire(now)
        await self.publish()
        return expired

    async def _turned(self, entry: int, state: State, actor: str, until: Until | None = None) -> Entry:
        turned = _known(entry, await self._entries.turn(entry, state, actor=actor, until=until))
        if turned.state != state:
            raise EntryProblem(f"entry {entry} is {turned.state} and cannot become {state}")
        return turned


def learning_of(desk: Desk) -> Learning:
    """Return what is done with entries over everything open."""
    base, settings = desk.base, desk.base.settings
    background = Background(desk.embedder, home=settings.home)
    entries = PostgresEntries(base.pool)
    return Learning(
        entries=entries,
        publisher=Publisher(
            entries, documents=base.documents, runs=base.runs, vectors=base.vectors, embedder=desk.embedder
        ),
        checker=Checker(
            likeness=Likeness(desk.embedder, background),
            retriever=desk.retriever,
            verifier=Verifier(embedder=desk.embedder, background=background),
            sources=configured_names(settings),
            threshold=Relevance(settings.answer.threshold),
        ),
        settings=settings.learning,
        names=SpacyNames(settings.learning.name_models) if settings.learning.name_models else None,
    )


def _known(number: int, entry: Entry | None) -> Entry:
    if entry is None:
        raise EntryProblem(f"there is no entry {number}; `answerdesk entries` lists them")
    return entry


def _refuse_long(question: str, answer: str) -> None:
    if not is_given_whole(question, answer):
        raise EntryProblem(
            f"an answer of {len(answer):,} characters cannot be given as a whole; shorten it to some 2,000, or put"
            " it on a page and link to that"
        )


def _in(days: int, now: datetime) -> datetime | None:
    return now + timedelta(days=days) if days else None


def _placeholder(kind: Personal, language: str) -> str:
    return f"[{phrase(f'personal_{kind}', language)}]"


def _left(part: Part, text: str) -> list[Stripped]:
    return [Stripped(one.kind, part, text[one.start : one.end]) for one in personal(text)]
