"""The updates that wait for the bot: confirmed by an offset or by its webhook, kept until then."""

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.wire.telegram.manners import Manners
from tests.wire.telegram.records import Json, Poll

FIRST_UPDATE_ID = 700_000_001
# Updates of these kinds come only to a bot that asks for them by name.
ON_REQUEST = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


@dataclass(frozen=True, slots=True)
class Waiting:
    """An update that is not confirmed."""

    update_id: int
    update: Mapping[str, object]
    chat: int | None
    at_s: float


@dataclass(slots=True)
class Updates:
    """The queue of one bot. `withheld` are the updates that the bot did not ask for, `expired` those that grew old."""

    manners: Manners
    waiting: deque[Waiting] = field(default_factory=deque)
    issued: dict[int, Mapping[str, object]] = field(default_factory=dict)
    confirmed: list[int] = field(default_factory=list)
    expired: list[int] = field(default_factory=list)
    withheld: list[Json] = field(default_factory=list)
    polls: list[Poll] = field(default_factory=list)
    allowed: tuple[str, ...] = ()
    on_new: list[Callable[[], None]] = field(default_factory=list)
    repeats: set[int] = field(default_factory=set)
    _next_id: int = FIRST_UPDATE_ID

    def add(self, kind: str, body: Mapping[str, object], chat: int | None) -> int | None:
        """Queue an update and return its id; None where the bot does not want its kind."""
        if not self.wants(kind):
            self.withheld.append({kind: body})
            return None
        return self.put({"update_id": self._next_id, kind: body}, chat)

    def put(self, update: Mapping[str, object], chat: int | None) -> int:
        """Queue an update as it stands, under the next id; return the id."""
        update_id = self._next_id
        self._next_id += 1
        self.issued[update_id] = {**update, "update_id": update_id}
        self._queue(update_id, chat)
        return update_id

    def repeat(self, update_id: int, chat: int | None) -> None:
        """Queue an update once more, whatever offset the bot has come to."""
        self.repeats.add(update_id)
        self._queue(update_id, chat)

    def due(self, offset: int, limit: int) -> list[Waiting]:
        """Return what a request from an offset on is answered with."""
        found = [one for one in self.waiting if one.update_id >= offset or one.update_id in self.repeats][:limit]
        self.repeats -= {one.update_id for one in found}
        return found

    def _queue(self, update_id: int, chat: int | None) -> None:
        self.waiting.append(Waiting(update_id, self.issued[update_id], chat, time.monotonic()))
        for call in self.on_new:
            call()

    def wants(self, kind: str) -> bool:
        """Tell whether the bot asked for a kind of update; by default for nearly all."""
        return kind in self.allowed if self.allowed else kind not in ON_REQUEST

    def allow(self, kinds: object) -> None:
        """Remember which kinds the bot wants; [] for the usual ones."""
        if isinstance(kinds, Sequence) and not isinstance(kinds, str):
            self.allowed = tuple(str(kind) for kind in kinds)

    def confirm(self, update_ids: Sequence[int]) -> None:
        """Forget updates that the bot has."""
        gone = set(update_ids)
        self.confirmed.extend(update_ids)
        self.waiting = deque(one for one in self.waiting if one.update_id not in gone)

    def confirm_below(self, offset: int) -> tuple[int, ...]:
        """Forget all updates before an offset, a negative one counted from the end; return their ids."""
        self.expire()
        if offset < 0:
            last = list(self.waiting)[offset:]
            offset = last[0].update_id if last else 0
        ids = tuple(
            one.update_id for one in self.waiting if one.update_id < offset and one.update_id not in self.repeats
        )
        self.confirm(ids)
        return ids

    def expire(self) -> None:
        """Forget what waited for too long."""
        if self.manners.updates_live_s is None:
            return
        oldest_s = time.monotonic() - self.manners.updates_live_s
        while self.waiting and self.waiting[0].at_s < oldest_s:
            self.expired.append(self.waiting.popleft().update_id)


def chat_in(update: Mapping[str, object]) -> int | None:
    """Return the chat that an update is about, so that those of one chat stay in order."""
    for body in update.values():
        inside = body.get("message", body) if isinstance(body, Mapping) else {}
        chat = inside.get("chat") if isinstance(inside, Mapping) else None
        if isinstance(chat, Mapping) and isinstance(chat.get("id"), int):
            return int(str(chat["id"]))
    return None
