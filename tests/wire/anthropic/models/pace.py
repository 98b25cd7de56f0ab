"""Models that take their time, or break off: each wraps another one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from tests.wire.anthropic.plan import Block, Plan
from tests.wire.anthropic.prompt import Prompt

Model = Callable[[Prompt], Plan]


@dataclass(frozen=True, slots=True)
class Slow:
    """Waits before each piece of text (up to eight letters), and before the first block of each sentence."""

    model: Model
    piece_s: float = 0.0
    sentence_s: float = 0.0

    def __call__(self, prompt: Prompt) -> Plan:
        plan = self.model(prompt)
        starts = [True, *(block.finishes is not None for block in plan.blocks)]
        blocks = (
            replace(block, wait_s=self.sentence_s if begins else 0.0, delta_wait_s=self.piece_s)
            for block, begins in zip(plan.blocks, starts, strict=False)
        )
        return replace(plan, blocks=tuple(blocks))


@dataclass(frozen=True, slots=True)
class StopsMidSentence:
    """Breaks off in the middle of a sentence, counted from 1: the last one where there are fewer.

    The connection is cut, an error event comes, or the tokens are used up.
    """

    model: Model
    how: Literal["cut", "error", "max_tokens"] = "cut"
    sentence: int = 2

    def __call__(self, prompt: Prompt) -> Plan:
        plan = self.model(prompt)
        at = _longest_block(plan, self.sentence)
        text = plan.blocks[at].text.rstrip()
        half = replace(plan.blocks[at], text=text[: max(1, len(text) // 2)], citations=(), finishes=None)
        broken = replace(plan, blocks=(*plan.blocks[:at], half))
        if self.how == "max_tokens":
            return replace(broken, stop_reason="max_tokens")
        return replace(broken, breaks=self.how)


def _longest_block(plan: Plan, sentence: int) -> int:
    ends = [at for at, block in enumerate(plan.blocks) if block.finishes is not None]
    if not ends:
        raise ValueError(f"the plan {plan.blocks!r} finishes no sentence that could be cut")
    last = min(sentence, len(ends)) - 1
    start = ends[last - 1] + 1 if last else 0
    return max(range(start, ends[last] + 1), key=lambda at: len(plan.blocks[at].text))


@dataclass(frozen=True, slots=True)
class Absent:
    """Says that the sources do not hold it, in the given words; after what `model` says, if there is one."""

    text: str
    model: Model | None = None

    def __call__(self, prompt: Prompt) -> Plan:
        before = self.model(prompt).blocks if self.model else ()
        return Plan((*before, Block(self.text, finishes=self.text)))
