"""Which workspace a channel is in that configuration calls by its id only."""

from bot.channels.slack.clients import Clients
from bot.channels.slack.send.calls import Calls
from bot.channels.slack.translate.read import part, word
from bot.channels.slack.translate.values import PLATFORM
from bot.core.errors import Undeliverable
from bot.core.incoming import Place
from knowledge.errors import SettingsProblem, TransientError

# What the names of organisations begin with: their token is good for all of their workspaces.
ORGANISATION = "E"


class Places:
    """The channels of all workspaces, each looked for once."""

    def __init__(self, calls: Calls, clients: Clients) -> None:
        self._calls = calls
        self._clients = clients
        self._known: dict[str, Place] = {}

    async def place(self, channel: str) -> Place:
        """Return the place of a channel; TransientError where none of the workspaces has it, or shows it to us."""
        if channel not in self._known:
            self._known[channel] = await self._found(channel)
        return self._known[channel]

    async def _found(self, channel: str) -> Place:
        try:
            workspaces = await self._clients.workspaces()
        except SettingsProblem as exc:
            raise TransientError(str(exc)) from exc
        if len(workspaces) == 1 and not workspaces[0].startswith(ORGANISATION):
            return Place(PLATFORM, workspaces[0], channel)
        for workspace in workspaces:
            if found := await self._in(Place(PLATFORM, workspace, channel)):
                return found
        raise TransientError(f"no workspace on Slack has the channel {channel}, or the bot is not in it; invite it")

    async def _in(self, place: Place) -> Place | None:
        try:
            answer = await self._calls.read(
                "conversations.info", place, lambda client: client.conversations_info(channel=place.channel)
            )
        except Undeliverable:
            return None
        home = word(part(answer, "channel"), "context_team_id") or place.workspace
        return Place(PLATFORM, home, place.channel)
