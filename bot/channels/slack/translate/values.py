"""What a delivery of Slack's turns out to be, where it is no message: frozen values of this package."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.channels.slack.render.forms import Form
from bot.channels.translated import Edited, Ignored
from bot.core.feedback import Verdict
from bot.core.incoming import Incoming, Place
from bot.core.tickets.acts import Act

PLATFORM = "slack"


@dataclass(frozen=True, slots=True)
class Here:
    """What the meaning of a delivery depends on: the workspace, who the bot is there, its command, and the time."""

    workspace: str
    user_id: str
    bot_id: str
    now: datetime
    command: str = "/ask"

    def place(self, channel: str) -> Place:
        """Return a channel of the workspace."""
        return Place(PLATFORM, self.workspace, channel)


@dataclass(frozen=True, slots=True)
class Deleted:
    """A message is gone."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Judged:
    """Somebody pressed one of the two feedback buttons; `trigger` opens a dialog within three seconds."""

    answer: int
    place: Place
    actor: str
    verdict: Verdict
    language: str
    trigger: str


@dataclass(frozen=True, slots=True)
class Explained:
    """Somebody said what was wrong with an answer."""

    answer: int
    place: Place
    actor: str
    reason: str | None
    comment: str | None


@dataclass(frozen=True, slots=True)
class Reacted:
    """Somebody put a thumb under a message of ours, or took it away."""

    place: Place
    message: str
    actor: str
    verdict: Verdict
    is_taken_back: bool = False


@dataclass(frozen=True, slots=True)
class AskedInPrivate:
    """Somebody wants the answer to a stored question in a direct message, which has to be opened first."""

    workspace: str
    author: str
    question: int
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class Acted:
    """Somebody did something at a desk, by a button or a form; they are told what came of it.

    `respond_at` is the address that came with the button, "" with a form: then they are told in the place.
    """

    act: Act
    place: Place
    user: str
    thread: str | None
    respond_at: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Somebody wants a form, which `trigger` opens within three seconds.

    `fields` are what it begins with; None where that has to be read from the message first.
    """

    form: Form
    workspace: str
    trigger: str
    fields: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class HomeOpened:
    """Somebody opened the conversation with us."""

    workspace: str
    channel: str


@dataclass(frozen=True, slots=True)
class Joined:
    """We were taken into a channel; what was said there before is none of our business."""

    place: Place
    at: str


@dataclass(frozen=True, slots=True)
class MembersChanged:
    """Others read along in a channel from now on."""

    place: Place


@dataclass(frozen=True, slots=True)
class Uninstalled:
    """The app or its token is gone from a workspace, or with `team` None from a whole organisation."""

    enterprise: str | None
    team: str | None


@dataclass(frozen=True, slots=True)
class TeamsLost:
    """An organisation took the app away from some of its workspaces."""

    enterprise: str
    teams: tuple[str, ...]


Interaction = Judged | Explained | AskedInPrivate | Acted | Wanted
Translated = (
    Incoming
    | Edited
    | Deleted
    | Interaction
    | Reacted
    | HomeOpened
    | Joined
    | MembersChanged
    | Uninstalled
    | TeamsLost
    | Ignored
)
