"""The core's ports in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.core.escalate import Handover
from bot.core.messages import Answer, Citation, Reply, Sentence
from knowledge.embed import Vectors
from knowledge.retrieve import Query
from knowledge.types import ANY_LANGUAGE, Evidence, Hit, Reader, Relevance
from tests.fakes.evidence import hit


class FakeTickets:
    """Keeps what was handed over."""

    def __init__(self) -> None:
        self.opened: list[Handover] = []

    async def open(self, handover: Handover) -> int:
        self.opened.append(handover)
        return len(self.opened)


class FakeJournal:
    """Keeps what was answered to whom."""

    def __init__(self) -> None:
        self.recorded: list[tuple[Reply, Reader]] = []

    async def record(self, reply: Reply, reader: Reader) -> int:
        self.recorded.append((reply, reader))
        return len(self.recorded)


class FakeAnswerer:
    """Says one sentence, quoting what it is told to."""

    name = "fake"

    def __init__(self, quote: str | None) -> None:
        self._quote = quote

    async def answer(self, question: str, evidence: Sequence[Evidence], *, language: str) -> Answer | None:
        if self._quote is None:
            return None
        return Answer((Sentence(self._quote, citation(evidence[0].hit, self._quote)),), self.name)


def citation(hit: Hit, quote: str) -> Citation:
    """Return a citation of a hit's first line."""
    return Citation(
        marker=7,
        title=hit.title,
        heading=hit.heading,
        url=None,
        source=hit.source,
        document=hit.document,
        quote=quote,
        start_line=hit.start_line,
        end_line=hit.start_line,
        author=None,
        updated_at=None,
    )


def reply_citing(quote: str, *, document: str) -> Reply:
    """Return an answer of one sentence, as it would be sent."""
    where = citation(replace(hit(quote, document=document), source="docs"), quote)
    return Reply(
        decision="answer",
        question="What?",
        text=f"{quote} [1]",
        language="en",
        relevance=Relevance(0.9),
        threshold=Relevance(0.5),
        reason=None,
        sentences=(Sentence(quote, replace(where, marker=1)),),
        ticket=None,
        answerer="fake",
        evidence=(),
        timings_ms={},
        fingerprint="f",
    )


class FakeIndex:
    """Finds the same hits whatever is asked, and remembers who asked."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        self._hits = list(hits)
        self.readers: list[Reader] = []
        self.with_vector: list[bool] = []

    async def search(self, query: Query, *, reader: Reader, limit: int) -> list[Hit]:
        self.readers.append(reader)
        self.with_vector.append(query.vector is not None)
        return self._hits[:limit]


class FakeLevels:
    """Finds the same level in every language."""

    async def levels(self, vector: Vectors) -> Mapping[str, float]:
        return {ANY_LANGUAGE: 0.7}


class FakeReranker:
    """Finds every hit equally relevant."""

    name = "fake"

    def __init__(self, relevance: float) -> None:
        self._relevance = Relevance(relevance)

    async def rerank(self, question: str, hits: Sequence[Hit]) -> list[Evidence]:
        return [Evidence(hit, self._relevance) for hit in hits]
