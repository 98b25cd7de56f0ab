"""A desk in a chat: a Slack channel with a thread for each ticket, or a Telegram group with a topic."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from pydantic import Field

from bot.core.incoming import Place
from bot.core.outgoing import Channel
from bot.desks.configured import OpenDesk, desk_of
from bot.tables import DeskTable
from knowledge.errors import SettingsProblem, TransientError

# Slack has none: there a ticket is a thread.
HAVE_TOPICS = frozenset({"telegram"})

log = logging.getLogger(__name__)


class ChatDeskSettings(DeskTable):
    """A desk that is a channel or group which the bot is in."""

    platform: str = Field(pattern="^[a-z]+$")
    # The channel's or group's id, as in `[[places]]`.
    channel: str = Field(min_length=1)
    # Each ticket has a topic of its own, where the platform has topics.
    topics: bool = True


@asynccontextmanager
async def build(settings: ChatDeskSettings, *, channels: Mapping[str, Channel]) -> AsyncIterator[OpenDesk]:
    """Open a desk in a chat; where that is may become known later."""
    channel = channels.get(settings.platform)
    if channel is None:
        raise SettingsProblem(
            f"[[desks]] {settings.name}: is on {settings.platform}, which is not open here; set"
            f" {settings.platform.upper()}_BOT_TOKEN, or correct `platform`"
        )

    async def find() -> Place:
        return await channel.place(settings.channel)

    with_topics = settings.topics and settings.platform in HAVE_TOPICS
    try:
        desk = desk_of(settings, place=await find(), with_topics=with_topics)
    except TransientError as exc:
        log.warning("desk %s: it is not known yet where it is: %s", settings.name, exc)
        desk = desk_of(settings, with_topics=with_topics)
    yield OpenDesk(desk, find=find)
