"""The bot as python-telegram-bot has it: its own requests for updates, all others beside them."""

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

from telegram import Update
from telegram.ext import ExtBot
from telegram.request import HTTPXRequest

from bot.channels.telegram.secrets import TelegramSecrets
from bot.channels.telegram.settings import TelegramSettings

CONNECT_S = 5.0
READ_S = 10.0
WRITE_S = 10.0
# So long a call waits for one of the connections to be free.
POOL_S = 5.0
CONNECTIONS = 32
# A batch is held in memory until all of it is stored.
UPDATES_A_BATCH = 100
LARGEST_UPDATE_ID = 2**63 - 1
# What the library raises over an update of a shape that it does not know.
UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, OverflowError, OSError)
_OTHERS = frozenset({"reply_to_message", "pinned_message", "external_reply"})

log = logging.getLogger(__name__)


class TelegramBot(ExtBot[None]):
    """A bot that goes on after an update which it cannot read: that one comes without anything in it."""

    async def get_updates(
        self,
        offset: int | None = None,
        limit: int | None = None,
        timeout: Any = None,  # noqa: ASYNC109 - the library's name, and its server's
        allowed_updates: Sequence[str] | None = None,
        **_: Any,
    ) -> tuple[Update, ...]:
        """Return what came since, each update by itself: the library drops a whole batch for one of them."""
        seconds = float(timeout.total_seconds() if hasattr(timeout, "total_seconds") else timeout or 0)
        asked: dict[str, Any] = {
            "offset": offset,
            "limit": limit or UPDATES_A_BATCH,
            "timeout": int(seconds),
            "allowed_updates": allowed_updates,
        }
        given = {key: value for key, value in asked.items() if value is not None}
        # `do_api_request` would warn that there is a method for this, and take a refused token for an unknown method.
        found = await self._post("getUpdates", given, read_timeout=READ_S + seconds)
        return tuple(self.read(one) for one in cast(list[dict[str, Any]], found) if update_number(one) is not None)

    def read(self, update: dict[str, Any]) -> Update:
        """Return an update; of one that cannot be read whole, what matters, or its number and nothing else."""
        for tried in (update, _without_others(update)):
            try:
                return Update.de_json(tried, self)
            except UNREADABLE as exc:
                log.warning("an update cannot be read: %r", exc, extra={"update": update_number(update)})
        return Update(update_number(update) or 0)


def update_number(update: dict[str, Any]) -> int | None:
    """Return the number of an update, by which it is confirmed; None where it has none."""
    number = update.get("update_id")
    return number if type(number) is int and 0 <= number <= LARGEST_UPDATE_ID else None


def _without_others(update: dict[str, Any]) -> dict[str, Any]:
    """Return an update without the messages that its own one points to: what is in them may be of a newer kind."""
    return {
        kind: {key: value for key, value in what.items() if key not in _OTHERS} if isinstance(what, dict) else what
        for kind, what in update.items()
    }


@asynccontextmanager
async def open_bot(settings: TelegramSettings, secrets: TelegramSecrets) -> AsyncIterator[TelegramBot]:
    """Open the connections; nothing is called before somebody listens or something is sent."""
    async with _request(CONNECTIONS) as request, _request(1) as updates_request:
        # Not initialized: that calls getMe, which may fail at start-up.
        yield TelegramBot(
            token=secrets.bot_token,
            base_url=f"{settings.api_url}/bot",
            base_file_url=f"{settings.api_url}/file/bot",
            request=request,
            get_updates_request=updates_request,
        )


def _request(connections: int) -> HTTPXRequest:
    return HTTPXRequest(
        connection_pool_size=connections,
        connect_timeout=CONNECT_S,
        read_timeout=READ_S,
        write_timeout=WRITE_S,
        pool_timeout=POOL_S,
        media_write_timeout=WRITE_S,
    )
