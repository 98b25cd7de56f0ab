"""Hits and evidence as a search would have found them."""

from knowledge.parse import markdown
from knowledge.types import Evidence, Hit, RankScore, Relevance, Signals


def hit(
    text: str,
    *,
    document: str = "vpn.md",
    language: str = "en",
    start_line: int = 1,
    passage_id: int = 1,
    search_text: str | None = None,
) -> Hit:
    """Return a hit whose passage is `text`; readers see all of it unless `search_text` says otherwise."""
    return Hit(
        passage_id=passage_id,
        source="docs",
        document=document,
        title="Title",
        url=None,
        heading=("Title",),
        anchor=None,
        text=text,
        search_text=_seen(text) if search_text is None else search_text,
        start_line=start_line,
        end_line=start_line + text.count("\n"),
        author=None,
        media_type="text/markdown",
        updated_at=None,
        language=language,
        fused=RankScore(3.0),
        fused_rank=1,
        signals=Signals(dense=0.9, dense_rank=1, lexical=9.0, lexical_rank=1, coverage=0.8),
    )


def _seen(text: str) -> str:
    return "\n".join(block.text for block in markdown.parse(text).blocks)


def evidence(text: str, *, relevance: float = 0.9, document: str = "vpn.md", start_line: int = 1) -> Evidence:
    """Return a hit on `text` with a relevance."""
    return Evidence(hit(text, document=document, start_line=start_line), Relevance(relevance))
