"""Keeps to Slack's limits, for each method in each workspace or channel."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from bot.channels.pacing import Lane, Pace, Pacing


@dataclass(frozen=True, slots=True)
class MethodPace:
    """How often a method may be called, in a workspace or in one channel."""

    pace: Pace
    is_per_channel: bool = False


_TIER_2 = MethodPace(Pace(20, 60.0))
_TIER_3 = MethodPace(Pace(50, 60.0))
_TIER_4 = MethodPace(Pace(100, 60.0))
# docs.slack.dev/apis/web-api/rate-limits; a posting a second in a channel, and short bursts are let pass.
PACES: Mapping[str, MethodPace] = {
    "chat.postMessage": MethodPace(Pace(3, 3.0), is_per_channel=True),
    "chat.postEphemeral": _TIER_4,
    "chat.update": _TIER_3,
    "chat.delete": _TIER_3,
    "chat.startStream": _TIER_2,
    "chat.stopStream": _TIER_2,
    "chat.appendStream": _TIER_4,
    "conversations.info": _TIER_3,
    "conversations.history": _TIER_3,
    "conversations.members": _TIER_4,
    "conversations.open": _TIER_3,
    "conversations.replies": _TIER_3,
    "files.completeUploadExternal": _TIER_4,
    "files.getUploadURLExternal": _TIER_4,
    "files.info": _TIER_4,
    "reactions.add": _TIER_3,
    "reactions.remove": _TIER_2,
    "users.info": _TIER_4,
    "users.list": _TIER_2,
}


class MethodPacing:
    """Gives each call of a method its turn."""

    def __init__(self, pacing: Pacing | None = None, *, paces: Mapping[str, MethodPace] = PACES) -> None:
        self._pacing = pacing or Pacing()
        self._paces = paces

    def turn(self, method: str, workspace: str, channel: str) -> AbstractAsyncContextManager[None]:
        """Wait until a method may be called, which is done inside; RateLimited where that takes too long."""
        return self._pacing.turn(self._lane(method, workspace, channel))

    async def ready(self, method: str, workspace: str, channel: str) -> None:
        """Wait until a method may be called, without calling it; RateLimited where that takes too long."""
        await self._pacing.ready(self._lane(method, workspace, channel))

    def has_room(self, method: str, workspace: str, channel: str) -> bool:
        """Tell whether a method may be called at once."""
        return self._pacing.has_room(self._lane(method, workspace, channel))

    def hold(self, method: str, workspace: str, channel: str, retry_after_s: float) -> None:
        """Remember that Slack wants to hear nothing of a method for some time; other places go on."""
        self._pacing.hold(self._lane(method, workspace, channel), retry_after_s)

    def _lane(self, method: str, workspace: str, channel: str) -> Lane:
        paced = self._paces.get(method)
        is_per_channel = paced is not None and paced.is_per_channel
        return Lane((method, workspace, channel if is_per_channel else ""), paced.pace if paced else None)
