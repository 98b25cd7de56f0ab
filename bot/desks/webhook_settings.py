"""`[[desks]]` of kind "webhook": where a ticket system is told, where it tells us, and what both sign with."""

import base64
import binascii
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, StringConstraints, ValidationInfo, field_validator

from bot.tables import DeskTable, is_private_address
from knowledge.errors import SettingsProblem
from knowledge.sources.variables import VariableName

SECRET_PREFIX = "whsec_"
# What the specification asks of a secret (standardwebhooks.com, "Signature scheme").
LEAST_SECRET_BYTES, MOST_SECRET_BYTES = 24, 64

Path = Annotated[str, StringConstraints(pattern=r"^/[A-Za-z0-9/_.-]*$")]


class WebhookDeskSettings(DeskTable):
    """A ticket system that is told by HTTP, and answers by HTTP where a `port` is set."""

    # The ticket system may be a program of this machine, or stand in the organisation's own network.
    local: bool = False
    # What is posted to; some have a token in it.
    url: str = Field(repr=False)
    # Holds the secret; two of them with a space between while one takes the place of the other.
    secret_env: VariableName = "DESK_WEBHOOK_SECRET"
    # Where the ticket system's answers come in; without a port it is only told.
    port: int | None = Field(default=None, ge=0, le=65535)
    host: str = "127.0.0.1"
    path: Path = "/desk"

    @field_validator("url")
    @classmethod
    def _is_private(cls, url: str, known: ValidationInfo) -> str:
        parts = urlsplit(url)
        if not is_private_address(url, may_be_local=known.data.get("local") is True):
            raise ValueError(
                "carries questions and has to begin with https://; http:// is for a program of this machine, 127.0.0.1"
                " for instance, with local = true"
            )
        if parts.username or parts.password:
            raise ValueError("names a user, who is not needed: what we send is signed; write the address alone")
        return url


def secrets_of(settings: WebhookDeskSettings, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the desk's secrets, the one to sign with first; SettingsProblem names the variable, and never a value."""
    secrets = tuple(environment.get(settings.secret_env, "").split())
    if not secrets or not all(map(_is_secret, secrets)):
        what = "does not hold the secret" if secrets else "is not set; it is the secret"
        raise SettingsProblem(
            f"[[desks]] {settings.name}: {settings.secret_env} {what} that the ticket system shares with us: set it on"
            f' both sides to, for instance, what `echo "{SECRET_PREFIX}$(openssl rand -base64 32)"` prints'
        )
    return secrets


def _is_secret(secret: str) -> bool:
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        return False
    return LEAST_SECRET_BYTES <= len(key) <= MOST_SECRET_BYTES
