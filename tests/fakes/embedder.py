"""An embedder without a model: texts that share letter sequences are near each other."""

import zlib
from collections.abc import Sequence

import numpy as np

from knowledge.embed import Role, Vectors

NGRAM_CHARACTERS = 3


class FakeEmbedder:
    """Counts hashed character n-grams; the same vector on every machine, for both roles."""

    model = "fake/ngrams"
    dimension = 64

    async def embed(self, texts: Sequence[str], *, role: Role) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            padded = f"  {text.casefold()}  "
            for start in range(len(padded) - NGRAM_CHARACTERS + 1):
                ngram = padded[start : start + NGRAM_CHARACTERS].encode("utf-8", "surrogatepass")
                vector[zlib.crc32(ngram) % self.dimension] += 1
            vector /= np.linalg.norm(vector)
        return vectors
