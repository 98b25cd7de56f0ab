"""The core's ports in memory."""

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from bot.core.answer import Claim, Event, Finish, Task
from bot.core.budget import Reservation
from bot.core.cache import CachedAnswer
from bot.core.escalate import Handover, Opened
from bot.core.messages import Answer, Checks, Citation, Reply, Sentence
from knowledge.embed import Vectors
from knowledge.quotable import units_of
from knowledge.retrieve import Query
from knowledge.types import ANY_LANGUAGE, PUBLIC, Evidence, Hit, Quoted, Reader, Relevance
from tests.fakes.evidence import hit

VERBATIM = Checks(valid=True, support=1.0, method="verbatim")


class FakeTickets:
    """Keeps what was handed over."""

    def __init__(self) -> None:
        self.opened: list[Handover] = []
        self.suggested: list[Handover] = []

    async def open(self, handover: Handover) -> Opened:
        self.opened.append(handover)
        return Opened(len(self.opened))

    async def suggest(self, handover: Handover) -> Opened | None:
        self.suggested.append(handover)
        return None

    async def agreed(self, number: int, message: int) -> Opened | None:
        found = next((handover for handover in self.suggested if handover.message == number), None)
        return await self.open(found) if found else None


class FakeJournal:
    """Keeps what was answered to whom, and under which keys it may be found again."""

    def __init__(self) -> None:
        self.recorded: list[tuple[Reply, Reader]] = []
        self.keys: list[bytes | None] = []

    async def record(
        self,
        reply: Reply,
        reader: Reader,
        *,
        answer: Answer | None = None,
        cache_key: bytes | None = None,
        knowledge: bytes | None = None,
    ) -> int:
        self.recorded.append((replace(reply, number=len(self.recorded) + 1), reader))
        self.keys.append(cache_key if answer and knowledge else None)
        return len(self.recorded)


class FakeCache:
    """Finds what it is told to, whatever is asked."""

    def __init__(self, found: CachedAnswer | None = None) -> None:
        self._found = found

    async def state(self) -> bytes:
        return b"state"

    async def find(self, key: bytes, reader: Reader) -> CachedAnswer | None:
        return self._found


class FakeStanding:
    """Lets everything stand but the quotes that it is told of."""

    def __init__(self, *gone: str) -> None:
        self.gone = set(gone)

    async def standing(self, citations: Sequence[Quoted], reader: Reader) -> list[bool]:
        return [citation.quote not in self.gone for citation in citations]


class FakeBudget:
    """Has so much for everybody together, and keeps what was settled."""

    def __init__(self, usd: float = 100.0) -> None:
        self.left = usd
        self.settled: list[tuple[Reservation, float]] = []

    async def reserve(self, asker: str, usd: float) -> Reservation | None:
        if usd > self.left or not self.left:
            return None
        self.left -= usd
        return Reservation(date(2026, 1, 1), asker, usd)

    async def settle(self, reservation: Reservation, spent: float) -> None:
        self.left += reservation.usd - spent
        self.settled.append((reservation, spent))


class FakeAnswerer:
    """Says what its script makes of a task, one event after another; an exception in there is raised."""

    def __init__(
        self, script: Callable[[Task], Iterable[Event | Exception]], *, name: str = "fake", most_usd: float = 0.0
    ) -> None:
        self.name = name
        self.prompt_version = ""
        self.most_usd = most_usd
        self.tasks: list[Task] = []
        self._script = script

    async def answer(self, task: Task) -> AsyncGenerator[Event, None]:
        self.tasks.append(task)
        for event in self._script(task):
            if isinstance(event, Exception):
                raise event
            yield event


def claim(task: Task, text: str, quote: str | None = None) -> Claim:
    """Return a claim that cites the piece of the evidence with this quote (by default its own text); else nothing."""
    pieces = [unit for piece in task.evidence for unit in units_of(piece.hit)]
    cited = tuple(unit for unit in pieces if unit.quote == (text if quote is None else quote))
    return Claim(text, cited[:1])


def quoting(*quotes: str) -> FakeAnswerer:
    """Return an answerer that says these pieces of its evidence, and cites each."""
    return FakeAnswerer(lambda task: [*(claim(task, quote) for quote in quotes), Finish("done")])


class FakeWatcher:
    """Remembers all that was shown, one list a time."""

    def __init__(self) -> None:
        self.shown: list[list[str]] = []

    async def show(self, sentences: Sequence[Sentence]) -> None:
        self.shown.append([sentence.text for sentence in sentences])


def citation(hit: Hit, quote: str) -> Citation:
    """Return a citation of a hit's first line."""
    return Citation(
        marker=7,
        passage_id=hit.passage_id,
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
        sentences=(Sentence(quote, (replace(where, marker=1),), VERBATIM),),
        ticket=None,
        answerer="fake",
        evidence=(),
        timings_ms={},
        fingerprint="f",
    )


class FakeIndex:
    """Finds the same hits whatever is asked, for those who hold the tag, and remembers who asked what."""

    def __init__(self, hits: Sequence[Hit], *, tag: str = PUBLIC) -> None:
        self._hits = list(hits)
        self.tag = tag
        self.queries: list[Query] = []
        self.readers: list[Reader] = []
        self.with_vector: list[bool] = []

    async def search(self, query: Query, *, reader: Reader, limit: int) -> list[Hit]:
        self.readers.append(reader)
        self.with_vector.append(query.vector is not None)
        self.queries.append(query)
        return self._hits[:limit] if self.tag in reader.tags else []


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
