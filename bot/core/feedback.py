"""The port to what people think of answers."""

from typing import Literal, Protocol

from bot.core.incoming import Place

Verdict = Literal["good", "bad"]


class Feedback(Protocol):
    """The verdicts on answers: a person's last one counts."""

    async def judge(self, answer: int, *, place: Place, actor: str, verdict: Verdict) -> bool:
        """Note a verdict; False where the answer was not given in this place."""
        ...

    async def explain(self, answer: int, *, place: Place, actor: str, reason: str | None, comment: str | None) -> bool:
        """Add to a person's verdict why it is so; False where there is none."""
        ...

    async def react(self, place: Place, message: str, *, actor: str, verdict: Verdict | None) -> bool:
        """Note a verdict on what was sent under the platform's name `message`, or take it back (None)."""
        ...
