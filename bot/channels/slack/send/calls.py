"""Calls Slack's Web API, each call in its turn, and says in our own errors what became of it."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import NoReturn

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.channels.slack.clients import Clients, Me
from bot.channels.slack.errors import SDK_ERRORS, code_of, slack_error
from bot.channels.slack.send.pacing import MethodPacing
from bot.core.errors import Undeliverable
from bot.core.incoming import Place
from knowledge.errors import RateLimited, SettingsProblem, TransientError

Call = Callable[[AsyncWebClient], Awaitable[AsyncSlackResponse]]

# Without a token of its own a workspace hears nothing more of us.
_FINAL = frozenset({"account_inactive", "token_revoked", "team_access_not_granted"})
_REMEDIES: Mapping[str, str] = {
    "channel_not_found": "the channel is gone, or the bot may not see it; invite the bot",
    "not_in_channel": "invite the bot into the channel",
    "is_archived": "the channel is archived",
    "thread_not_found": "the message that was replied to is gone",
    "restricted_action": "a workspace administrator has to allow the bot to post there",
    "restricted_action_read_only_channel": "only some may post in the channel; allow the bot to",
    "restricted_action_thread_locked": "the thread is locked",
    "user_not_found": "the person is gone",
    "user_disabled": "the person is gone",
    "cannot_dm_bot": "bots get no direct messages",
    "messages_tab_disabled": "turn on the Messages tab: api.slack.com/apps, App Home",
}

log = logging.getLogger(__name__)


class Calls:
    """The Web API of all workspaces; a call that would have to wait long for its turn raises RateLimited."""

    def __init__(self, clients: Clients, pacing: MethodPacing) -> None:
        self._clients = clients
        self.pacing = pacing

    async def me(self, place: Place) -> Me:
        """Return who the bot is in the workspace of a place."""
        try:
            return await self._clients.me(place.workspace)
        except SettingsProblem as exc:
            raise TransientError(str(exc)) from exc

    async def read(self, method: str, place: Place, call: Call) -> Mapping[str, object]:
        """Return Slack's answer to what changes nothing, or may be repeated: TransientError, Undeliverable."""
        return await self._answer(method, place, call, writes=False)

    async def write(self, method: str, place: Place, call: Call) -> Mapping[str, object]:
        """Return Slack's answer to what must not happen twice: MaybeSent where nobody knows whether it happened."""
        return await self._answer(method, place, call, writes=True)

    async def _answer(self, method: str, place: Place, call: Call, *, writes: bool) -> Mapping[str, object]:
        client = await self._client(place)
        async with self.pacing.turn(method, place.workspace, place.channel):
            try:
                answer = (await call(client)).data
            except SDK_ERRORS as exc:
                self._refused(exc, method, place, writes=writes)
        return answer if isinstance(answer, dict) else {}

    async def _client(self, place: Place) -> AsyncWebClient:
        try:
            return await self._clients.of(place.workspace)
        except SettingsProblem as exc:
            raise Undeliverable(str(exc)) from exc

    def _refused(self, exc: Exception, method: str, place: Place, *, writes: bool) -> NoReturn:
        error = slack_error(exc, method, writes=writes)
        code = code_of(exc)
        if isinstance(error, RateLimited):
            self.pacing.hold(method, place.workspace, place.channel, error.retry_after_s)
        if isinstance(error, SettingsProblem):
            # It works again when somebody has set it right: until then it is tried again.
            log.error("%s", error, extra={"place": str(place)})
            raise (Undeliverable(str(error)) if code in _FINAL else TransientError(str(error))) from exc
        if isinstance(error, Undeliverable) and code in _REMEDIES:
            raise Undeliverable(f"{error} in {place}; {_REMEDIES[code]}") from exc
        raise error from exc
