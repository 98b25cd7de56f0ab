"""Reads what was said before in a thread that is not ours."""

import logging
import time
from collections.abc import Callable, Mapping

from bot.channels.slack.clients import Me
from bot.channels.slack.send.calls import Calls
from bot.channels.slack.send.found import is_ours
from bot.channels.slack.translate.events import WRITTEN
from bot.channels.slack.translate.read import MESSAGE, items, word
from bot.channels.slack.translate.text import plain
from bot.core.errors import CoreError
from bot.core.incoming import Incoming
from bot.core.messages import Turn
from knowledge.errors import KnowledgeError, RateLimited

MOST_TURNS = 10
MOST_CHARACTERS = 2_000
# Slack lists a thread from its beginning, and its end is what matters: as much as a page holds.
PAGE_MESSAGES = 999
# Apps that are distributed outside of Slack's Marketplace get one page a minute.
BACKOFF_S = 60.0

log = logging.getLogger(__name__)


class History:
    """The threads of Slack, read where our own transcript has nothing."""

    def __init__(self, calls: Calls, now: Callable[[], float] = time.monotonic) -> None:
        self._calls = calls
        self._now = now
        self._quiet_until: dict[str, float] = {}

    async def before(self, incoming: Incoming) -> tuple[Turn, ...]:
        """Return the last messages of a thread before one of its messages, oldest first; () where that is not to be."""
        workspace = incoming.place.workspace
        if incoming.thread is None or self._now() < self._quiet_until.get(workspace, 0.0):
            return ()
        try:
            page = await self._page(incoming, incoming.thread)
            me = await self._calls.me(incoming.place)
        except RateLimited as exc:
            self._quiet_until[workspace] = self._now() + max(BACKOFF_S, exc.retry_after_s)
            return ()
        except (KnowledgeError, CoreError) as exc:
            log.info("a thread is not read: %s", exc, extra={"place": str(incoming.place)})
            return ()
        return turns(page, moment_of(incoming) or "", me)

    async def _page(self, incoming: Incoming, thread: str) -> Mapping[str, object]:
        return await self._calls.read(
            "conversations.replies",
            incoming.place,
            lambda client: client.conversations_replies(
                channel=incoming.place.channel,
                ts=thread,
                latest=moment_of(incoming),
                inclusive=False,
                limit=PAGE_MESSAGES,
            ),
        )


def moment_of(incoming: Incoming) -> str | None:
    """Return the message that somebody wrote, or chose by the shortcut, or pressed a button of, if there is one."""
    found = MESSAGE.search(incoming.message)
    return found[0] if found else None


def turns(page: Mapping[str, object], before: str, me: Me) -> tuple[Turn, ...]:
    """Return the last messages of a page that stand before one of them; what nobody wrote is left out."""
    said = [
        Turn("assistant" if is_ours(message, me) else "user", text[:MOST_CHARACTERS])
        for message in items(page, "messages")
        if word(message, "ts") != before
        and word(message, "subtype") in WRITTEN
        and (text := plain(word(message, "text"), me.user_id))
    ]
    return tuple(said[-MOST_TURNS:])
