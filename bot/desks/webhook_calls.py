"""Posts to a ticket system: signed, within a deadline, to the configured address and no other."""

import asyncio
from datetime import UTC, datetime

import httpx

from bot.core.errors import MaybeSent, Undeliverable
from bot.desks.webhook_settings import WebhookDeskSettings
from bot.desks.webhook_signature import Signer
from knowledge.errors import RateLimited, SourceProblem, TransientError
from knowledge.sources.guarded import GuardedTransport
from knowledge.sources.patience import retry_after_s

DEADLINE_S = 10.0
CALLS_AT_ONCE = 4
# How long to leave a ticket system alone that says that it is busy and not for how long.
BUSY_FOR_S = 30.0
# Statuses by which the same message may be taken later (RFC 9110, RFC 8470); of the server's own errors nobody knows
# what had been done before.
_BUSY = frozenset({429, 503})
_LATER = frozenset({408, 409, 425})


class Calls:
    """One ticket system's address; neither the address nor what is posted is in any message or log."""

    def __init__(self, settings: WebhookDeskSettings, signer: Signer, *, deadline_s: float = DEADLINE_S) -> None:
        self._name = f"the ticket system of the desk {settings.name!r}"
        self._url = httpx.URL(settings.url)
        self._signer = signer
        self._deadline_s = deadline_s
        self._transport = GuardedTransport(
            site_host=self._url.host, allow_private=settings.local, connections_per_host=CALLS_AT_ONCE
        )

    async def aclose(self) -> None:
        """End all connections."""
        await self._transport.aclose()

    async def post(self, name: str, body: str) -> None:
        """Post a body; `name` is the same whenever it is posted again, so that it is known there.

        RateLimited or TransientError: not taken; MaybeSent: nobody knows; Undeliverable: it never will be.
        """
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "answerdesk",
            **self._signer.headers(name, body, now=datetime.now(UTC)),
        }
        response = await self._exchange("POST", headers, body.encode())
        self._judge(response)

    async def reach(self) -> int:
        """Return the status that the address answers with when it is only asked whether it is there."""
        return (await self._exchange("HEAD", {"User-Agent": "answerdesk"}, b"")).status_code

    async def _exchange(self, method: str, headers: dict[str, str], content: bytes) -> httpx.Response:
        """Return the answer without its body, which tells us nothing and may have no end."""
        timeout = httpx.Timeout(self._deadline_s).as_dict()
        request = httpx.Request(method, self._url, headers=headers, content=content, extensions={"timeout": timeout})
        try:
            async with asyncio.timeout(self._deadline_s):
                response = await self._transport.handle_async_request(request)
                await response.aclose()
        except SourceProblem as exc:
            raise Undeliverable(
                f"{self._name} is not on the public internet, so it was not called; if it is meant, set local = true"
            ) from exc
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as exc:
            raise TransientError(f"{self._name} cannot be reached: {type(exc).__name__}") from exc
        except (httpx.TransportError, TimeoutError) as exc:
            raise MaybeSent(f"{self._name} did not answer to the end: {type(exc).__name__}") from exc
        return response

    def _judge(self, response: httpx.Response) -> None:
        status = response.status_code
        if response.is_success:
            return
        wait_s = retry_after_s(response.headers.get("retry-after"))
        if status in _BUSY or (wait_s is not None and status >= 400):
            raise RateLimited(
                f"{self._name} is busy ({status})", retry_after_s=BUSY_FOR_S if wait_s is None else wait_s
            )
        if status in _LATER:
            raise TransientError(f"{self._name} does not take it now ({status})")
        if status >= 500:
            raise MaybeSent(f"{self._name} failed over it ({status})")
        remedy = "set `url` to where that leads" if response.has_redirect_location else "its own log says why"
        raise Undeliverable(f"{self._name} refused a message for good ({status}); {remedy}")
