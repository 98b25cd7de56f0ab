"""The desks where people take over, and which of them gets a question."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Literal

from bot.core.desk.hours import Hours
from bot.core.incoming import Place
from bot.core.watchwords import mentions
from knowledge.types import Reader

# What is written behind one of these stays among the people at the desk.
NOTE_PREFIXES = ("🔒", "//")
# How a person's words are signed where the asker reads them: with their name, or with the desk's title.
Sign = Literal["name", "desk"]


@dataclass(frozen=True, slots=True)
class Desk:
    """A queue of people; `place` is None while it is not known where that is, and for a desk that has none.

    `people` gives the names that askers see by "platform:author"; where `is_closed`, nobody else may act. `reads`: what
    everybody at the desk may read. `sources` and `words`: what comes here. `answer_within` counts working hours; after
    it the ticket also goes to the desk `fallback`.
    """

    name: str
    title: str
    language: str
    hours: Hours
    answer_within: timedelta
    place: Place | None = None
    fallback: str | None = None
    people: Mapping[str, str] = field(default_factory=dict)
    is_closed: bool = False
    reads: Reader = field(default_factory=Reader)
    sources: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    sign: Sign = "name"
    with_topics: bool = False

    def may_act(self, person: str) -> bool:
        """Tell whether somebody who is at the desk may take over there."""
        return not self.is_closed or person in self.people


class Desks:
    """All desks, in the order of the configuration: the first one is the usual one."""

    def __init__(self, desks: Iterable[Desk] = ()) -> None:
        self._desks = {desk.name: desk for desk in desks}

    def __iter__(self) -> Iterator[Desk]:
        """Yield the desks in order."""
        return iter(self._desks.values())

    def named(self, name: str | None) -> Desk | None:
        """Return a desk; None for a name that none has (any more)."""
        return self._desks.get(name or "")

    def replace(self, desk: Desk) -> None:
        """Put a desk in the place of that of its name, for instance because it is known now where it is."""
        self._desks[desk.name] = desk

    def drop(self, name: str) -> None:
        """Leave a desk out because it cannot be reached; its own fallback stands in for it where it was one."""
        if gone := self._desks.pop(name, None):
            for desk in tuple(self._desks.values()):
                if desk.fallback == name:
                    self._desks[desk.name] = replace(desk, fallback=gone.fallback)

    def route(self, *, wanted: str | None, question: str, sources: Sequence[str]) -> Desk | None:
        """Return the desk for a question: the one that its place names, that of a word in it, or of its best source."""
        if desk := self.named(wanted):
            return desk
        for desk in self._desks.values():
            if mentions(question, desk.words):
                return desk
        of_source = {source: desk for desk in reversed(self._desks.values()) for source in desk.sources}
        by_source = next((of_source[source] for source in sources if source in of_source), None)
        return by_source or next(iter(self._desks.values()), None)

    def at(self, place: Place | None) -> Desk | None:
        """Return the first desk in a place; None where there is none, and for no place."""
        return next((desk for desk in self._desks.values() if desk.place == place), None) if place else None

    def behind(self, desk: Desk | None) -> Desk | None:
        """Return the desk that gets what another one does not answer in time."""
        return self.named(desk.fallback) if desk else None

    @property
    def rooms(self) -> frozenset[tuple[str, str]]:
        """The places where desks are, as (platform, channel)."""
        places = [desk.place for desk in self._desks.values() if desk.place]
        return frozenset((place.platform, place.channel) for place in places)
