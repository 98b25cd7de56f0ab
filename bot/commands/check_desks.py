"""The part of `answerdesk check` about the desks."""

from contextlib import AsyncExitStack
from datetime import UTC, datetime
from urllib.parse import urlsplit

from bot.chosen import Chosen
from bot.compose import open_base, open_channel
from bot.core.desk.clock import promise
from bot.core.desk.desks import Desk
from bot.core.incoming import Place
from bot.desks.configured import OpenDesk
from bot.desks.webhook_settings import WebhookDeskSettings
from bot.settings import Settings
from bot.talk import open_offered


async def check_desk(settings: Settings, chosen: Chosen) -> str:
    """Return where a desk is, whether somebody works there now, and what an asker would be promised.

    SettingsProblem or TransientError, with the remedy, where it cannot be reached. No ticket system is called.
    """
    platform = chosen.settings.model_dump().get("platform")
    async with AsyncExitStack() as stack:
        base = await stack.enter_async_context(open_base(settings))
        offered = await stack.enter_async_context(open_offered(base))
        channels = {
            one.kind: await stack.enter_async_context(open_channel(one, offered=offered))
            for one in settings.channels
            if one.kind == platform
        }
        opening = open_channel(chosen, channels=channels, intake=offered.intake)
        opened: OpenDesk = await stack.enter_async_context(opening)
        place = opened.desk.place or (await opened.find() if opened.find else None)
    return ", ".join([_where(chosen, place), _hours(opened.desk, datetime.now(UTC))])


def _where(chosen: Chosen, place: Place | None) -> str:
    table = chosen.settings
    if isinstance(table, WebhookDeskSettings):
        into = f"answers come in at {table.host}:{table.port}{table.path}" if table.port else "it is only told"
        # What stands behind the host may be secret.
        return f"ticket system at {urlsplit(table.url).hostname} (not called), {table.secret_env} is set, {into}"
    return f"{place.platform} {place.channel}" if place else "nowhere"


def _hours(desk: Desk, now: datetime) -> str:
    state = "open now" if desk.hours.is_open(now) else "closed now"
    behind = f", then {desk.fallback}" if desk.fallback else ""
    return f"{state}, promises {desk.hours.told(promise(desk, now))}{behind}"
