"""All that the server knows, shared by its thread and the tests' under one lock."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import RLock

from aiohttp import web

from tests.wire.injections import Injection
from tests.wire.slack.courier import Courier, Parcel
from tests.wire.slack.faults import Fault
from tests.wire.slack.files import StoredFile
from tests.wire.slack.limits import Limits
from tests.wire.slack.manners import Manners
from tests.wire.slack.messages import Clock, Message
from tests.wire.slack.records import Ack, Call, Delivery
from tests.wire.slack.tokens import Token, TokenBook
from tests.wire.slack.workspace import Channel, Workspace

# What the app's manifest subscribes to, written down once more: a test holds the two against each other.
SUBSCRIPTIONS = (
    "app_mention",
    "app_home_opened",
    "message.im",
    "message.mpim",
    "message.channels",
    "message.groups",
    "member_joined_channel",
    "member_left_channel",
    "reaction_added",
    "reaction_removed",
    "tokens_revoked",
    "app_uninstalled",
    "team_access_revoked",
)
APP_ID = "A0ANSWERDESK"
TRIGGER_LIFETIME_S = 3.0
MINUTE_S = 60.0


@dataclass(slots=True)
class ResponseUrl:
    """A URL that an interaction can be answered at: five times in thirty minutes."""

    id: str
    channel: str
    user: str
    message: Message | None = None
    thread_ts: str | None = None
    uses: int = 0
    expires_at_s: float = field(default_factory=lambda: time.monotonic() + 30 * MINUTE_S)


@dataclass(slots=True)
class OpenView:
    """A dialog or a home tab that a person has before them; `response` is the last answer to its submission."""

    id: str
    user: str
    team_id: str
    view: Mapping[str, object]
    response: object = None
    is_open: bool = True


@dataclass(slots=True)
class Trigger:
    """What a dialog can be opened with, once, within three seconds."""

    user: str
    team_id: str
    at_s: float = field(default_factory=time.monotonic)
    is_used: bool = False


@dataclass(slots=True)
class Status:
    """What stands below a thread while the app works; it goes with the app's next post, or by itself."""

    text: str
    at_s: float
    loading_messages: tuple[str, ...] = ()


class SlackState:
    """The workspaces, the app's installation, and everything recorded."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.manners = Manners()
        self.clock = Clock()
        self.limits = Limits()
        self.courier = Courier(self)
        self.workspaces: dict[str, Workspace] = {}
        self.token_book = TokenBook()
        self.subscriptions: set[str] = {*SUBSCRIPTIONS}
        self.signing_secret = "signing-secret-of-the-tests"
        self.client_id, self.client_secret = "111.222", "client-secret-of-the-tests"
        self.port = 0
        self.allowed_mentions: set[str] = set()
        self.alarms: list[str] = []
        self.calls: list[Call] = []
        self.deliveries: list[Delivery] = []
        self.acks: list[Ack] = []
        self.faults: list[Injection[Fault, str]] = []
        self.parcels: list[Parcel] = []
        self.lost: list[Parcel] = []
        self.failures: list[Exception] = []
        self.statuses: dict[tuple[str, str], Status] = {}
        self.prompts: dict[tuple[str, str], list[object]] = {}
        self.titles: dict[tuple[str, str], str] = {}
        self.sessions: dict[tuple[str, str], str] = {}
        self.views: list[OpenView] = []
        self.triggers: dict[str, Trigger] = {}
        self.tickets: set[str] = set()
        self.files: dict[str, StoredFile] = {}
        # What the next downloads are answered, the next uploads too; and who has asked for files.
        self.download_answers: list[web.Response] = []
        self.upload_statuses: list[int] = []
        self.downloads: list[str] = []
        self.response_urls: dict[str, ResponseUrl] = {}

    @property
    def url(self) -> str:
        """The address of its root."""
        return f"http://127.0.0.1:{self.port}"

    def channel(self, channel_id: str) -> Channel:
        """Return a channel of any workspace."""
        return next(one.channels[channel_id] for one in self.workspaces.values() if channel_id in one.channels)

    def home_of(self, channel_id: str) -> Workspace:
        """Return the workspace that a channel is in."""
        return self.workspaces[self.channel(channel_id).team_id]

    def message(self, channel_id: str, ts: str) -> Message:
        """Return a message, deleted or not."""
        channel = self.channel(channel_id)
        hidden = next((one for one in channel.ephemerals if one.ts == ts), None)
        return hidden or channel.messages[ts]

    def fault_for(self, call: Call) -> Fault | None:
        """Return the fault that a test ordered for a call, counting it."""
        channel = call.text("channel") or call.text("channel_id")
        return next((one.fault for one in self.faults if one.takes(call.method, channel)), None)

    def bot_token_of(self, team_id: str) -> Token | None:
        """Return a token that works in a workspace: its own, or one of its organisation."""
        enterprise = self.workspaces[team_id].enterprise_id
        for token in self.token_book.tokens.values():
            if token.team_id == team_id or (token.team_id is None and enterprise and token.enterprise_id == enterprise):
                return token
        return None

    def new_trigger(self, user: str, team_id: str) -> str:
        """Return the id of a new trigger."""
        trigger_id = f"{secrets.randbelow(10**9)}.{secrets.token_hex(4)}"
        self.triggers[trigger_id] = Trigger(user, team_id)
        return trigger_id

    def new_response_url(self, url: ResponseUrl) -> str:
        """Keep a response URL and return its address."""
        self.response_urls[url.id] = url
        return f"{self.url}/response/{url.id}"

    def alarm(self, text: str) -> None:
        """Note something that must not happen."""
        self.alarms.append(text)
