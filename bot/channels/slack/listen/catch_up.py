"""Finds what was written while nobody listened: at the start, and whenever the connection is a new one."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.channels.slack.clients import Clients
from bot.channels.slack.errors import asked
from bot.channels.slack.listen.counts import Counts
from bot.channels.slack.listen.keeper import Stores
from bot.channels.slack.readers.people import company
from bot.channels.slack.translate.events import written
from bot.channels.slack.translate.read import Payload, at, items, part, word
from bot.channels.slack.translate.text import mentions
from bot.channels.slack.translate.values import Here
from bot.core.errors import CoreError
from bot.core.incoming import Company, Incoming, Place
from knowledge.errors import KnowledgeError, PermanentError, RateLimited, TransientError

# What came shortly before what was heard last may have been lost: Slack repeats for six minutes.
OVERLAP = timedelta(minutes=10)
MOST_MESSAGES = 200
# At a desk people also write below the cards of tickets that were opened long ago.
DESK_WINDOW = timedelta(days=14)
MOST_DESK_MESSAGES = 2_000
MOST_PLACES = 1_000
MOST_CHANNELS = 50_000
# Slack gives fewer than 1,000 at a time (docs.slack.dev/reference/methods/conversations.list).
LISTED = 999
PAGE = 200
# Slack's own hints are a minute at most; whoever says more is asked again later.
LONGEST_WAIT_S = 300.0
NOTED_EVERY_S = 5.0
AGAIN_AFTER_S = 60.0
KINDS = "im,mpim,public_channel,private_channel"

log = logging.getLogger(__name__)

Call = Callable[[str | None], Awaitable[AsyncSlackResponse]]


@dataclass(frozen=True, slots=True)
class Room:
    """A conversation that we are in."""

    place: Place
    company: Company


class CatchUp:
    """Reads what there is since what was heard last, and gives it to the intake, which knows what it has already."""

    def __init__(self, clients: Clients, stores: Stores, counts: Counts, *, window: timedelta) -> None:
        self._clients = clients
        self._stores = stores
        self._counts = counts
        self._window = window
        self._is_wanted = asyncio.Event()
        self._noted: dict[Place, str] = {}
        # Where we could not look: how far we have heard there is not written down before we could.
        self._behind: set[Place] = set()
        self._again_at = 0.0

    def want(self) -> None:
        """Have everything looked through, soon and once."""
        self._is_wanted.set()

    def note(self, place: Place, message: str) -> None:
        """Take note of a message that was heard as it came."""
        self._noted[place] = max(self._noted.get(place, ""), message, key=_moment)

    async def run(self) -> None:
        """Catch up when it is wanted, until cancelled; what fails is tried again."""
        while True:
            try:
                async with asyncio.timeout(NOTED_EVERY_S):
                    await self._is_wanted.wait()
            except TimeoutError:
                if self._again_at and time.monotonic() > self._again_at:
                    self.want()
                elif not self._again_at or self._behind:
                    await self._tried(self._write_down())
                continue
            self._is_wanted.clear()
            await self._tried(self.once())

    async def _tried(self, work: Awaitable[None]) -> None:
        try:
            await work
        except (KnowledgeError, CoreError) as exc:
            log.warning("not all was caught up with: %s", exc)
            self._again_at = time.monotonic() + AGAIN_AFTER_S

    async def once(self) -> None:
        """Look through all conversations of all workspaces, once."""
        self._again_at = 0.0
        if self._window:
            for workspace in await self._clients.workspaces():
                await self._workspace(workspace)
        if self._behind:
            self._again_at = time.monotonic() + AGAIN_AFTER_S
        await self._write_down()

    async def _write_down(self) -> None:
        """Write down how far we have heard; never before what was missed earlier was looked for."""
        for place in self._noted.keys() - self._behind:
            await self._stores.heard.hear(place, self._noted[place])
            del self._noted[place]

    async def _workspace(self, workspace: str) -> None:
        try:
            client, me = await self._clients.of(workspace), await self._clients.me(workspace)
            here = Here(workspace, me.user_id, me.bot_id, datetime.now(UTC))
            async for room in self._rooms(client, here):
                await self._room(client, here, room)
        except (PermanentError, CoreError) as exc:
            log.warning("nothing was caught up with: %s", exc, extra={"workspace": workspace})

    async def _rooms(self, client: AsyncWebClient, here: Here) -> AsyncIterator[Room]:
        """Yield the conversations that we are a member of."""
        count = 0
        async for channel in _pages(
            lambda cursor: client.conversations_list(types=KINDS, exclude_archived=True, limit=LISTED, cursor=cursor),
            "conversations.list",
            most=MOST_CHANNELS,
        ):
            if channel.get("is_im") or channel.get("is_mpim") or channel.get("is_member"):
                count += 1
                # As events have it: what is written directly to us is that, whoever wrote it.
                yield Room(here.place(word(channel, "id")), "direct" if channel.get("is_im") else company(channel))
            if count >= MOST_PLACES:
                log.warning("only the first %d conversations are caught up with", MOST_PLACES)
                return

    async def _room(self, client: AsyncWebClient, here: Here, room: Room) -> None:
        begun = datetime.now(UTC)
        try:
            heard = at(await self._stores.heard.until(room.place) or "")
            since = max(begun - self._window, heard - OVERLAP) if heard else begun - self._window
            found = [message async for message in self._missed(client, here, room, since)]
            for message in sorted(found, key=lambda message: _moment(word(message, "ts"))):
                await self._take(message, here, room)
        except TransientError as exc:
            self._behind.add(room.place)
            log.warning("not caught up with: %s", exc, extra={"place": str(room.place)})
            return
        except (PermanentError, CoreError) as exc:
            log.info("not to be caught up with: %s", exc, extra={"place": str(room.place)})
        self._behind.discard(room.place)
        self.note(room.place, f"{begun.timestamp():.6f}")

    async def _take(self, message: Payload, here: Here, room: Room) -> None:
        incoming = written(message, room.place.channel, room.company, here)
        if not isinstance(incoming, Incoming):
            return
        if part(message, "edited"):
            await self._stores.intake.edit(incoming)
            return
        stored = await self._stores.intake.take(incoming)
        if stored == "new":
            self._counts.caught_up += 1
            log.info("found what was missed", extra={"place": str(room.place), "platform_message": incoming.message})

    async def _missed(self, client: AsyncWebClient, here: Here, room: Room, since: datetime) -> AsyncIterator[Payload]:
        """Yield what was written since then: at the top, and in the threads there that we take part in."""
        channel, is_desk = room.place.channel, room.place.channel in self._stores.desks
        begun = here.now - (max(self._window, DESK_WINDOW) if is_desk else self._window)
        oldest = f"{begun.timestamp():.6f}"
        async for message in _pages(
            lambda cursor: client.conversations_history(channel=channel, oldest=oldest, limit=PAGE, cursor=cursor),
            "conversations.history",
            most=MOST_DESK_MESSAGES if is_desk else MOST_MESSAGES,
        ):
            is_answered = _is_answered(message, here)
            if _is_since(word(message, "ts"), since) and not is_answered:
                yield message
            # What is written in the thread of a ticket is for us as well, though we wrote nothing in it.
            is_ours = is_answered or room.company == "direct" or word(message, "user") == here.user_id
            is_ours = is_ours or mentions(word(message, "text"), here.user_id)
            if is_ours and _is_since(word(message, "latest_reply"), since):
                async for reply in self._replies(client, channel, message, since):
                    yield reply

    async def _replies(
        self, client: AsyncWebClient, channel: str, root: Payload, since: datetime
    ) -> AsyncIterator[Payload]:
        ts, oldest = word(root, "ts"), f"{since.timestamp():.6f}"
        async for reply in _pages(
            lambda cursor: client.conversations_replies(
                channel=channel, ts=ts, oldest=oldest, limit=PAGE, cursor=cursor
            ),
            "conversations.replies",
        ):
            if word(reply, "ts") != ts and _is_since(word(reply, "ts"), since):
                yield reply


async def _pages(call: Call, method: str, *, most: int = MOST_MESSAGES) -> AsyncIterator[Payload]:
    """Yield what a method lists, page by page, until there are enough."""
    cursor, count = "", 0
    while count < most:
        answer = (await _patiently(call, cursor, method)).data
        page = answer if isinstance(answer, dict) else {}
        for item in [*items(page, "messages"), *items(page, "channels")]:
            count += 1
            yield item
        cursor = word(page, "response_metadata", "next_cursor")
        if not cursor:
            return
    log.warning("%s has more than is read", method)


async def _patiently(call: Call, cursor: str, method: str) -> AsyncSlackResponse:
    """Return what Slack answers, after as long as it wants us to wait."""
    while True:
        try:
            return await asked(call(cursor or None), method)
        except RateLimited as exc:
            if exc.retry_after_s > LONGEST_WAIT_S:
                raise
            await asyncio.sleep(exc.retry_after_s)


def _is_answered(message: Payload, here: Here) -> bool:
    """Tell whether we have written in the thread of a message."""
    users = message.get("reply_users")
    return isinstance(users, list) and here.user_id in users


def _is_since(ts: str, since: datetime) -> bool:
    moment = at(ts)
    return moment is not None and moment >= since


def _moment(ts: str) -> float:
    moment = at(ts)
    return moment.timestamp() if moment else 0.0
