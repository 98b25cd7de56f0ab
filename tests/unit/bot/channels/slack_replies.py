"""Replies, and what is read of the messages that Slack is sent for them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.channels.slack.render.reply import Posting
from bot.core.messages import Checks, Citation, Reply, Sentence
from knowledge.types import Relevance

CITATION = Citation(
    marker=1,
    passage_id=1,
    title="VPN",
    heading=("VPN", "First steps"),
    url="https://wiki.example.org/vpn?a=1&b=2#first steps",
    source="docs",
    document="vpn.md",
    quote="Take the badge.",
    start_line=1,
    end_line=1,
    author=None,
    updated_at=datetime(2026, 5, 1, tzinfo=UTC),
)


def said(text: str, *, marker: int = 1, is_code: bool = False, **changes: Any) -> Sentence:
    citation = replace(CITATION, marker=marker, **changes)
    return Sentence(text, (citation,), Checks(valid=True, support=1.0), is_code)


def answered(*sentences: Sentence, language: str = "en", notes: tuple[str, ...] = (), text: str = "") -> Reply:
    return Reply(
        decision="answer" if sentences else "escalate",
        question="How?",
        text=text,
        language=language,
        relevance=Relevance(0.9),
        threshold=Relevance(0.5),
        reason=None if sentences else "absent",
        sentences=sentences,
        ticket=None if sentences else 7,
        answerer="extractive",
        evidence=(),
        timings_ms={},
        fingerprint="f",
        notes=notes,
    )


def blocks_of(posted: Sequence[Posting], kind: str) -> list[dict[str, Any]]:
    return [block for posting in posted for block in posting.blocks if block["type"] == kind]


def elements(blocks: list[dict[str, Any]], kind: str = "context") -> list[dict[str, Any]]:
    return [element for block in blocks if block["type"] == kind for element in block["elements"]]


def small_print(posted: list[Posting]) -> list[str]:
    return [element["text"] for posting in posted for element in elements(posting.blocks)]


def shown(markdown: str) -> str:
    """Return the characters that a reader of Markdown sees."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    return "".join(_visible(tokens))


def _visible(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("text", "code_inline", "fence", "code_block"):
            yield token.content
        elif token.type in ("softbreak", "hardbreak", "th_close", "td_close", "paragraph_close"):
            yield "\n"
        yield from _visible(token.children or [])
