"""Bolt, told everything explicitly: it checks who sends, and hands every delivery to one function of ours."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from slack_bolt.async_app import AsyncApp, AsyncBoltContext
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.response import BoltResponse

from bot.channels.afterwards import UnderWay
from bot.channels.slack.clients import Clients, bolt_log
from bot.channels.slack.listen.counts import Counts
from bot.channels.slack.listen.keeper import Keeper, Kept
from bot.channels.slack.secrets import SlackSecrets
from bot.channels.slack.settings import SlackSettings
from bot.channels.slack.translate.payload import translate
from bot.channels.slack.translate.read import Payload, word
from bot.channels.slack.translate.values import Here
from bot.core.errors import CoreError
from knowledge.errors import KnowledgeError

# The names under which the way through Bolt carries what we have found out of a delivery.
_TEAM = "answerdesk_team"
_HERE = "answerdesk_here"
# Slack does not show what a dialog is to open after three seconds; the rest is as little worth waiting for.
AFTERWARDS_S = 3.0
# An event that is not acknowledged within three seconds Slack delivers again: to go on with the first one would only
# keep both waiting, and with them all that come behind.
STORED_WITHIN_S = 2.5
# So many are stored at once: the database's other connections are for those who answer.
STORED_AT_ONCE = 8

log = logging.getLogger(__name__)


class Reception:
    """The one path of every delivery: who is it for, what does it mean, store it, and only then acknowledge it."""

    def __init__(self, settings: SlackSettings, clients: Clients, keeper: Keeper, counts: Counts) -> None:
        self._settings = settings
        self._clients = clients
        self._keeper = keeper
        self._counts = counts
        self._under_way = UnderWay()
        self._turns = asyncio.Semaphore(STORED_AT_ONCE)

    async def authorize(
        self, context: AsyncBoltContext, enterprise_id: str | None, team_id: str | None
    ) -> AuthorizeResult | None:
        """Tell Bolt who we are in a workspace, so that it drops our own messages; None where we are not installed."""
        team = team_id or context.get(_TEAM)
        workspace = await self._clients.workspace_of(enterprise_id, team)
        if workspace is None:
            return None
        me = await self._clients.me(workspace)
        context[_HERE] = Here(workspace, me.user_id, me.bot_id, datetime.now(UTC), self._settings.command)
        return AuthorizeResult(
            enterprise_id=enterprise_id, team_id=team, bot_id=me.bot_id or None, bot_user_id=me.user_id
        )

    async def receive(self, body: Payload, context: AsyncBoltContext) -> BoltResponse:
        """Store a delivery, then acknowledge it; what cannot be stored is not acknowledged, and comes once more."""
        self._counts.events += 1
        self._under_way.watch(asyncio.current_task())
        try:
            kept = await self._kept(body, context.get(_HERE) or Here("", "", "", datetime.now(UTC)))
        except (KnowledgeError, CoreError, TimeoutError) as exc:
            problem = str(exc) or f"the database needs more than {STORED_WITHIN_S:g} s"
            log.warning("not stored, so not acknowledged: %s", problem, extra={"delivery": word(body, "event_id")})
            return self._refused()
        except Exception:
            log.exception("not stored, so not acknowledged", extra={"delivery": word(body, "event_id")})
            return self._refused()
        self._counts.acks += 1
        if kept.then:
            self._under_way.begin(kept.then, within_s=AFTERWARDS_S)
        return BoltResponse(status=200, body={"response_type": "ephemeral", "text": kept.text} if kept.text else "")

    async def _kept(self, body: Payload, here: Here) -> Kept:
        # What a person did with a button or a command comes once: late is better than never.
        is_repeated = word(body, "type") == "event_callback"
        async with asyncio.timeout(STORED_WITHIN_S if is_repeated else None), self._turns:
            return await self._keeper.keep(translate(body, here))

    def _refused(self) -> BoltResponse:
        self._counts.refused += 1
        return BoltResponse(status=503, body="")

    async def settle(self, within_s: float) -> None:
        """Wait until what is under way is stored and acknowledged, and what follows it is done, but not for ever."""
        late = await self._under_way.settle(within_s)
        if late:
            log.warning("stopped with %d deliveries under way; Slack delivers them again", late)


def bolt_app(reception: Reception, clients: Clients, secrets: SlackSecrets) -> AsyncApp:
    """Return the app that checks signatures and drops what we wrote ourselves.

    What Bolt would read from the environment by itself it is told here: of many workspaces or one, `clients` knows.
    That our own middleware answers every delivery means that Bolt never acknowledges one before it is stored.
    """

    async def note_team(body: Payload, context: AsyncBoltContext, next: Callable[[], Awaitable[None]]) -> None:
        # An organisation's installation is authorized without a team, but the event has one.
        context[_TEAM] = word(body, "team_id") or word(body, "user", "team_id") or None
        await next()

    async def authorize(
        context: AsyncBoltContext, enterprise_id: str | None, team_id: str | None
    ) -> AuthorizeResult | None:
        return await reception.authorize(context, enterprise_id, team_id)

    app = AsyncApp(
        name="answerdesk",
        logger=bolt_log(),
        client=clients.with_token(None),
        signing_secret=secrets.signing_secret,
        process_before_response=True,
        before_authorize=note_team,
        authorize=authorize,  # type: ignore[arg-type] # Bolt takes None for "not installed", but does not say so
        attaching_function_token_enabled=False,
        attaching_conversation_kwargs_enabled=False,
    )
    app.middleware(reception.receive)
    return app
