"""The port to whatever words an answer."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from bot.core.messages import Call, Turn
from knowledge.quotable import Unit
from knowledge.types import Evidence

# The answerer that needs no model.
OWN_WORDS = "extractive"


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be answered, in which language, and from what; `attempt` is 2 when the first answer was no good.

    `sections` is the evidence with each passage in its section: what a model reads in place of it.
    """

    question: str
    language: str
    evidence: Sequence[Evidence]
    history: tuple[Turn, ...] = ()
    attempt: int = 1
    sections: Sequence[Evidence] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence as it was worded, with the pieces of passages that it says bear it out; nothing is checked yet."""

    text: str
    cited: tuple[Unit, ...]
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Finish:
    """How the wording ended.

    "done"; "cut" in the middle; "refused"; "absent": the passages do not hold the answer. `missing` names what part
    of the question they do not answer ("": some part).
    """

    stop: Literal["done", "cut", "refused", "absent"]
    missing: str | None = None


# A `Call` tells what a request has used so far; a later one of the same request replaces it.
Event = Claim | Call | Finish


class Answerer(Protocol):
    """Words an answer from evidence; every sentence cites the pieces of passages it stands on."""

    name: str
    # The version of the rules that its model is given; "" without a model.
    prompt_version: str
    # What one answer costs at most, in US dollars; nothing without a model.
    most_usd: float

    def answer(self, task: Task) -> AsyncGenerator[Event, None]:
        """Yield each sentence as soon as it is complete, and a Finish last; AnswererDown when it cannot go on."""
        ...
