"""What a model is going to say: text blocks with their citations, and how it ends."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

LONGEST_WAIT_S = 2.0
_ENDING = re.compile(r"[.!?…。]+[\"»”)]?$")


@dataclass(frozen=True, slots=True)
class Citation:
    """A `search_result_location`; `end` is exclusive."""

    search_result_index: int
    start: int
    end: int
    cited_text: str
    source: str
    title: str

    def as_json(self) -> dict[str, object]:
        """Return it in the vendor's form."""
        return {
            "type": "search_result_location",
            "cited_text": self.cited_text,
            "source": self.source,
            "title": self.title,
            "search_result_index": self.search_result_index,
            "start_block_index": self.start,
            "end_block_index": self.end,
        }


@dataclass(frozen=True, slots=True)
class Block:
    """A text block; `finishes` is the sentence that is complete with it. It waits before it starts and in it."""

    text: str
    citations: tuple[Citation, ...] = ()
    finishes: str | None = None
    wait_s: float = 0.0
    delta_wait_s: float = 0.0

    def __post_init__(self) -> None:
        if max(self.wait_s, self.delta_wait_s) > LONGEST_WAIT_S:
            raise ValueError(f"a wait of {self.wait_s} or {self.delta_wait_s} s is over {LONGEST_WAIT_S} s")


@dataclass(frozen=True, slots=True)
class Plan:
    """The blocks of an answer and its end.

    With `breaks` the stream ends there: the connection is cut, or an error event comes. With `cites_first` the
    citations of a block come before its text, which no vendor rules out.
    """

    blocks: tuple[Block, ...]
    stop_reason: str = "end_turn"
    stop_details: Mapping[str, object] | None = None
    breaks: Literal["cut", "error"] | None = None
    cites_first: bool = False

    @property
    def sentences(self) -> list[str]:
        """The sentences that it completes."""
        return [block.finishes for block in self.blocks if block.finishes is not None]


def said(text: str, citations: Sequence[Citation] = (), *, opening: str = "") -> list[Block]:
    """Lay out a cited sentence as the service does: its opening, the cited words, its end, each in a block."""
    ending = _ENDING.search(text)
    body, end = (text[: ending.start()], ending.group()) if ending else (text, "")
    blocks = [Block(opening)] if opening else []
    if not citations:
        return [*blocks, Block(text + (" " if end else "\n"), finishes=opening + text)]
    return [
        *blocks,
        Block(body, tuple(citations)),
        Block(f"{end} " if end else "\n", finishes=opening + text),
    ]


def marked(text: str, numbers: Sequence[str], *, opening: str = "", behind_stop: bool = False) -> list[Block]:
    """Lay out a sentence, on a line of its own, with its `[n]` marks before its full stop or behind it."""
    marks = "".join(f"[{number}]" for number in numbers)
    ending = _ENDING.search(text)
    at = ending.start() if ending and not behind_stop else len(text)
    written = f"{text[:at]} {marks}{text[at:]}" if marks else text
    return [Block(f"{opening}{written}\n", finishes=opening + text)]
