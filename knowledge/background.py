"""How alike a question is to text of each language in general: the level that a good passage must rise above.

An embedding model gives every pair of texts some likeness, more when they share a language, and how much depends on the
question. The mean over a fixed set of passages about everything (`background_texts/*.txt`, the same topics in each
language) is that level, whatever the knowledge base holds: score normalisation against a cohort, as in speaker
verification (Auckenthaler, Carey and Lloyd-Thomas, 2000). Since vectors are compared by inner product, one mean vector
a language is enough for that; how near two languages lie to each other takes the single passages.
"""

import asyncio
import hashlib
import logging
import os
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from knowledge.embed import Embedder, Vectors
from knowledge.types import ANY_LANGUAGE

log = logging.getLogger(__name__)


class Background:
    """The `Levels` port, and the vectors behind it: embedded once a home and model, then read from a file.

    Without a home they are embedded once a process.
    """

    def __init__(self, embedder: Embedder, *, home: Path | None = None) -> None:
        self._embedder = embedder
        self._folder = home and home / "models"
        self._vectors: Mapping[str, Vectors] = {}
        self._means: Mapping[str, Vectors] = {}
        self._loading = asyncio.Lock()

    async def levels(self, vector: Vectors) -> dict[str, float]:
        """Return a question vector's mean inner product with each language's background, and with ANY_LANGUAGE."""
        await self._load()
        return {language: float(mean @ vector) for language, mean in self._means.items()}

    async def vectors(self, language: str) -> Vectors:
        """Return the vectors of a language's passages in their order; those of English for a language without any."""
        await self._load()
        return self._vectors.get(language, self._vectors["en"])

    async def _load(self) -> None:
        async with self._loading:
            if not self._vectors:
                self._vectors = await self._kept(self._folder) if self._folder else await self._embedded()
                means = {language: vectors.mean(axis=0) for language, vectors in self._vectors.items()}
                self._means = means | {ANY_LANGUAGE: np.mean(list(means.values()), axis=0)}

    async def _kept(self, folder: Path) -> Mapping[str, Vectors]:
        path = folder / f"background-vectors-{_recipe(self._embedder.model, background_texts())}.npz"
        stored = await asyncio.to_thread(_read, path)
        if stored:
            return stored
        vectors = await self._embedded()
        try:
            await asyncio.to_thread(_write, path, vectors)
        except OSError as exc:
            log.warning("%s could not be written (%s): it is made again at every start", path, exc)
        return vectors

    async def _embedded(self) -> Mapping[str, Vectors]:
        return {
            language: await self._embedder.embed(passages, role="passage")
            for language, passages in background_texts().items()
        }


@cache
def background_texts() -> Mapping[str, Sequence[str]]:
    """Return the passages of each language, by its ISO 639-1 code; one line of each file has the same topic."""
    folder = resources.files("knowledge") / "background_texts"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".txt")), key=lambda file: file.name)
    return {file.name.removesuffix(".txt"): file.read_text(encoding="utf-8").splitlines() for file in files}


def _recipe(model: str, texts: Mapping[str, Sequence[str]]) -> str:
    return hashlib.sha256(repr((model, texts)).encode()).hexdigest()[:16]


def _read(path: Path) -> dict[str, Vectors] | None:
    """Return the stored vectors; None when there are none, or a file that cannot be read and is made again."""
    try:
        with np.load(path) as stored:
            return {language: stored[language] for language in stored.files}
    except (OSError, ValueError, EOFError, BadZipFile):
        return None


def _write(path: Path, vectors: Mapping[str, Vectors]) -> None:
    """Write to a name of its own first: another process may be doing the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "wb") as file:
        np.savez(file, allow_pickle=False, **vectors)
    Path(name).replace(path)
