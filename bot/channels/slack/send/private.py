"""Sends what only the asker may see: beside the conversation where that works, else as a direct message."""

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from slack_sdk.webhook.async_client import AsyncWebhookClient
from slack_sdk.webhook.webhook_response import WebhookResponse

from bot.channels.slack.clients import TIMEOUT_S, sdk_log
from bot.channels.slack.errors import SDK_ERRORS, retry_after_s, slack_error
from bot.channels.slack.render.blocks import Block
from bot.channels.slack.send.calls import Calls
from bot.channels.slack.send.parcels import EPHEMERAL, RESPONSE_URL, blocks_of, text_of
from bot.channels.slack.send.placing import Placing
from bot.channels.slack.send.plain import plain_parts
from bot.channels.slack.send.post import Poster, is_refused_form
from bot.core.errors import MaybeSent, Undeliverable
from bot.core.outgoing import Parcel
from knowledge.errors import RateLimited

# It is good for five uses within 30 minutes (docs.slack.dev/interactivity/handling-user-interaction).
_WORN_OUT = ("expired_url", "used_url", "invalid_url")

log = logging.getLogger(__name__)


class Whisperer:
    """Sends private parcels."""

    def __init__(self, calls: Calls, poster: Poster, placing: Placing, now: Callable[[], datetime]) -> None:
        self._calls = calls
        self._poster = poster
        self._placing = placing
        self._now = now

    async def send(self, parcel: Parcel) -> str | None:
        """Send a parcel to its asker alone; only a direct message has a name that is worth keeping."""
        try:
            if parcel.payload.get("method") == EPHEMERAL:
                return await self._whisper(parcel)
            await self._respond(parcel)
        except Undeliverable as exc:
            return await self.write_directly(parcel, str(parcel.payload["user"]), exc)
        return None

    async def _whisper(self, parcel: Parcel) -> str | None:
        try:
            return await self._ephemeral(parcel, text_of(parcel.payload), blocks_of(parcel.payload))
        except Undeliverable as exc:
            if not is_refused_form(exc):
                raise
            log.exception("a message is sent as plain text instead", extra={"place": str(parcel.place)})
        names = [await self._ephemeral(parcel, text, []) for text in plain_parts(parcel.payload)]
        return names[0]

    async def _ephemeral(self, parcel: Parcel, text: str, blocks: list[Block]) -> str:
        answer = await self._calls.write(
            EPHEMERAL,
            parcel.place,
            lambda client: client.chat_postEphemeral(
                channel=parcel.place.channel,
                user=str(parcel.payload["user"]),
                thread_ts=parcel.thread,
                text=text,
                blocks=blocks or None,
            ),
        )
        return str(answer.get("message_ts") or "")

    async def write_directly(self, parcel: Parcel, user: str, why: Undeliverable) -> str:
        """Post a parcel in the direct messages with somebody, for it cannot be sent where it belongs."""
        log.info("sent as a direct message instead: %s", why, extra={"place": str(parcel.place)})
        person = replace(parcel.place, channel=user)
        direct = replace(person, channel=await self._placing.room(person))
        return await self._poster.post(replace(parcel, place=direct, thread=None))

    async def _respond(self, parcel: Parcel) -> None:
        """Answer a command at the address that came with it; Undeliverable where that is worn out."""
        if datetime.fromisoformat(str(parcel.payload["until"])) <= self._now():
            raise Undeliverable("the address to respond to is good no longer")
        url = str(parcel.payload["url"])
        response = await responded(url, text_of(parcel.payload), blocks_of(parcel.payload))
        if response.status_code == 200:
            return
        if not any(code in response.body for code in _WORN_OUT):
            log.error("sent as plain text instead: Slack answers %s", response.body[:100])
            for text in plain_parts(parcel.payload):
                response = await responded(url, text, [])
        if response.status_code != 200:
            raise Undeliverable(f"the address to respond to is refused: {response.body[:100]}")


async def responded(url: str, text: str, blocks: list[Block], *, thread: str | None = None) -> WebhookResponse:
    """Return what Slack answers to what one person alone is told; RateLimited and MaybeSent where it does not."""
    client = AsyncWebhookClient(url, timeout=TIMEOUT_S, logger=sdk_log(), retry_handlers=[])
    try:
        response = await client.send_dict(
            {
                "text": text,
                "response_type": "ephemeral",
                "replace_original": False,
                **({"blocks": blocks} if blocks else {}),
                **({"thread_ts": thread} if thread else {}),
            }
        )
    except SDK_ERRORS as exc:
        raise slack_error(exc, RESPONSE_URL, writes=True) from exc
    if response.status_code == 429:
        raise RateLimited("Slack limits the answers to a command", retry_after_s=retry_after_s(response.headers))
    if response.status_code >= 500:
        raise MaybeSent(f"Slack failed at {RESPONSE_URL}: HTTP {response.status_code}")
    return response
