"""The port to the workspaces that have installed the bot by themselves, where one deployment serves many."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Installation:
    """What a platform gave for one workspace, or with `team` None for all those of an organisation.

    `expires_at` and `refresh_token` are set where the app's tokens rotate.
    """

    enterprise: str | None
    team: str | None
    app: str
    bot_user: str
    bot: str
    token: str = field(repr=False)
    scopes: tuple[str, ...] = ()
    refresh_token: str | None = field(default=None, repr=False)
    expires_at: datetime | None = None
    installed_by: str = ""


class Installations(Protocol):
    """The stored installations; each method is one transaction."""

    async def find(self, enterprise: str | None, team: str | None) -> Installation | None:
        """Return the installation of a workspace: its own, else that of its organisation.

        The organisation may be left out where the workspace was `seen` in it.
        """
        ...

    async def save(self, installation: Installation) -> None:
        """Store an installation in place of an earlier one of the same workspace or organisation."""
        ...

    async def renew(self, installation: Installation, *, instead_of: str) -> bool:
        """Store the new token of an installation; False where its token is no longer `instead_of`."""
        ...

    async def delete(self, enterprise: str | None, team: str | None) -> None:
        """Forget an installation with its tokens; the organisation's own where `team` is None."""
        ...

    async def seen(self, enterprise: str, team: str) -> None:
        """Note that a workspace is served by an organisation's installation."""
        ...

    async def lost(self, enterprise: str, teams: Sequence[str]) -> None:
        """Note that an organisation took the app away from some of its workspaces."""
        ...

    async def workspaces(self) -> Sequence[str]:
        """Return the workspaces that can be served."""
        ...


class States(Protocol):
    """The installations that were begun in a browser, each good for one ending."""

    async def issue(self) -> str:
        """Return a new name for one that begins now; it expires."""
        ...

    async def consume(self, state: str) -> bool:
        """Tell whether one was begun and may end; it cannot end twice."""
        ...
