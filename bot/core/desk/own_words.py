"""Drafts for tickets whose documents were not relevant enough: what those would say in their own words.

Made when a card is, for the asker does not wait for that: it takes about ten times as long as handing over.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from bot.core.admit import Manners
from bot.core.desk.book import Case
from bot.core.desk.desks import Desk
from bot.core.desk.drafts import DraftSentence, own_words
from bot.core.desk.readers import common_reader, rules_of
from bot.core.desk.ripple import Drafter
from bot.core.errors import CoreError
from bot.core.incoming import Incoming
from bot.core.messages import Asked
from bot.core.outgoing import Channel
from bot.core.phrases import spoken
from bot.core.tickets.state import ACTIVE
from knowledge.errors import EmbedderProblem, TransientError
from knowledge.types import Relevance

# A card waits no longer for it.
WITHIN_S = 5.0
# Below this share of the threshold drafts are about something else (2 of 15 quoted the right passage, 12 of 21 above).
LEAST_SHARE = 0.25
# Whose daily cap it would count for; no model is asked.
ASKER = "desk"

log = logging.getLogger(__name__)


class KeptDrafts(Protocol):
    """Keeps drafts with their tickets."""

    async def asked(self, ticket: int) -> Incoming | None:
        """Return the message that a ticket began with; None where that was at a terminal, or is gone."""
        ...

    async def keep_draft(self, case: Case, draft: Sequence[DraftSentence]) -> bool:
        """Keep the draft of a ticket that has none; False where it has one by now, or asks something else."""
        ...


@dataclass(frozen=True, slots=True)
class OwnWords:
    """Makes such drafts, without a model, of what the asker and the desk may both read."""

    drafter: Drafter
    kept: KeptDrafts
    channels: Mapping[str, Channel]
    manners: Manners

    async def drafted(self, case: Case, desk: Desk) -> Case:
        """Return a ticket with its draft: the one that it has, or else what can be had in time."""
        if case.draft or case.reason != "below_threshold" or case.state not in ACTIVE or not case.candidates:
            return case
        if (case.relevance or 0.0) < LEAST_SHARE * case.threshold:
            return case
        try:
            async with asyncio.timeout(WITHIN_S):
                draft = await self._draft(case, desk)
                is_kept = bool(draft) and await self.kept.keep_draft(case, draft)
        except (CoreError, TransientError, EmbedderProblem, TimeoutError) as exc:
            log.warning("a ticket has no draft: %s", str(exc) or "too late", extra={"ticket": case.number})
            return case
        return replace(case, draft=tuple(draft)) if is_kept else case

    async def _draft(self, case: Case, desk: Desk) -> tuple[DraftSentence, ...]:
        incoming = await self.kept.asked(case.number)
        reader = await common_reader(incoming, self.channels, [desk])
        language = spoken(case.language)
        asked = Asked(
            case.question,
            reader,
            language,
            asker=ASKER,
            sources=rules_of(incoming, self.manners).sources,
            threshold=Relevance(0.0),
        )
        draft = await self.drafter.draft(asked)
        return own_words(draft.answer, reader, language or draft.language) if draft.answer else ()
