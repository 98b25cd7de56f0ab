"""`[telegram]`: what is chosen of Telegram; what is secret comes from the environment (`secrets.py`)."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

API_URL = "https://api.telegram.org"

Path = Annotated[str, StringConstraints(pattern=r"^/[A-Za-z0-9/_.-]*$")]
# A chat's number, as Telegram writes it; those of groups are negative.
Chat = Annotated[str, BeforeValidator(str), StringConstraints(pattern=r"^-?\d{1,20}$")]
# What a deep link may carry (core.telegram.org/bots/features#deep-linking).
Payload = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class TelegramSettings(BaseModel):
    """How Telegram reaches us, where we answer, and what the asker sees meanwhile.

    `mode` "polling" needs no public address; "webhook" listens on `host` and `port` behind a proxy that ends TLS, at
    `public_url` for the world. `chats` are those where the bot answers, none: everywhere; with any, strangers are told
    that it is private. `audiences`: the tags that all members of a group hold. `questions`: what a deep link asks.
    `business` and `guests`: also what comes from people's own chats, through a business account or as a guest, is
    answered.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    mode: Literal["polling", "webhook"] = "polling"
    host: str = "127.0.0.1"
    port: int = Field(default=8443, ge=0, le=65535)
    path: Path = "/telegram"
    public_url: str | None = Field(default=None, pattern=r"^https?://[^\s/]+$")
    api_url: str = Field(default=API_URL, pattern=r"^https?://[^\s/]+$")
    chats: tuple[Chat, ...] = ()
    audiences: Mapping[Chat, tuple[str, ...]] = Field(default_factory=dict)
    questions: Mapping[Payload, str] = Field(default_factory=dict)
    stream: bool = True
    typing: bool = True
    # The commands are shown in Telegram's menu.
    menu: bool = True
    business: bool = False
    guests: bool = False
    # A recording longer than this is not listened to.
    recording_s: int = Field(default=180, ge=1, le=1200)
    # How long Telegram holds a request for updates open.
    poll_s: int = Field(default=30, ge=1, le=50)
