"""Lets an answer be seen while it is worded, in one way or another.

All of it is best effort: the answer never waits for it, and never fails with it.
"""

import logging
import math
from collections.abc import Sequence
from typing import Protocol

from bot.channels.rhythm import Rhythm
from bot.channels.telegram.render.reply import growing as text_of
from bot.channels.telegram.render.text import Styled
from bot.channels.telegram.send.parcels import language_for
from bot.core.incoming import Question
from bot.core.messages import Sentence

# No call that shows something may take longer.
CALL_S = 5.0
# Where there is no room for more, it is looked again so much later.
LOOK_AGAIN_S = 0.3

log = logging.getLogger(__name__)


class Way(Protocol):
    """How an answer is seen growing: after `after_s`, then every `every_s` at most."""

    after_s: float
    every_s: float

    @property
    def is_open(self) -> bool:
        """Whether more of it can be shown."""
        ...

    @property
    def has_room(self) -> bool:
        """Whether something can be shown now, and enough of the allowance is left for the reply."""
        ...

    async def show(self, text: Styled) -> bool:
        """Show this in place of all that was shown before; False where it is perhaps not seen."""
        ...


class Growing:
    """The answer to one question, as far as it may be seen; `lock` is held while something of it is on its way."""

    def __init__(self, way: Way, question: Question) -> None:
        self._rhythm = Rhythm()
        self.lock = self._rhythm.lock
        self.way = way
        self._question = question
        self._language = language_for(question)
        self._wanted: Styled | None = None
        self._shown: Styled | None = None

    def begin(self) -> None:
        """Note that work on the answer has begun."""
        self._rhythm.begin(self.way.after_s)

    def want(self, sentences: Sequence[Sentence]) -> None:
        """Let these sentences be seen."""
        self._wanted = text_of(sentences, self._language)
        self._rhythm.wake()

    def settle(self) -> None:
        """Let nothing more of it be seen, for the answer is there, or there will be none."""
        self._rhythm.settle()

    async def run(self) -> None:
        """Let the answer grow until it is settled; whatever goes wrong, the answer itself comes all the same."""
        while not self._rhythm.is_settled and self.way.is_open:
            try:
                await self._rhythm.go_on(self._due_in_s(), self._show)
            except Exception:
                log.exception("an answer does not grow", extra={"number": self._question.number})
                return

    def _due_in_s(self) -> float:
        """Return when something is to be shown next, infinity where there is nothing."""
        is_seen = self._wanted is None or self._wanted == self._shown
        return math.inf if is_seen else self._rhythm.next_in_s

    async def _show(self) -> None:
        wanted = self._wanted
        if wanted is None or not self.way.has_room:
            self._rhythm.pause(LOOK_AGAIN_S)
            return
        if await self.way.show(wanted):
            self._shown = wanted
        self._rhythm.pause(self.way.every_s)
