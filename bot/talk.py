"""What conversations need: the channels, the queue of messages, and the worker that answers them."""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.compose import Base, Desk, link_hosts, open_channel, open_summarizer, open_transcriber, source_names
from bot.core.admit import Manners, PlaceRules
from bot.core.errors import CoreError
from bot.core.intake import Intake, Limits
from bot.core.linking import Courier, Linking, LinkRules
from bot.core.offered import Listening, Offered
from bot.core.outgoing import Channel, Trace
from bot.core.requests import Ownership, Quotes, Requests
from bot.core.worker import Parts, Worker
from bot.desks.open import OpenDesks
from bot.learning import learning_of
from bot.mail_hook import open_mail_hook
from bot.settings import Settings
from bot.store.feedback import PostgresFeedback
from bot.store.forgetting import PostgresForgetting
from bot.store.given_answers import PostgresGivenAnswers
from bot.store.heard import PostgresHeard
from bot.store.inbox import PostgresInbox
from bot.store.installations import PostgresInstallations, PostgresStates
from bot.store.links import PostgresLinks
from bot.store.message_queue import MessageQueue, open_message_queue
from bot.store.moves import PostgresMoves
from bot.store.outbox import PostgresOutbox
from bot.store.people import PostgresPeople
from bot.store.ticket_book import PostgresBook
from bot.store.traces import PostgresTraces
from bot.taking_over import (
    Files,
    book_of,
    cards_of,
    desk_rooms,
    errands_of,
    open_all_desks,
    with_one_a_platform,
)
from bot.teaching import Teacher
from knowledge.errors import DatabaseUnavailable, SettingsProblem, TransientError
from knowledge.store.sections import PostgresSections
from knowledge.types import Relevance

# How often jobs of dead workers, messages without a job and what they left visible are looked for.
SWEEP_S = 2.0
TRACES_LEFT_AFTER_S = 60.0
# A channel that broke is opened again after so long, and longer each time.
LISTEN_AGAIN_AFTER_S, LISTEN_AGAIN_AT_MOST_S = 2.0, 60.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Talk:
    """Everything open that conversations need; `closed` says why a configured channel could not be opened."""

    channels: Sequence[Listening]
    closed: Mapping[str, str]
    queue: MessageQueue
    traces: PostgresTraces
    at_once: int
    book: PostgresBook
    desks: OpenDesks

    def work(self) -> Sequence[Coroutine[Any, Any, Any]]:
        """Return what answers messages, to run side by side."""
        return [self.queue.work(concurrency=self.at_once), self._sweep()]

    def hear(self, platforms: Collection[str]) -> Sequence[Coroutine[Any, Any, Any]]:
        """Return what takes messages in on these platforms, to run side by side."""
        return [_keep_listening(channel) for channel in self.heard(platforms)]

    def heard(self, platforms: Collection[str]) -> Sequence[Listening]:
        """Return the channels of these platforms."""
        return [channel for channel in self.channels if channel.platform in platforms]

    async def _sweep(self) -> None:
        """Take up what dead processes left: their jobs, and what of them is still visible."""
        by_platform = {channel.platform: channel for channel in self.channels}
        while True:
            await self.queue.retry_stalled()
            await self.queue.enqueue_lost()
            for number, trace in await self.traces.left_over(TRACES_LEFT_AFTER_S):
                if channel := by_platform.get(trace.place.platform):
                    await _wipe(self.traces, channel, number, trace)
            await asyncio.sleep(SWEEP_S)


async def _wipe(traces: PostgresTraces, channel: Listening, number: int, trace: Trace) -> None:
    try:
        await channel.wipe(trace)
    except (TransientError, CoreError) as exc:
        log.info("a trace stays for now: %s", exc, extra={"number": number})
    else:
        await traces.wipe(number, trace)


async def _keep_listening(channel: Listening) -> None:
    """Listen for ever; what one channel lacks stops no other."""
    pause_s = LISTEN_AGAIN_AFTER_S
    while True:
        try:
            await channel.listen()
        except SettingsProblem as exc:
            log.error("%s: %s; start again when that is mended", channel.platform, exc)  # noqa: TRY400 - it says it all
            await asyncio.Event().wait()
        except DatabaseUnavailable:
            raise
        except TransientError as exc:
            log.warning("%s: %s; next try in %d s", channel.platform, exc, pause_s)
        except Exception:
            log.exception("%s stumbled; next try in %d s", channel.platform, pause_s)
        await asyncio.sleep(pause_s)
        pause_s = min(2 * pause_s, LISTEN_AGAIN_AT_MOST_S)


@asynccontextmanager
async def open_talk(desk: Desk) -> AsyncIterator[Talk]:
    """Open the configured channels over what answers; one that cannot be opened is told, and stops no other."""
    base, settings = desk.base, desk.base.settings
    channels: dict[str, Listening] = {}
    closed: dict[str, str] = {}
    async with AsyncExitStack() as stack:
        queue = await stack.enter_async_context(
            open_message_queue(base.conninfo, base.pool, lambda number: worker.do(number))
        )
        book = book_of(base, queue.enqueue)
        inbox = PostgresInbox(base.pool, queue.enqueue, limits=limits_of(settings), relay=book.relay)
        traces = PostgresTraces(base.pool)
        manners = manners_of(settings)
        summarizer = await stack.enter_async_context(open_summarizer(settings))
        cards = cards_of(desk, channels, manners, summarizer)
        worker = Worker(
            Parts(
                questions=inbox,
                outbox=PostgresOutbox(base.pool, rooms=book.rooms),
                traces=traces,
                tickets=base.tickets,
                handler=desk.handler,
                channels=channels,
                manners=manners,
                fingerprint=desk.fingerprint,
                now=lambda: datetime.now(UTC),
                requests=_requests(base, book, await stack.enter_async_context(open_mail_hook(settings.linking))),
                transcriber=await stack.enter_async_context(open_transcriber(settings)),
                errands=errands_of(base, book, cards, channels, Teacher(learning_of(desk))),
                asks_first=settings.handover.ask_first,
            )
        )
        offered = _offered(base, queue, inbox, book, channels)
        for chosen in settings.channels:
            try:
                channel: Listening = await stack.enter_async_context(open_channel(chosen, offered=offered))
            except SettingsProblem as exc:
                closed[chosen.kind] = str(exc)
            else:
                channels[channel.platform] = channel
        desks = await stack.enter_async_context(open_all_desks(base, channels, offered.intake))
        channels.update({channel.platform: channel for channel in with_one_a_platform(desks.channels)})
        yield Talk(tuple(channels.values()), closed, queue, traces, settings.messages.at_once, book, desks)


@asynccontextmanager
async def open_offered(base: Base) -> AsyncIterator[Offered]:
    """Open what a channel is given to work with, where nobody answers."""
    settings = base.settings

    async def leave(number: int) -> None:
        """Leave a message to whoever answers."""

    async with open_message_queue(base.conninfo, base.pool, leave) as queue:
        book = book_of(base, queue.enqueue)
        inbox = PostgresInbox(base.pool, queue.enqueue, limits=limits_of(settings), relay=book.relay)
        yield _offered(base, queue, inbox, book, {})


def _requests(base: Base, ownership: Ownership, courier: Courier | None) -> Requests:
    linking = base.settings.linking
    rules = LinkRules(linking.people, frozenset(linking.domains))
    links = PostgresLinks(base.pool, known=linking.people)
    return Requests(
        links,
        given=PostgresGivenAnswers(base.pool),
        quotes=Quotes(
            standing=base.standing,
            sections=PostgresSections(base.pool, sources=source_names(base.settings)),
            hosts=link_hosts(base.settings),
        ),
        linking=Linking(links, rules=rules, courier=courier),
        forgetting=PostgresForgetting(base.pool),
        ownership=ownership,
    )


def _offered(
    base: Base, queue: MessageQueue, inbox: PostgresInbox, book: PostgresBook, channels: Mapping[str, Channel]
) -> Offered:
    manners = manners_of(base.settings)
    return Offered(
        Intake(inbox, volunteers=manners.volunteers, book=book),
        PostgresFeedback(base.pool, pass_on=queue.enqueue if base.settings.handover.on_dislike else None),
        PostgresHeard(base.pool),
        PostgresInstallations(base.pool),
        PostgresStates(base.pool),
        base.readers.reader,
        PostgresPeople(base.pool, known=base.settings.linking.people),
        PostgresMoves(base.pool),
        base.election,
        Files(channels).fetch,
        manners.volunteers,
        desk_rooms(base.settings),
    )


def limits_of(settings: Settings) -> Limits:
    """Return how much is taken in, as it is configured."""
    messages = settings.messages
    burst = timedelta(seconds=messages.burst_s)
    return Limits(messages.per_person_a_minute, messages.per_place_a_minute, burst)


def manners_of(settings: Settings) -> Manners:
    """Return where and how the bot answers, as it is configured."""
    places = {
        place.channel: PlaceRules(
            place.sources,
            place.language,
            None if place.threshold is None else Relevance(place.threshold),
            place.desk,
            place.answers_all,
        )
        for place in settings.places
    }
    listed = {chosen.kind: chosen.settings.model_dump().get("channels") for chosen in settings.channels}
    only = {kind: frozenset(channels) for kind, channels in listed.items() if channels}
    return Manners(places, only, timedelta(hours=settings.messages.stale_hours))
