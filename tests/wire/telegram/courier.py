"""Delivery to the webhook: in order in each chat, again and again until the bot takes it."""

import asyncio
import time
from http import HTTPStatus

import aiohttp

from tests.wire.telegram.records import Delivery
from tests.wire.telegram.state import TelegramState
from tests.wire.telegram.updates import Waiting

LONGEST_DELAY_S = 60.0
LONGEST_RETRY_AFTER_S = 3600.0
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"


class Courier:
    """Carries updates by HTTP, one at a time of each chat; in the server's event loop."""

    def __init__(self, state: TelegramState) -> None:
        self._state = state
        self._carriers: dict[int | None, asyncio.Task[None]] = {}
        self._session: aiohttp.ClientSession | None = None

    def wake(self) -> None:
        """Look for updates that nobody carries yet."""
        with self._state.lock:
            chats = {one.chat for one in self._state.updates.waiting} if self._state.webhook.url else set()
        for chat in chats:
            if chat not in self._carriers or self._carriers[chat].done():
                self._carriers[chat] = asyncio.create_task(self._carry_all(chat))

    async def stop(self) -> None:
        """Leave what is not delivered."""
        for carrier in self._carriers.values():
            carrier.cancel()
        await asyncio.gather(*self._carriers.values(), return_exceptions=True)
        if self._session is not None:
            await self._session.close()

    async def _carry_all(self, chat: int | None) -> None:
        failures = 0
        while (waiting := self._next(chat)) is not None:
            delivery = Delivery(waiting.update, failures + 1, time.monotonic())
            self._state.deliveries.append(delivery)
            retry_after_s = await self._carry(delivery)
            delivery.ended_at_s = time.monotonic()
            if delivery.is_confirmed:
                failures = 0
                with self._state.lock:
                    self._state.updates.confirm([waiting.update_id])
                continue
            failures += 1
            delay_s = retry_after_s or (0.0 if failures == 1 else min(2.0 ** (failures - 1), LONGEST_DELAY_S))
            await asyncio.sleep(delay_s * self._state.manners.webhook_delay_scale)

    def _next(self, chat: int | None) -> Waiting | None:
        with self._state.lock:
            if not self._state.webhook.url:
                return None
            self._state.updates.expire()
            return next((one for one in self._state.updates.waiting if one.chat == chat), None)

    async def _carry(self, delivery: Delivery) -> float | None:
        """Try once, and return how long the bot asks to be left alone."""
        webhook = self._state.webhook
        delivery.headers = {SECRET_HEADER: webhook.secret_token} if webhook.secret_token else {}
        self._session = self._session or aiohttp.ClientSession()
        timeout = aiohttp.ClientTimeout(total=self._state.manners.webhook_answers_within_s)
        try:
            async with self._session.post(
                webhook.url, json=delivery.update, headers=delivery.headers, timeout=timeout
            ) as answer:
                delivery.status = answer.status
                asked_s = answer.headers.get("Retry-After", "")
        except (aiohttp.ClientError, TimeoutError) as error:
            self._fails("Read timeout expired" if isinstance(error, TimeoutError) else "Connection refused")
            return None
        if not delivery.is_confirmed:
            self._fails(f"Wrong response from the webhook: {delivery.status} {HTTPStatus(delivery.status).phrase}")
        return min(float(asked_s), LONGEST_RETRY_AFTER_S) if asked_s.isdigit() else None

    def _fails(self, why: str) -> None:
        self._state.webhook.last_error, self._state.webhook.last_error_at = why, int(time.time())
