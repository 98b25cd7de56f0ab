"""What of tickets becomes knowledge, as people at a desk see it and decide on it."""

import logging
from collections.abc import Iterator

from bot.core.desk.book import Case, Event
from bot.core.desk.desks import Desk
from bot.core.errors import EntryProblem
from bot.core.learning.entry import Entry
from bot.core.phrases import phrase
from bot.core.tickets.acts import ActKind
from bot.core.tickets.post import Part, Post, Press
from bot.learning import Learning, Proposal

# Of what speaks against an entry so much is shown.
MOST_FINDINGS = 3
FINDING_CHARACTERS = 300

log = logging.getLogger(__name__)


class Teacher:
    """The `Teaching` port: nothing becomes knowledge before a person has seen it and said so."""

    def __init__(self, learning: Learning) -> None:
        self._learning = learning

    async def proposed(self, case: Case, event: Event, desk: Desk, name: str) -> Post:
        """Return a draft entry made of a ticket, with what was taken out of it and what speaks against it."""
        try:
            proposal = await self._learning.propose(case.number, actor=event.actor, actor_name=name)
        except EntryProblem as exc:
            return _refused(exc, desk)
        return _shown(proposal, desk.language)

    async def decided(self, case: Case, event: Event, desk: Desk) -> Post:
        """Do what was decided on an entry, and return what came of it."""
        entry = int(event.details["entry"])
        try:
            return await self._decided(entry, event, desk.language)
        except EntryProblem as exc:
            return _refused(exc, desk)

    async def _decided(self, entry: int, event: Event, language: str) -> Post:
        if event.kind == "approve":
            approved = await self._learning.approve(entry, actor=event.actor)
            return _told("entry_approved", approved, language)
        if event.kind == "reject":
            await self._learning.reject(entry, actor=event.actor)
            return Post((Part(phrase("entry_rejected", language, entry=entry)),), language=language)
        known = await self._learning.proposal(entry)
        reworded = await self._learning.edit(
            entry,
            question=event.details.get("question") or known.question,
            answer=event.details.get("answer") or event.text or known.answer,
            actor=event.actor,
        )
        return _shown(reworded, language)


def _shown(proposal: Proposal, language: str) -> Post:
    readers = ", ".join(proposal.audience)
    parts = [
        Part(phrase("entry_title", language, entry=proposal.entry), "title"),
        Part(proposal.question, "quote", label=phrase("entry_question", language)),
        Part(proposal.answer, "quote", label=phrase("entry_answer", language)),
        Part(phrase("entry_about", language, author=proposal.author_name or "?", readers=readers), "small"),
        *_findings(proposal, language),
    ]
    fields = (("question", proposal.question), ("answer", proposal.answer))

    def press(kind: ActKind) -> Press:
        label = phrase(f"press_{kind}", language)
        return Press(kind, proposal.entry, label, fields if kind == "reword" else (), is_first=kind == "approve")

    return Post(tuple(parts), ((press("approve"), press("reword"), press("reject")),), language=language)


def _findings(proposal: Proposal, language: str) -> Iterator[Part]:
    for name, spans in (("entry_stripped", proposal.stripped), ("entry_left", proposal.left)):
        if spans:
            told = "; ".join(dict.fromkeys(f"{phrase(f'personal_{one.kind}', language)}: {one.text}" for one in spans))
            yield Part(told, "item", label=phrase(name, language))
    for duplicate in proposal.duplicates[:MOST_FINDINGS]:
        label = f"{phrase('entry_duplicate', language)} {duplicate.place.title}"
        yield Part(duplicate.text[:FINDING_CHARACTERS], "item", label=label, url=duplicate.place.url)
    for found in proposal.contradictions[:MOST_FINDINGS]:
        label = f"{phrase('entry_contradiction', language)} {found.place.title}"
        text = f"{found.ours[:FINDING_CHARACTERS]} ≠ {found.theirs[:FINDING_CHARACTERS]}"
        yield Part(text, "item", label=label, url=found.place.url)


def _told(name: str, entry: Entry, language: str) -> Post:
    text = phrase(name, language, entry=entry.id, question=entry.question)
    return Post((Part(text),), language=language)


def _refused(exc: EntryProblem, desk: Desk) -> Post:
    log.warning("an entry: %s", exc)
    return Post((Part(phrase("entry_impossible", desk.language)),), language=desk.language)
