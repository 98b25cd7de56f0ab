"""`answerdesk search`."""

from typing import Any

from rich.console import Console

from bot.channels.terminal import hit_table
from bot.cli import DONE, print_json
from bot.commands.reading import reader_of
from bot.compose import open_desk
from bot.core.handle import clean_question
from bot.settings import Settings
from knowledge.links import passage_link
from knowledge.types import Evidence


async def search(settings: Settings, question: str, *, as_json: bool, limit: int, read_as: str | None) -> int:
    """Print what a question finds, best first."""
    asked = clean_question(question)
    async with open_desk(settings) as desk:
        reader = await reader_of(desk.base, read_as)
        retrieved = await desk.retriever.retrieve(asked, reader=reader)
    evidence = retrieved.evidence[:limit]
    if as_json:
        timings = {step: round(milliseconds, 2) for step, milliseconds in retrieved.timings_ms.items()}
        print_json({"hits": [_hit_document(piece) for piece in evidence], "timings_ms": timings})
    elif evidence:
        Console().print(hit_table([(piece.hit, piece.relevance) for piece in evidence]))
    else:
        Console().print("nothing found; `answerdesk status` shows what is indexed")
    return DONE


def _hit_document(piece: Evidence) -> dict[str, Any]:
    hit = piece.hit
    return {
        "document": hit.document,
        "heading": list(hit.heading),
        "text": hit.text,
        "source": hit.source,
        "url": passage_link(hit.url, anchor=hit.anchor, start_line=hit.start_line, end_line=hit.end_line),
        "dense_rank": hit.signals.dense_rank,
        "lexical_rank": hit.signals.lexical_rank,
        "fused_rank": hit.fused_rank,
        "relevance": round(piece.relevance, 6),
        "start_line": hit.start_line,
        "end_line": hit.end_line,
    }
