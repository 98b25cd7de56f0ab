"""Tokens: whose they are, what they may do, and what became of them."""

import secrets
import time
from dataclasses import dataclass, field
from typing import Literal

# What the app's manifest asks for, written down once more: a test holds the two against each other.
SCOPES = (
    "app_mentions:read",
    "assistant:write",
    "channels:history",
    "channels:read",
    "chat:write",
    "commands",
    "files:read",
    "files:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "mpim:history",
    "mpim:read",
    "reactions:read",
    "reactions:write",
    "usergroups:read",
    "users:read",
    "users:read.email",
)
TOKEN_LIFETIME_S = 43_200


@dataclass(slots=True)
class Token:
    """A token of the bot in one workspace, in a whole organisation (`team_id` None), or of the app itself."""

    value: str
    kind: Literal["bot", "app"] = "bot"
    team_id: str | None = None
    enterprise_id: str | None = None
    scopes: tuple[str, ...] = SCOPES
    state: Literal["active", "revoked", "inactive"] = "active"
    expires_at: float | None = None
    refresh: str | None = None

    @property
    def error(self) -> str | None:
        """Why the token is not taken."""
        if self.state != "active":
            return "token_revoked" if self.state == "revoked" else "account_inactive"
        return "token_expired" if self.expires_at is not None and time.time() >= self.expires_at else None


@dataclass(slots=True)
class TokenBook:
    """All tokens, the codes that an installation may be finished with, and the tokens that renew others."""

    tokens: dict[str, Token] = field(default_factory=dict)
    codes: dict[str, Token] = field(default_factory=dict)

    def add(self, token: Token) -> Token:
        """Keep a token."""
        self.tokens[token.value] = token
        return token

    def code_for(self, token: Token) -> str:
        """Return a code that is good for a token, once."""
        code = secrets.token_hex(8)
        self.codes[code] = token
        return code

    def redeem(self, code: str) -> Token | None:
        """Return the token of a code; the code is used up."""
        token = self.codes.pop(code, None)
        return self.add(token) if token else None

    def renew(self, refresh: str) -> Token | None:
        """Return a new token for one that expires; the refresh token is used up."""
        old = next((one for one in self.tokens.values() if one.refresh == refresh), None)
        if old is None:
            return None
        old.refresh = None
        fresh = rotating(Token("", team_id=old.team_id, enterprise_id=old.enterprise_id, scopes=old.scopes))
        return self.add(fresh)

    def of_team(self, team_id: str) -> list[Token]:
        """Return the bot's tokens in a workspace."""
        return [token for token in self.tokens.values() if token.kind == "bot" and token.team_id == team_id]


def rotating(token: Token, lifetime_s: float = TOKEN_LIFETIME_S) -> Token:
    """Make a token one that expires and can be renewed."""
    token.value = f"xoxe.xoxb-{secrets.token_hex(8)}"
    token.refresh = f"xoxe-1-{secrets.token_hex(8)}"
    token.expires_at = time.time() + lifetime_s
    return token
