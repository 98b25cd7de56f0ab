"""Hands events over to the app, again where it does not acknowledge them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from tests.wire.slack.records import Kind

if TYPE_CHECKING:
    from tests.wire.slack.state import SlackState


@dataclass(slots=True)
class Parcel:
    """Something to deliver; `tamper` spoils it in one of the ways of signed HTTP, and it is tried once then."""

    kind: Kind
    payload: Mapping[str, object]
    team_id: str | None = None
    tamper: str | None = None
    raw: tuple[bytes, str] | None = None
    channel: str | None = None
    user: str | None = None
    id: str = field(default_factory=lambda: secrets.token_hex(8))

    @property
    def may_repeat(self) -> bool:
        """Whether Slack tries it again: events only, never what a person waits for."""
        return self.kind == "events_api" and self.tamper is None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt ended: acknowledged, or why not; `is_final`: the app wants no further attempt."""

    is_acked: bool
    reason: str = ""
    is_final: bool = False


class Carrier(Protocol):
    """One way to the app."""

    async def carry(self, parcel: Parcel, attempt: int, reason: str) -> Outcome:
        """Make one attempt, and wait for the acknowledgement."""
        ...


class Courier:
    """Takes parcels from any thread; carries them in the server's loop, each in a task of its own."""

    def __init__(self, state: SlackState) -> None:
        self._state = state
        self._loop: asyncio.AbstractEventLoop | None = None
        self._carrier: Carrier | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._held: list[Parcel] | None = None

    def start(self, carrier: Carrier) -> None:
        """Begin to carry, in the running loop."""
        self._loop = asyncio.get_running_loop()
        self._carrier = carrier

    async def stop(self) -> None:
        """Drop what is under way."""
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way or to be tried again."""
        return not self._tasks and not self._held

    def take(self, parcel: Parcel) -> None:
        """Deliver a parcel soon; what is handed in later starts later."""
        self._state.parcels.append(parcel)
        if self._held is not None:
            self._held.append(parcel)
        else:
            self._start_soon(parcel)

    def hold(self) -> None:
        """Keep parcels back from now on."""
        self._held = []

    def release(self, *, reverse: bool = False) -> None:
        """Deliver what was kept back, in order or the last first."""
        held, self._held = self._held or [], None
        for parcel in reversed(held) if reverse else held:
            self._start_soon(parcel)

    def _start_soon(self, parcel: Parcel) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._start, parcel)

    def _start(self, parcel: Parcel) -> None:
        assert self._loop is not None
        task = self._loop.create_task(self._deliver(parcel))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _deliver(self, parcel: Parcel) -> None:
        assert self._carrier is not None
        reason = ""
        delays = (0.0, *self._state.manners.retry_delays_s) if parcel.may_repeat else (0.0,)
        for attempt, delay_s in enumerate(delays):
            await asyncio.sleep(delay_s)
            outcome = await self._carrier.carry(parcel, attempt, reason)
            if outcome.is_acked or outcome.is_final:
                return
            reason = outcome.reason
        self._state.lost.append(parcel)
