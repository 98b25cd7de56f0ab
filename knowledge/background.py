"""How alike a question is to text of each language in general: the level that a good passage must rise above.

An embedding model gives every pair of texts some likeness, more when they share a language, and how much depends on the
question. The mean over a fixed set of passages about everything (`background_texts/*.txt`, the same topics in each
language) is that level, whatever the knowledge base holds: score normalisation against a cohort, as in speaker
verification (Auckenthaler, Carey and Lloyd-Thomas, 2000). Since vectors are compared by inner product, one mean vector
a language is enough.
"""

import asyncio
import hashlib
import logging
import os
import tempfile
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from knowledge.embed import Embedder, Vectors
from knowledge.types import ANY_LANGUAGE

log = logging.getLogger(__name__)


class Background:
    """The `Levels` port: the mean vector of each language; embedded once a home and model, then read from a file."""

    def __init__(self, embedder: Embedder, *, home: Path) -> None:
        self._embedder = embedder
        self._folder = home / "models"
        self._means: Mapping[str, Vectors] | None = None
        self._loading = asyncio.Lock()

    async def levels(self, vector: Vectors) -> dict[str, float]:
        """Return a question vector's mean inner product with each language's background, and with ANY_LANGUAGE."""
        means = await self._loaded()
        return {language: float(mean @ vector) for language, mean in means.items()}

    async def _loaded(self) -> Mapping[str, Vectors]:
        async with self._loading:
            if self._means is None:
                texts = background_texts()
                path = self._folder / f"background-{_recipe(self._embedder.model, texts)}.npz"
                self._means = await asyncio.to_thread(_read, path) or await self._made(texts, path)
        return self._means

    async def _made(self, texts: Mapping[str, list[str]], path: Path) -> Mapping[str, Vectors]:
        means: dict[str, Vectors] = {}
        for language, passages in texts.items():
            means[language] = (await self._embedder.embed(passages, role="passage")).mean(axis=0)
        means[ANY_LANGUAGE] = np.mean(list(means.values()), axis=0)
        try:
            await asyncio.to_thread(_write, path, means)
        except OSError as exc:
            log.warning("%s could not be written (%s): it is made again at every start", path, exc)
        return means


def background_texts() -> dict[str, list[str]]:
    """Return the passages of each language, by its ISO 639-1 code."""
    folder = resources.files("knowledge") / "background_texts"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".txt")), key=lambda file: file.name)
    return {file.name.removesuffix(".txt"): file.read_text(encoding="utf-8").splitlines() for file in files}


def _recipe(model: str, texts: Mapping[str, list[str]]) -> str:
    return hashlib.sha256(repr((model, texts)).encode()).hexdigest()[:16]


def _read(path: Path) -> dict[str, Vectors] | None:
    """Return the stored means; None when there are none, or a file that cannot be read and is made again."""
    try:
        with np.load(path) as stored:
            return {language: stored[language] for language in stored.files}
    except (OSError, ValueError, EOFError, BadZipFile):
        return None


def _write(path: Path, means: Mapping[str, Vectors]) -> None:
    """Write to a name of its own first: another process may be doing the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "wb") as file:
        np.savez(file, allow_pickle=False, **means)
    Path(name).replace(path)
