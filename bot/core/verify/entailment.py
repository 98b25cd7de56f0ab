"""The port to a model that tells whether one text follows from another."""

from typing import Protocol


class Entailment(Protocol):
    """A local model of natural language inference, where a deployment has one."""

    async def entails(self, premise: str, hypothesis: str) -> float:
        """Return the chance in [0, 1] that the hypothesis follows from the premise."""
        ...
