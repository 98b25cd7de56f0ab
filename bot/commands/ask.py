"""`answerdesk ask`."""

from typing import Any

from rich.console import Console

from bot.channels.terminal import show_reply
from bot.cli import DONE, error_console, print_json
from bot.commands.reading import reader_of, reply_language
from bot.compose import open_desk
from bot.core.handle import clean_question
from bot.core.messages import Asked, Citation, Reply
from bot.settings import Settings


async def ask(settings: Settings, question: str, *, as_json: bool, read_as: str | None, language: str | None) -> int:
    """Ask one question and print the reply."""
    cleaned, spoken = clean_question(question), reply_language(language)
    async with open_desk(settings) as desk:
        reply = await desk.handler.handle(Asked(cleaned, await reader_of(desk.base, read_as), spoken))
    if as_json:
        print_json(reply_document(reply))
    else:
        show_reply(Console(), reply)
        if not reply.evidence:
            error_console().print("nothing was found at all: `answerdesk status` shows what is indexed")
    return DONE


def reply_document(reply: Reply) -> dict[str, Any]:
    """Return a reply in the form that scripts rely on."""
    return {
        "decision": reply.decision,
        "text": reply.text,
        "language": reply.language,
        "relevance": None if reply.relevance is None else round(reply.relevance, 6),
        "threshold": reply.threshold,
        "reason": reply.reason,
        "citations": [_citation_document(sentence.citation) for sentence in reply.sentences],
        "ticket": reply.ticket,
        "answerer": reply.answerer,
        "timings_ms": {step: round(milliseconds, 2) for step, milliseconds in reply.timings_ms.items()},
        "fingerprint": reply.fingerprint,
    }


def _citation_document(citation: Citation) -> dict[str, Any]:
    return {
        "marker": citation.marker,
        "title": citation.title,
        "heading": list(citation.heading),
        "url": citation.url,
        "source": citation.source,
        "document": citation.document,
        "quote": citation.quote,
        "start_line": citation.start_line,
        "end_line": citation.end_line,
        "author": citation.author,
        "updated_at": citation.updated_at and citation.updated_at.isoformat(),
    }
