"""What a `[[sources]]` table of kind "confluence" may say, and which secrets go with it."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from knowledge.errors import SettingsProblem
from knowledge.sources.audience_tags import AudienceTags
from knowledge.sources.variables import VariableName
from knowledge.sources.web import CALLS_AT_ONCE, Credentials, WebOptions
from knowledge.types import compared_address

CLOUD_DOMAIN = ".atlassian.net"
GATEWAY = "api.atlassian.com"
_PLACE = "{username}"
# Which files on pages are documents unless the settings say otherwise.
ATTACHMENT_TYPES = ("*.md", "*.markdown", "*.txt", "*.pdf", "*.docx", "*.pptx", "*.xlsx", "*.csv")

Deployment = Literal["cloud", "data_center"]
ContentId = Annotated[str, Field(pattern=r"^\d+$")]
# Also stands between quotes in searches.
SpaceKey = Annotated[str, Field(pattern=r"^[^\s\"\\/,]+$")]


class ConfluenceSettings(BaseModel):
    """One Confluence site; `url` is its base address, for Cloud with `/wiki`."""

    # Ids are easily written as numbers.
    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)

    # Stands before a slash in the tags of its groups.
    name: str = Field(pattern=r"^[^/]+$")
    url: str
    # The address in links that readers open, where it is not `url`.
    link_url: str | None = Field(default=None, pattern=r"^https?://")
    deployment: Deployment | None = None
    spaces: tuple[SpaceKey, ...] = Field(min_length=1)
    labels: tuple[str, ...] = ()
    exclude_labels: tuple[str, ...] = ()
    # Only the trees below these pages, them included; and the trees that are left out.
    roots: tuple[ContentId, ...] = ()
    exclude: tuple[ContentId, ...] = ()
    attachments: bool = True
    attachment_types: tuple[str, ...] = ATTACHMENT_TYPES
    comments: bool = False
    # Text of other pages, where macros show it: only what all readers of the page may read, or all of it.
    included_text: Literal["permitted", "all"] = "permitted"
    # Stands in the place of a space's own permission, for instance where the token may not read that.
    space_audience: AudienceTags = ()
    # Names or ids of groups that everybody is in who may talk to the bot.
    public_groups: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    # Data Center tells no e-mail addresses: how they are made of a user's name, "{username}@example.org".
    user_emails: str | None = None
    email_env: VariableName = "CONFLUENCE_EMAIL"
    token_env: VariableName = "CONFLUENCE_TOKEN"
    allow_private: bool = False
    max_page_mb: float = Field(default=10.0, gt=0, le=1_000)
    max_attachment_mb: float = Field(default=10.0, gt=0, le=1_000)
    concurrency: int = Field(default=CALLS_AT_ONCE, ge=1, le=16)
    timeout_s: float = Field(default=30.0, gt=0, le=600)

    @field_validator("url")
    @classmethod
    def _is_a_base_address(cls, url: str) -> str:
        parts = urlsplit(url)
        # Shown in messages, so an address with a password is refused later, without being shown.
        if "@" in parts.netloc:
            return url
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
            raise ValueError("is not a site's address; write for instance https://example.atlassian.net/wiki")
        if parts.hostname.endswith(CLOUD_DOMAIN) and parts.path.rstrip("/") != "/wiki":
            raise ValueError(f"is not Confluence's base address; write https://{parts.hostname}/wiki")
        return url.rstrip("/")

    @field_validator("user_emails")
    @classmethod
    def _has_a_place(cls, template: str | None) -> str | None:
        if template is not None and _PLACE not in template:
            raise ValueError(f"has no {_PLACE}; write for instance {_PLACE}@example.org")
        return template

    @model_validator(mode="after")
    def _can_make_links(self) -> "ConfluenceSettings":
        if urlsplit(self.url).hostname == GATEWAY and self.link_url is None:
            raise ValueError(f"a source behind {GATEWAY} needs `link_url`, the address that readers open")
        return self

    @property
    def is_cloud(self) -> bool:
        """Tell Cloud from Data Center, by the host's name unless it is said."""
        if self.deployment:
            return self.deployment == "cloud"
        host = urlsplit(self.url).hostname or ""
        return host == GATEWAY or host.endswith(CLOUD_DOMAIN)

    @property
    def site(self) -> str:
        """The base of the links that readers open."""
        return (self.link_url or self.url).rstrip("/")

    @property
    def options(self) -> WebOptions:
        """How the site is called."""
        return WebOptions(allow_private=self.allow_private, timeout_s=self.timeout_s, calls_at_once=self.concurrency)

    def email_of(self, username: str) -> str:
        """Return the e-mail address made of a Data Center user's name; "" when that is not set."""
        if not self.user_emails or not username:
            return ""
        return compared_address(self.user_emails.replace(_PLACE, username))


def credentials(settings: ConfluenceSettings, environment: Mapping[str, str]) -> Credentials:
    """Return what opens the site; raise SettingsProblem naming the variable that is missing, never a value."""
    if "@" in urlsplit(settings.url).netloc:
        raise SettingsProblem(
            f"source {settings.name!r}: `url` holds a user or password; take it out and set {settings.token_env}"
        )
    email = environment.get(settings.email_env, "").strip()
    token = environment.get(settings.token_env, "").strip()
    missing = [settings.email_env] if settings.is_cloud and not email else []
    missing += [] if token else [settings.token_env]
    if missing:
        kind = "an e-mail address and its API token" if settings.is_cloud else "a personal access token"
        raise SettingsProblem(
            f"source {settings.name!r}: {' and '.join(missing)} is not set; Confluence needs {kind} in the environment"
        )
    if not (email + token).isprintable() or not token.isascii():
        raise SettingsProblem(
            f"source {settings.name!r}: {settings.token_env} holds characters that no token has; copy it again"
        )
    if not settings.is_cloud:
        return Credentials(f"Bearer {token}", (token,))
    pair = b64encode(f"{email}:{token}".encode()).decode()
    return Credentials(f"Basic {pair}", (token, pair))
