"""What a reader has to know beside the answer: what it leaves open, and how far its sources can be trusted."""

from bot.core.messages import Answer
from bot.core.phrases import phrase


def notes_on(answer: Answer, language: str) -> tuple[str, ...]:
    """Return the bot's own sentences about an answer, in the asker's language."""
    notes = []
    if answer.missing:
        notes.append(phrase("part_open", language, part=answer.missing))
    elif answer.missing is not None:
        notes.append(phrase("some_open", language))
    if answer.conflicting:
        notes.append(phrase("conflicting", language))
    if dates := _outdated(answer):
        notes.append(phrase("outdated", language, date=min(dates)))
    return tuple(notes)


def _outdated(answer: Answer) -> set[str]:
    return {
        citation.updated_at.date().isoformat()
        for sentence in answer.sentences
        for citation in sentence.citations
        if citation.is_outdated and citation.updated_at
    }
