"""What people who take over need: the tickets, the desks, and what is said there and back."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from bot.compose import Base, Desk, open_channel, source_names
from bot.core.admit import Manners
from bot.core.desk.book import Book
from bot.core.desk.card import Cards
from bot.core.desk.errands import Errands, Teaching
from bot.core.desk.own_words import OwnWords
from bot.core.desk.summary import Summaries, Summarizer
from bot.core.errors import Undeliverable
from bot.core.intake import Intake
from bot.core.offered import Listening
from bot.core.outgoing import Channel
from bot.core.tickets.files import File
from bot.desks.open import OpenDesks, open_desks
from bot.desks.webhook_channel import WebhookChannel, joined
from bot.settings import Settings
from bot.store.card_pieces import PostgresCardPieces
from bot.store.enqueueing import Enqueue
from bot.store.ticket_book import Means, PostgresBook


def book_of(base: Base, enqueue: Enqueue | None = None) -> PostgresBook:
    """Return the tickets over an open database; without a queue what has to be said waits for a running bot."""
    learning = base.settings.learning
    means = Means(
        base.desks,
        base.times,
        enqueue,
        desk_rooms(base.settings),
        suggests=learning.suggest,
        sources=tuple(source_names(base.settings)),
    )
    return PostgresBook(base.pool, means)


def cards_of(
    desk: Desk, channels: Mapping[str, Channel], manners: Manners, summarizer: Summarizer | None = None
) -> Cards:
    """Return what makes cards."""
    base, pieces = desk.base, PostgresCardPieces(desk.base.pool)
    return Cards(
        base.standing,
        summaries=Summaries(summarizer, pieces, base.budget) if summarizer else None,
        own_words=OwnWords(desk.handler.in_own_words(), pieces, channels, manners),
    )


def errands_of(
    base: Base, book: Book, cards: Cards, channels: Mapping[str, Channel], teaching: Teaching | None
) -> Errands:
    """Return what words errands."""
    return Errands(
        book,
        base.desks,
        cards,
        channels=channels,
        show_asker=base.settings.handover.show_asker,
        teaching=teaching,
    )


@asynccontextmanager
async def open_all_desks(base: Base, channels: Mapping[str, Channel], intake: Intake) -> AsyncIterator[OpenDesks]:
    """Open the configured desks over open channels."""
    openings = {
        chosen.settings.model_dump()["name"]: open_channel(chosen, channels=channels, intake=intake)
        for chosen in base.settings.desks
    }
    async with open_desks(base.desks, openings) as opened:
        yield opened


def with_one_a_platform(channels: Sequence[Listening]) -> Sequence[Listening]:
    """Return the channels of desks that are in no chat: those of one platform are one."""
    webhooks = [channel for channel in channels if isinstance(channel, WebhookChannel)]
    others = [channel for channel in channels if not isinstance(channel, WebhookChannel)]
    return [*others, *([joined(webhooks)] if webhooks else [])]


def desk_rooms(settings: Settings) -> frozenset[tuple[str, str]]:
    """Return the chats that are desks, as (platform, channel)."""
    tables = [chosen.settings.model_dump() for chosen in settings.desks if chosen.kind == "chat"]
    return frozenset((table["platform"], table["channel"]) for table in tables)


class Files:
    """Fetches files from whichever channel they lie in."""

    def __init__(self, channels: Mapping[str, Channel]) -> None:
        self._channels = channels

    async def fetch(self, file: File) -> bytes:
        """Return a file; Undeliverable where its platform is not open here."""
        channel = self._channels.get(file.platform)
        if channel is None:
            raise Undeliverable(f"a file lies on {file.platform}, which is not open here")
        return await channel.file(file)
