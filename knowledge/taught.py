"""Entries that people taught stand beside the documents: searched apart, weighed by the question that they answer."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from knowledge.errors import EmbedderProblem, TransientError
from knowledge.likeness import SAME_QUESTION, VERSION, Likeness
from knowledge.retrieve import Index, Query, Reranker
from knowledge.types import CURATED, Evidence, Hit, Reader

# So many passages of entries are compared with a question; an entry may have a few.
ENTRIES_COMPARED = 20


class TaughtIndex:
    """The `Index` port over documents and entries.

    Many documents in the asker's language crowd out an entry in another one, and every entry would change what the
    documents' scores are measured against: so neither is searched among the other. All places share the entries.
    """

    def __init__(self, documents: Index, entries: Index) -> None:
        self._documents = documents
        self._entries = entries

    async def search(self, query: Query, *, reader: Reader, limit: int) -> list[Hit]:
        documents, entries = await asyncio.gather(
            self._documents.search(query, reader=reader, limit=limit),
            self._entries.search(replace(query, sources=None), reader=reader, limit=ENTRIES_COMPARED),
        )
        return [*documents, *entries]


class TaughtReranker:
    """The `Reranker` port around another one, which weighs the documents and never sees the entries.

    An entry that answers the same question comes first; any other last, where it stands in no document's way.
    """

    def __init__(self, inner: Reranker, likeness: Likeness) -> None:
        self._inner = inner
        self._likeness = likeness

    @property
    def name(self) -> str:
        """What the fingerprint records."""
        return f"{self._inner.name}, {VERSION}"

    async def rerank(self, question: str, hits: Sequence[Hit]) -> list[Evidence]:
        entries = [hit for hit in hits if hit.source == CURATED]
        documents = await self._inner.rerank(question, [hit for hit in hits if hit.source != CURATED])
        try:
            titles = list(dict.fromkeys(hit.title for hit in entries))
            same = dict(zip(titles, await self._likeness.compare(question, titles), strict=True))
        except (TransientError, EmbedderProblem):
            # By words alone, nobody can tell.
            return documents
        taught = [Evidence(hit, same[hit.title]) for hit in entries]
        taught.sort(key=lambda piece: -piece.relevance)
        first = [piece for piece in taught if piece.relevance >= SAME_QUESTION]
        return [*first, *documents, *taught[len(first) :]]
