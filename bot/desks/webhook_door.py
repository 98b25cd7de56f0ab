"""Where ticket systems come in: what they did not sign a moment ago is refused before anything of it is parsed."""

import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial

from aiohttp import web

from bot.channels.http_door import body_of, serving
from bot.core.intake import Intake
from bot.core.tickets.acts import Came, Outcome
from bot.desks.webhook_acts import WrongBody, act_of
from bot.desks.webhook_signature import Signer
from knowledge.errors import TransientError

CONTENT_TYPES = frozenset({"application/json"})
# Words of 20,000 characters in any script, and what stands around them.
MAX_ACT_BYTES = 256 * 1024
AGAIN_AFTER_S = 5
_STATUSES: Mapping[Came, int] = {
    "done": 200,
    "known": 200,
    "refused": 403,
    "unknown": 404,
    "late": 409,
    "taken": 409,
}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entrance:
    """Where one desk's answers come in, and whose signature they bear."""

    desk: str
    path: str
    signer: Signer


@dataclass(slots=True)
class Visits:
    """What came in since the start."""

    acts: int = 0
    forged: int = 0
    wrong: int = 0
    heard_at: datetime | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How much came, by what became of it."""
        return {"acts": self.acts, "forged": self.forged, "wrong": self.wrong}


@dataclass(slots=True)
class Door:
    """One port for the entrances of some desks; `port` is the one that was really taken, where none is chosen (0)."""

    host: str
    port: int
    entrances: Sequence[Entrance]
    intake: Intake
    visits: Visits = field(default_factory=Visits)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Serve as long as the block lasts; what is under way at its end is finished."""
        application = web.Application(client_max_size=MAX_ACT_BYTES)
        for entrance in self.entrances:
            application.router.add_post(entrance.path, partial(self._take, entrance))
        async with serving(application, self.host, self.port, table="[desks]") as self.port:
            log.info("listening for ticket systems on %s:%d", self.host, self.port)
            yield

    async def _take(self, entrance: Entrance, request: web.Request) -> web.Response:
        body = await body_of(request, CONTENT_TYPES)
        if isinstance(body, web.Response):
            return body
        name = entrance.signer.name(request.headers, body)
        if name is None:
            self.visits.forged += 1
            log.info("a request without the signature of the desk %r was refused", entrance.desk)
            return web.Response(status=401)
        try:
            act = act_of(body, desk=entrance.desk, name=name)
        except WrongBody as exc:
            self.visits.wrong += 1
            return web.json_response({"error": str(exc)}, status=400)
        try:
            outcome = await self.intake.act(act)
        except TransientError as exc:
            log.warning("an act of the desk %r is to come again: %s", entrance.desk, exc)
            return web.Response(status=503, headers={"Retry-After": str(AGAIN_AFTER_S)})
        self.visits.acts += 1
        self.visits.heard_at = datetime.now(UTC)
        return _told(outcome)


def _told(outcome: Outcome) -> web.Response:
    told = {"came": outcome.came, "told": outcome.told, "owner": outcome.owner, "number": outcome.number}
    return web.json_response(told, status=_STATUSES[outcome.came])
