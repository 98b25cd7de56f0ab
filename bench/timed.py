"""Clocks for what takes part in an answer: the embedder, the verifier, the model and what is seen of it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot.core.messages import Checks, Sentence
from bot.core.verify.check import Verifier
from bot.core.verify.seen import Seen
from knowledge.embed import Embedder, Role, Vectors
from tests.wire.anthropic import Plan, Prompt


@dataclass(slots=True)
class Clock:
    """Adds up what is not our own, and keeps how long each check of a sentence took."""

    others_ms: float = 0.0
    checks_ms: list[float] = field(default_factory=list)


class TimedEmbedder:
    """The `Embedder` port; what it takes is the embedding's."""

    def __init__(self, real: Embedder, clock: Clock) -> None:
        self.model = real.model
        self.dimension = real.dimension
        self._real = real
        self._clock = clock

    async def embed(self, texts: Sequence[str], *, role: Role) -> Vectors:
        started = time.perf_counter()
        try:
            return await self._real.embed(texts, role=role)
        finally:
            self._clock.others_ms += since_ms(started)


class TimedVerifier(Verifier):
    """The verifier; its time is kept, without that of embedding."""

    def __init__(self, embedder: Embedder, clock: Clock) -> None:
        super().__init__(embedder=embedder)
        self._clock = clock

    async def check(self, text: str, *, language: str, cited: Sequence[Seen], is_code: bool = False) -> Checks:
        """Check as ever."""
        started, before = time.perf_counter(), self._clock.others_ms
        checks = await super().check(text, language=language, cited=cited, is_code=is_code)
        self._clock.checks_ms.append(since_ms(started) - (self._clock.others_ms - before))
        return checks


class Believer(Verifier):
    """Believes everything: an answer without verification."""

    async def check(self, text: str, *, language: str, cited: Sequence[Seen], is_code: bool = False) -> Checks:
        """Find nothing wrong."""
        return Checks(valid=True, support=1.0)


class Screen:
    """The `Watcher` that notes when each text was seen for the first time."""

    def __init__(self) -> None:
        self.first_s: dict[str, float] = {}

    async def show(self, sentences: Sequence[Sentence]) -> None:
        for sentence in sentences:
            self.first_s.setdefault(sentence.text, time.monotonic())


def since_ms(started: float) -> float:
    """Return the milliseconds since a moment of the performance counter."""
    return 1e3 * (time.perf_counter() - started)


def timed(model: Callable[[Prompt], Plan], clock: Clock) -> Callable[[Prompt], Plan]:
    """Return a model whose choosing counts as its own time."""

    def choose(prompt: Prompt) -> Plan:
        started = time.perf_counter()
        plan = model(prompt)
        clock.others_ms += since_ms(started)
        return plan

    return choose
