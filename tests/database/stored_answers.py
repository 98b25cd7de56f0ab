"""Answers as the core makes them, with everything that a stored one has to give back."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

from bot.core.messages import Answer, Call, Checks, Citation, Reply, Sentence
from tests.fakes.core import VERBATIM, citation, reply_citing
from tests.fakes.evidence import hit

KYIV = timezone(timedelta(hours=2))
CALL = Call("m-1", "answer-1", 1_200, 90, 1_000, 200, usd=0.0123, seconds=1.5, stop_reason="end_turn")
CUT = Call("m-1", "answer-1", stop_reason=None)


def quoting(quote: str, *, document: str = "a.md", marker: int = 1) -> Citation:
    """Return a citation of a quote on the first line of a document."""
    return replace(citation(hit(quote, document=document), quote), marker=marker)


def said(text: str, *cited: Citation, checks: Checks = VERBATIM) -> Sentence:
    """Return a sentence with its citations."""
    return Sentence(text, cited, checks)


def rich_answer() -> Answer:
    """Return an answer that uses every field there is."""
    dated = replace(
        quoting("The door code is 7.", marker=1),
        heading=("Двері", "門"),
        url="https://wiki.example.org/a#L1",
        author="Olena",
        updated_at=datetime(2024, 2, 29, 23, 59, 59, 123456, KYIV),
        is_outdated=True,
    )
    other = replace(
        quoting("Knock twice.", marker=1), start_line=3, end_line=4, updated_at=datetime(2025, 1, 1, tzinfo=UTC)
    )
    doubtful = Checks(False, ("7 %", "№ 8"), "negation", support=1 / 3, method="vectors")
    return Answer(
        (
            said("Код дверей — 7 😀.", dated, other),
            said("Knock twice.", other, quoting("Other.", document="b.md", marker=2), checks=doubtful),
            Sentence("knock\n\t--twice", (other,), VERBATIM, is_code=True),
        ),
        "claude",
        missing="",
        conflicting=True,
    )


def reply_of(answer: Answer, *, calls: Sequence[Call] = ()) -> Reply:
    """Return the reply that gives an answer."""
    reply = reply_citing("", document="a.md")
    return replace(
        reply,
        text=answer.text,
        language="uk",
        answerer=answer.answerer,
        sentences=answer.sentences,
        notes=("Джерела суперечать одне одному.", "Some of it stays open."),
        calls=tuple(calls),
    )
