"""Opens what cuts documents, for each source as its settings say."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from bot.cutting_tables import CuttingChoice
from bot.registry import build
from bot.settings import Settings
from knowledge.embed import CountsTokens, Embedder, Vectors
from knowledge.errors import EmbedderUnavailable
from knowledge.prepare import Chunker, Cutting

# How long a batch of a document's sentences may wait for its vectors.
VECTORS_DEADLINE_S = 120.0


@asynccontextmanager
async def open_cuttings(settings: Settings, embedder: Embedder) -> AsyncIterator[Mapping[str, Cutting]]:
    """Open the chunkers of all sources, by the sources' names."""
    async with AsyncExitStack() as stack:
        yield {
            name: await stack.enter_async_context(open_cutting(choice, embedder))
            for name, choice in settings.cuttings.items()
        }


@asynccontextmanager
async def open_cutting(choice: CuttingChoice, embedder: Embedder) -> AsyncIterator[Cutting]:
    """Open the chunkers of one source."""
    tokens = embedder.count_tokens if isinstance(embedder, CountsTokens) else None
    offered = {"tokens": tokens, "vectors": _vectors(embedder, asyncio.get_running_loop())}
    async with AsyncExitStack() as stack:
        opened: dict[str, Chunker] = {
            kind: await stack.enter_async_context(build("chunker", chosen.kind, chosen.settings, **offered))
            for kind, chosen in choice.chunkers.items()
        }
        yield Cutting(
            prose=opened["prose"],
            others={kind: opened[kind] for kind in ("api", "code", "table")},
            context_line=choice.common.context_line,
            section_tokens=choice.common.section_tokens,
            embedder=embedder.model if any("tokens" in chunker.name for chunker in opened.values()) else "",
        )


def _vectors(embedder: Embedder, loop: asyncio.AbstractEventLoop) -> Callable[[Sequence[str]], Vectors]:
    """Return what embeds texts for a thread in which a document is cut."""

    async def embedded(texts: Sequence[str]) -> Vectors:
        return await embedder.embed(texts, role="passage")

    def wait(texts: Sequence[str]) -> Vectors:
        try:
            return asyncio.run_coroutine_threadsafe(embedded(texts), loop).result(VECTORS_DEADLINE_S)
        except TimeoutError as exc:
            raise EmbedderUnavailable(
                f"the embedding model took more than {VECTORS_DEADLINE_S:g} s for a batch of sentences"
            ) from exc

    return wait
