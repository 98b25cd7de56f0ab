"""What every chunker promises, whatever the document."""

import asyncio
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.registry import REGISTRY, build, settings_model
from knowledge.chunk.passages import Spans
from knowledge.parse import code, markdown
from knowledge.parse import text as plain
from knowledge.prepare import Chunker
from knowledge.types import Document, Parsed, Passage

SENTENCES = st.sampled_from(
    [
        "The gateway restarts at night.",
        "Ёлка стоит во дворе, и т. д. и т. п.",
        "Її ключ діє 30 днів!",
        "¿Cuánto cuesta? Nada.",
        "服务重新启动。",
        "👩\u200d👩\u200d👧 é̈ x" * 9,
        "unbroken" * 30,
    ]
)
PROSE = st.lists(
    st.one_of(
        st.lists(SENTENCES, min_size=1, max_size=8).map(" ".join),
        st.sampled_from(["# One", "## Two", "- item\n  - inner item\n- other", "1. first\n2. second"]),
        st.sampled_from(["| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "```py\ndef f():\n\n    return 1\n```"]),
    ),
    min_size=1,
    max_size=14,
).map("\n\n".join)
PROGRAMS = st.lists(
    st.sampled_from(
        [
            "import os",
            "class A:\n    x = 1\n\n    def f(self):\n        return 2",
            "def g(a):\n    '''Doc.'''\n" + "    a += 1\n" * 40,
        ]
    ),
    min_size=1,
    max_size=6,
).map("\n\n".join)
DOCUMENTS = st.one_of(
    PROSE.map(markdown.parse),
    PROSE.map(plain.parse),
    PROGRAMS.map(
        lambda text: code.parse_document(Document("s", "a.py", text, "1", media_type="text/x-code;language=python"))
    ),
)
# Small sizes, so that small documents are cut, too.
SETTINGS: dict[str, dict[str, object]] = {
    "api": {"max_characters": 200},
    "code": {"max_characters": 400, "small_characters": 100},
    "headings": {"max_characters": 120},
    "recursive": {"size": 40, "overlap": 6},
    "semantic": {"min_tokens": 10, "max_tokens": 60},
    "table": {"max_characters": 120},
}


def words(text: str) -> int:
    """Count tokens as a model that knows no word longer than five letters."""
    return sum(1 + len(word) // 5 for word in text.split())


def vectors(texts: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    found = np.array([[1.0, len(text) % 7, text.count("e")] for text in texts], np.float32)
    unit: np.ndarray[tuple[int, int], np.dtype[np.float32]] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit


@cache
def opened(strategy: str) -> Chunker:
    async def build_it() -> Chunker:
        chosen = settings_model("chunker", strategy).model_validate(SETTINGS[strategy])
        async with build("chunker", strategy, chosen, tokens=words, vectors=vectors) as chunker:
            found: Chunker = chunker
            return found

    return asyncio.run(build_it())


def limit_of(chunker: Chunker) -> tuple[int, Callable[[str], int]]:
    """Return the size that a piece may have, and how it is measured."""
    strategy = chunker.name.partition("-")[0]
    table = SETTINGS[strategy]
    size = table.get("max_characters") or table.get("size") or table["max_tokens"]
    assert isinstance(size, int)
    return size, words if strategy in ("recursive", "semantic") else len


@pytest.mark.parametrize("strategy", sorted(REGISTRY["chunker"]))
@given(parsed=DOCUMENTS)
@settings(max_examples=80, deadline=None)
def test_pieces_are_in_order_exact_small_and_lose_nothing(strategy: str, parsed: Parsed) -> None:
    chunker = opened(strategy)
    limit, measure = limit_of(chunker)

    spans = chunker.cut(parsed, language="en")

    assert all(0 <= start < end <= len(parsed.text) for start, end in spans)
    assert all(before[0] < after[0] and before[1] < after[1] for before, after in pairwise(spans))
    if not chunker.name.startswith("recursive"):
        assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert max((measure(parsed.text[start:end]) for start, end in spans), default=0) <= limit
    assert lost_of(parsed, spans) == ""
    assert list(chunker.cut(parsed, language="en")) == list(spans)


@pytest.mark.parametrize("strategy", sorted(REGISTRY["chunker"]))
@given(parsed=DOCUMENTS)
@settings(max_examples=40, deadline=None)
def test_a_passage_is_a_stretch_of_the_text_and_is_indexed(strategy: str, parsed: Parsed) -> None:
    chunker = opened(strategy)

    found: list[Passage] = list(Spans(parsed, chunker.cut(parsed, language="en")).passages("Title"))

    assert [passage.text for passage in found] == [parsed.text[passage.start : passage.end] for passage in found]
    assert all(passage.search_text.partition("\n")[2].strip() for passage in found)


def lost_of(parsed: Parsed, spans: Sequence[tuple[int, int]]) -> str:
    """Return what of the blocks' text, white space and headings aside, lies in no piece."""
    covered = bytearray(len(parsed.text))
    for start, end in spans:
        covered[start:end] = b"\1" * (end - start)
    return "".join(
        parsed.text[place]
        for block in parsed.blocks
        if block.kind != "heading" and block.text
        for place in range(block.start, block.end)
        if not covered[place] and not parsed.text[place].isspace()
    )
