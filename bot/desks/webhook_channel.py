"""Ticket systems as a channel of the core: it tells them, lets them answer, and never decides."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace

from bot.core.errors import CoreError, Undeliverable
from bot.core.handle import Step
from bot.core.incoming import Incoming, Place, Question
from bot.core.intake import Intake
from bot.core.messages import Reply, Sentence, Turn
from bot.core.offered import Reach
from bot.core.outgoing import Button, Parcel, Readers, Showing, Sight, Trace, Traces
from bot.core.tickets.files import MAX_FILE_BYTES, File
from bot.core.tickets.post import Post, Spot
from bot.desks.webhook_acts import PLATFORM, place_of
from bot.desks.webhook_calls import DEADLINE_S, Calls
from bot.desks.webhook_door import Door, Entrance, Visits
from bot.desks.webhook_payload import FILE, NOTICE, file_of, post_parcels
from bot.desks.webhook_settings import WebhookDeskSettings, secrets_of
from bot.desks.webhook_signature import Signer
from knowledge.errors import KnowledgeError, SettingsProblem, TransientError
from knowledge.types import Reader

# Brings a file from whichever channel it lies in.
Fetch = Callable[[File], Awaitable[bytes]]


@dataclass(frozen=True, slots=True)
class Line:
    """One desk's connection, open in both directions."""

    settings: WebhookDeskSettings
    calls: Calls
    signer: Signer


class _Unseen:
    """What nobody sees of an answer while it is made."""

    async def step(self, step: Step) -> None:
        """Show nothing."""

    async def show(self, sentences: Sequence[Sentence]) -> None:
        """Show nothing."""


@dataclass(slots=True)
class WebhookChannel:
    """All desks that are ticket systems; it listens for an `intake`, and `fetch` brings the files that it sends."""

    lines: Mapping[str, Line]
    intake: Intake | None = None
    fetch: Fetch | None = None
    platform: str = field(default=PLATFORM, init=False)
    visits: Visits = field(default_factory=Visits, init=False)
    doors: tuple[Door, ...] = field(default=(), init=False)
    _is_open: bool = field(default=False, init=False)

    async def readers(self, incoming: Incoming) -> Readers:
        return Readers(Reader(), Reader())

    async def history(self, incoming: Incoming) -> tuple[Turn, ...]:
        return ()

    def render(self, reply: Reply, question: Question) -> Sequence[Parcel]:
        return [self.notice(reply.text, question, sight="open")]

    def notice(self, text: str, question: Question, *, sight: Sight, button: Button | None = None) -> Parcel:
        place = question.incoming.place
        payload = {"type": NOTICE, "ticket": None, "desk": place.channel, "text": text}
        return Parcel(1, place, None, sight, payload, text, f"{PLATFORM}:{question.number}:{question.version}")

    def post(self, post: Post, spot: Spot) -> Sequence[Parcel]:
        return post_parcels(post, spot)

    def topic(self, name: str, spot: Spot) -> Parcel | None:
        return None

    async def place(self, channel: str) -> Place:
        return place_of(channel)

    async def name_of(self, place: Place, author: str) -> str | None:
        return None

    async def file(self, file: File) -> bytes:
        raise Undeliverable("ticket systems send no files")

    async def turn(self, parcel: Parcel) -> None:
        """Wait for nothing: who is busy says so when it is called."""

    async def send(self, parcel: Parcel, *, over: Trace | None = None) -> str | None:
        line = self.lines.get(parcel.place.channel)
        if line is None:
            raise Undeliverable(f"there is no desk {parcel.place.channel!r} any more")
        payload = {"id": parcel.marker, **await self._filled(parcel)}
        await line.calls.post(parcel.marker, json.dumps(payload, ensure_ascii=False))
        # What takes the place of a message goes on being called what that one was.
        return parcel.replaces or parcel.marker

    async def _filled(self, parcel: Parcel) -> Mapping[str, object]:
        """Return what is posted of a parcel: of a file its bytes, which were not stored."""
        file = file_of(parcel)
        if file is None:
            return parcel.payload
        if self.fetch is None:
            raise TransientError("a file waits: nobody here can fetch it")
        content = await self.fetch(file)
        if len(content) > MAX_FILE_BYTES:
            raise Undeliverable(f"a file of {len(content)} bytes is too large to be sent on")
        told = {"name": file.name, "media_type": file.media_type, "size": len(content)}
        return {**parcel.payload, "type": FILE, "file": {**told, "content": base64.b64encode(content).decode()}}

    async def find(self, parcel: Parcel) -> str | None:
        return None

    def can_find(self, parcel: Parcel) -> bool:
        # Whoever takes a message twice knows it by its webhook-id: it may be sent as often as need be.
        return True

    async def recording(self, incoming: Incoming) -> bytes | None:
        return None

    def showing(self, question: Question, traces: Traces) -> AbstractAsyncContextManager[Showing]:
        return _nothing()

    async def wipe(self, trace: Trace) -> None:
        """Take nothing back: nothing was shown."""

    def reach(self) -> Reach:
        is_listening = self._is_open or not any(line.settings.port is not None for line in self.lines.values())
        return Reach(
            is_listening, None if is_listening else "is not listening", self.visits.heard_at, self.visits.counts
        )

    async def listen(self) -> None:
        """Hear until cancelled; SettingsProblem where a port is taken, or two desks have one address."""
        assert self.intake is not None, "who listens knows what for"
        async with AsyncExitStack() as stack:
            self.doors = tuple(_doors(self.lines, self.intake, self.visits))
            for door in self.doors:
                await stack.enter_async_context(door.open())
            self._is_open = True
            try:
                await asyncio.Event().wait()
            finally:
                self._is_open = False

    async def check(self) -> str:
        found = [await _checked(name, line) for name, line in self.lines.items()]
        if bad := [told for is_good, told in found if not is_good]:
            raise SettingsProblem("; ".join(bad))
        return "; ".join(told for _, told in found)


def joined(channels: Sequence[WebhookChannel]) -> WebhookChannel:
    """Return one channel for the desks of several (at least one), which listens for what the first one does."""
    lines = {name: line for channel in channels for name, line in channel.lines.items()}
    return replace(channels[0], lines=lines)


def _doors(lines: Mapping[str, Line], intake: Intake, visits: Visits) -> list[Door]:
    """Return the ports that desks come in at; several desks may share one, each with a path of its own."""
    entrances: dict[tuple[str, int], dict[str, Entrance]] = {}
    for name, line in lines.items():
        settings = line.settings
        if settings.port is None:
            continue
        paths = entrances.setdefault((settings.host, settings.port), {})
        if other := paths.get(settings.path):
            raise SettingsProblem(
                f"[[desks]] {name}: `path` {settings.path!r} is that of the desk {other.desk!r}; choose another one"
            )
        paths[settings.path] = Entrance(name, settings.path, line.signer)
    return [Door(host, port, tuple(paths.values()), intake, visits) for (host, port), paths in entrances.items()]


async def _checked(name: str, line: Line) -> tuple[bool, str]:
    settings = line.settings
    into = f"answers come in at {settings.host}:{settings.port}{settings.path}" if settings.port else "it is only told"
    try:
        status = await line.calls.reach()
    except (KnowledgeError, CoreError) as exc:
        return False, f"desk {name}: {exc}"
    return True, f"desk {name}: the ticket system is there ({status}); {into}"


@asynccontextmanager
async def _nothing() -> AsyncIterator[Showing]:
    yield _Unseen()


@asynccontextmanager
async def open_line(
    settings: WebhookDeskSettings, environment: Mapping[str, str], *, deadline_s: float = DEADLINE_S
) -> AsyncIterator[Line]:
    """Open the connection to one ticket system; nothing is called before something is sent."""
    signer = Signer(secrets_of(settings, environment))
    calls = Calls(settings, signer, deadline_s=deadline_s)
    try:
        yield Line(settings, calls, signer)
    finally:
        await calls.aclose()
