"""Small documents for the real database: written as texts, stored and searched through the stores."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from knowledge.embed import Space, complete_vectors
from knowledge.fuse import FusionSettings
from knowledge.prepare import PreparedDocument, prepare
from knowledge.retrieve import Query
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.store.search import PostgresSearch
from knowledge.store.vectors import PostgresVectors
from knowledge.terms import question_terms
from knowledge.types import PUBLIC, Audience, Document, Hit, Reader
from tests.fakes.embedder import FakeEmbedder

EVERYTHING = FusionSettings()


def prepared(path: str, text: str, *, revision: str = "1") -> PreparedDocument:
    """Return a document as a sync would store it."""
    return prepare(Document("docs", path, text, revision, title=path))


async def store(
    pool: Pool, texts: Mapping[str, str], *, source: str = "docs", audience: Sequence[str] = (PUBLIC,)
) -> int:
    """Store documents given by path and return their source's number."""
    documents = PostgresDocuments(pool)
    source_id = await documents.open_source(source, "fake")
    for path, text in texts.items():
        await documents.replace(source_id, prepared(path, text), Audience.of(audience))
    return source_id


async def embed_all(pool: Pool, embedder: FakeEmbedder | None = None) -> Space:
    """Complete the vectors and return their space."""
    embedder = embedder or FakeEmbedder()
    await complete_vectors(PostgresVectors(pool), embedder, progress=lambda done, total: None)
    return await PostgresVectors(pool).open_space(embedder.model, embedder.dimension)


class Searcher:
    """Asks the index as the retriever does."""

    def __init__(
        self,
        pool: Pool,
        space: Space,
        *,
        sources: Sequence[str] = ("docs",),
        levels: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self._pool = pool
        self._levels = levels
        self._space = space
        self._sources = sources

    async def ask(
        self,
        question: str,
        *,
        tags: Sequence[str] = (PUBLIC,),
        by_words: bool = False,
        limit: int = 50,
        fusion: FusionSettings = EVERYTHING,
    ) -> list[Hit]:
        """Return what a reader with these tags finds; `by_words` leaves the vectors out."""
        index = PostgresSearch(self._pool, space=self._space, fusion=fusion, sources=self._sources)
        vectors = await FakeEmbedder().embed([question], role="query")
        terms = question_terms(question, "en")
        query = Query(terms, "en", None if by_words else vectors[0], {} if by_words else self._levels)
        return await index.search(query, reader=Reader(frozenset(tags)), limit=limit)
