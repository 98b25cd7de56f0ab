"""Whether a message is answered where it was written, and by which rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from bot.core.courtesy import is_courtesy
from bot.core.incoming import Incoming
from knowledge.types import Relevance

# "stale": it waited too long to be answered unasked; "files", "recording": there is nothing to read, but files or what
# was said aloud; "thanks": nothing is asked; "limit": too many at once, which the inbox finds out.
Admission = Literal["answer", "elsewhere", "stale", "files", "recording", "empty", "thanks", "limit"]


@dataclass(frozen=True, slots=True)
class PlaceRules:
    """What holds in one channel; None: as everywhere. `answers_all`: also what is not addressed to the bot."""

    sources: tuple[str, ...] | None = None
    language: str | None = None
    threshold: Relevance | None = None
    desk: str | None = None
    answers_all: bool = False


@dataclass(frozen=True, slots=True)
class Manners:
    """Where the bot answers, and how: on a platform in `only`, in no other channel; direct messages are always welcome.

    A message older than `stale_after` gets an apology, and is answered if its author still wants it.
    """

    places: Mapping[str, PlaceRules] = field(default_factory=dict)
    only: Mapping[str, frozenset[str]] = field(default_factory=dict)
    stale_after: timedelta = timedelta(hours=6)

    def rules(self, incoming: Incoming) -> PlaceRules:
        """Return the rules of a message's channel, also under the name that it had before it moved."""
        return next((self.places[name] for name in incoming.channels if name in self.places), PlaceRules())

    def allows(self, incoming: Incoming) -> bool:
        """Tell whether the bot answers in a message's channel."""
        listed = self.only.get(incoming.place.platform)
        return listed is None or not (listed | self.places.keys()).isdisjoint(incoming.channels)

    @property
    def volunteers(self) -> frozenset[str]:
        """The channels where also what is not addressed to the bot is answered."""
        return frozenset(channel for channel, rules in self.places.items() if rules.answers_all)


def admit(incoming: Incoming, text: str, manners: Manners, *, now: datetime) -> Admission:
    """Return what becomes of a message that was written to us."""
    if incoming.company != "direct" and not manners.allows(incoming):
        return "elsewhere"
    if not text.strip():
        return "recording" if "recording" in incoming.wire else "files" if incoming.has_files else "empty"
    if is_courtesy(text):
        return "thanks"
    if now - incoming.sent_at > manners.stale_after:
        return "stale"
    return "answer"
