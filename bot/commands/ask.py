"""`answerdesk ask`."""

from contextlib import nullcontext
from dataclasses import asdict, replace
from typing import Any

from rich.console import Console

from bot.channels.terminal import growing, show_reply
from bot.cli import DONE, error_console, print_json
from bot.commands.reading import reader_of, reply_language
from bot.compose import Base, open_desk
from bot.core.cite import Footnote, footnotes
from bot.core.handle import clean_question
from bot.core.messages import Asked, Checks, Citation, Reply, Sentence
from bot.settings import Settings
from knowledge.parse.lines import line_starts
from knowledge.quotable import hides_nothing

# Longer stretches of a document are no quote.
MAX_STRETCH_CHARACTERS = 1_500


async def ask(settings: Settings, question: str, *, as_json: bool, read_as: str | None, language: str | None) -> int:
    """Ask one question and print the reply."""
    cleaned, spoken = clean_question(question), reply_language(language)
    console = Console()
    async with open_desk(settings) as desk:
        asked = Asked(cleaned, await reader_of(desk.base, read_as), spoken, asker=read_as or "local")
        with nullcontext() if as_json else growing(console) as watcher:
            reply = await desk.handler.handle(asked, watcher)
        if as_json:
            print_json(await reply_document(desk.base, reply))
    if not as_json:
        show_reply(console, reply)
        if not reply.evidence and not reply.is_cached:
            error_console().print("nothing was found at all: `answerdesk status` shows what is indexed")
    return DONE


async def reply_document(base: Base, reply: Reply) -> dict[str, Any]:
    """Return a reply in the form that scripts rely on."""
    return {
        "decision": reply.decision,
        "text": reply.text,
        "language": reply.language,
        "relevance": None if reply.relevance is None else round(reply.relevance, 6),
        "threshold": reply.threshold,
        "reason": reply.reason,
        "citations": [await _footnote_document(base, footnote) for footnote in footnotes(reply.sentences)],
        "ticket": reply.ticket,
        "answerer": reply.answerer,
        "timings_ms": {step: round(milliseconds, 2) for step, milliseconds in reply.timings_ms.items()},
        "fingerprint": reply.fingerprint,
        "notes": list(reply.notes),
        "sentences": [_sentence_document(sentence) for sentence in reply.sentences],
        "rejected": [{"text": rejected.text, **_checks_document(rejected.checks)} for rejected in reply.rejected],
        "calls": [asdict(call) for call in reply.calls],
        "cached": reply.is_cached,
    }


async def _footnote_document(base: Base, footnote: Footnote) -> dict[str, Any]:
    """Return one source; `quotes` has each piece that is quoted, `quote` the stretch of the document with all of them.

    Where something between them is hidden from readers, or much, `quote` is the first alone.
    """
    first = footnote.first
    whole = footnote.quotes[0]
    if len(footnote.quotes) > 1:
        text = await base.documents.text(first.source, first.document) or ""
        whole = _stretch(text, footnote) or whole
    return {
        "marker": footnote.marker,
        "title": first.title,
        "heading": list(first.heading),
        "url": first.url,
        "source": first.source,
        "document": first.document,
        "quote": whole.quote,
        "start_line": whole.start_line,
        "end_line": whole.end_line,
        "author": first.author,
        "updated_at": first.updated_at and first.updated_at.isoformat(),
        "outdated": first.is_outdated,
        "quotes": [_quote_document(citation) for citation in footnote.quotes],
    }


def _stretch(text: str, footnote: Footnote) -> Citation | None:
    """Return the first quote widened to all of them; None where that would show more than a reader sees."""
    starts = line_starts(text)
    first_line, last_line = footnote.lines
    offsets = [text.find(quote.quote, starts[quote.start_line - 1]) for quote in footnote.quotes]
    ends = [offset + len(quote.quote) for offset, quote in zip(offsets, footnote.quotes, strict=True)]
    stretch = text[min(offsets) : max(ends)]
    if min(offsets) < 0 or len(stretch) > MAX_STRETCH_CHARACTERS or not hides_nothing(stretch):
        return None
    return replace(footnote.first, quote=stretch, start_line=first_line, end_line=last_line)


def _quote_document(citation: Citation) -> dict[str, Any]:
    return {"quote": citation.quote, "start_line": citation.start_line, "end_line": citation.end_line}


def _sentence_document(sentence: Sentence) -> dict[str, Any]:
    return {
        "text": sentence.text,
        "citations": [{"marker": cited.marker, **_quote_document(cited)} for cited in sentence.citations],
        **_checks_document(sentence.checks),
    }


def _checks_document(checks: Checks) -> dict[str, Any]:
    return {
        "support": round(checks.support, 4),
        "method": checks.method,
        "supported": checks.supported,
        "checks": {
            "valid": checks.valid,
            "facts": not checks.missing,
            "missing": list(checks.missing),
            "polarity": checks.disagreement is None,
            "disagreement": checks.disagreement,
        },
    }
