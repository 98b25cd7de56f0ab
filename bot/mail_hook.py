"""Mails codes through a program of the operator's, which is told by HTTP what to send to whom."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import httpx

from bot.core.linking import Courier
from bot.tables import LinkingSettings
from knowledge.errors import TransientError

# What the hook is to believe us by, as the header Authorization has it.
TOKEN_VARIABLE = "LINKING_MAIL_HOOK_TOKEN"
TIMEOUT_S = 5.0


class MailHook:
    """The `Courier` port: a mail is on its way when the hook says so (2xx)."""

    def __init__(self, client: httpx.AsyncClient, url: str) -> None:
        self._client = client
        self._url = url

    async def carry(self, address: str, code: str, language: str) -> None:
        told = {"email": address, "code": code, "language": language}
        try:
            response = await self._client.post(self._url, json=told)
        except httpx.HTTPError as exc:
            raise TransientError(f"the mail hook cannot be reached: {type(exc).__name__}") from exc
        if not response.is_success:
            raise TransientError(f"the mail hook refused with status {response.status_code}; its own log says why")


@asynccontextmanager
async def open_mail_hook(
    settings: LinkingSettings, environment: Mapping[str, str] | None = None, *, timeout_s: float = TIMEOUT_S
) -> AsyncIterator[Courier | None]:
    """Open what mails codes, where it is configured."""
    if settings.mail_hook is None:
        yield None
        return
    token = (os.environ if environment is None else environment).get(TOKEN_VARIABLE)
    headers = {"Authorization": token} if token else {}
    async with httpx.AsyncClient(timeout=timeout_s, headers=headers, trust_env=False) as client:
        yield MailHook(client, settings.mail_hook)
