"""`[slack]`: what is chosen of Slack; what is secret comes from the environment (`secrets.py`)."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

API_URL = "https://slack.com/api/"

Path = Annotated[str, StringConstraints(pattern=r"^/[A-Za-z0-9/_.-]*$")]
# Slack shows at most four (docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts).
Prompts = Annotated[tuple[str, ...], Field(max_length=4)]


class SlackSettings(BaseModel):
    """How Slack reaches us, where we answer, and what the asker sees meanwhile.

    `mode` "socket" needs no public address; "http" listens on `host` and `port` behind a proxy that ends TLS, at
    `public_url` for the world. `channels` are the ids of those where the bot answers, none: everywhere. `oauth`: many
    workspaces install the app by themselves, at /slack/install. `reaction` is put on a question while it is worked on.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    mode: Literal["socket", "http"] = "socket"
    host: str = "127.0.0.1"
    port: int = Field(default=3000, ge=0, le=65535)
    path: Path = "/slack/events"
    public_url: str | None = Field(default=None, pattern=r"^https://[^\s/]+$")
    api_url: str = Field(default=API_URL, pattern=r"^https?://\S+/$")
    channels: tuple[str, ...] = ()
    # Tags that every full member of the workspace holds, besides `public`.
    workspace_tags: tuple[str, ...] = ()
    command: str = Field(default="/ask", pattern=r"^/[a-z0-9_-]{1,31}$")
    stream: bool = True
    status: bool = True
    reaction: str | None = Field(default="eyes", pattern=r"^[a-z0-9_+'-]+$")
    prompts: Prompts = ()
    oauth: bool = False
    install_path: Path = "/slack/install"
    redirect_path: Path = "/slack/oauth_redirect"
    # What was written while nobody listened is looked for so far back; 0: not at all.
    catch_up_hours: float = Field(default=24.0, ge=0, le=24 * 7)
    # A socket without any sign of life for so long is opened anew; and one that has brought nothing for so long.
    silent_s: float = Field(default=60.0, gt=0, le=3600)
    deaf_minutes: float = Field(default=30.0, gt=0, le=24 * 60)
