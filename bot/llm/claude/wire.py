"""The calls to the server: streamed, within our patience, and with failures that are ours."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import TypeVar

from anthropic import AsyncAnthropic, AsyncStream, Timeout
from anthropic.types import Message, ModelInfo, RawMessageStreamEvent
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming, MessageCreateParamsStreaming

from bot.llm.claude.events import Alive, Over, StreamEvent, Words, translated
from bot.llm.claude.failures import failures_as_ours
from bot.llm.claude.patience import CallFailed, Patience, wait_before_retry_s

T = TypeVar("T")
Stream = AsyncStream[RawMessageStreamEvent]

# What is sent behind the end of an answer is awaited for so long, so that the connection can serve the next one.
DRAIN_S = 0.2
CONNECT_S = 5.0
# A local server asks for no key, but the SDK for one.
NO_KEY = "none"


class Wire:
    """One server; all failures are CallFailed. `until`, by the running loop's clock, is when a call must be done."""

    def __init__(self, client: AsyncAnthropic, patience: Patience, *, key: str) -> None:
        self._client = client
        self._patience = patience
        self._key = key

    @classmethod
    def open(cls, patience: Patience, *, key: str | None, base_url: str | None) -> "Wire":
        """Open a client without retries of its own, and without tracing of what is asked and answered."""
        seconds = patience.silence_s
        client = AsyncAnthropic(
            api_key=key or NO_KEY,
            base_url=base_url,
            max_retries=0,
            timeout=Timeout(seconds, connect=min(CONNECT_S, seconds)),
            open_telemetry=False,
        )
        return cls(client, patience, key=key or NO_KEY)

    @property
    def url(self) -> str:
        """Where the server is."""
        return str(self._client.base_url)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def model(self, name: str, until: float) -> ModelInfo:
        """Return what the server tells about a model."""
        return await self._persist(lambda: self._client.models.retrieve(name), until)

    async def message(self, parameters: MessageCreateParamsNonStreaming, until: float) -> Message:
        """Return a short answer as a whole."""
        return await self._persist(lambda: self._client.messages.create(**parameters), until)

    async def events(
        self, parameters: MessageCreateParamsStreaming, started: float
    ) -> AsyncGenerator[StreamEvent, None]:
        """Yield what an answer consists of, the last is Over; `started` is when its asker began to wait."""
        now = asyncio.get_running_loop().time
        stream, raw = await self._persist(lambda: self._opened(parameters), started + self._patience.silence_s)
        has_words = False
        try:
            while not isinstance(event := self._translated(raw), Over):
                if event:
                    yield event
                has_words = has_words or isinstance(event, Words | Alive)
                raw = await self._within(_next(stream), self._patience.next_by(started, now(), has_words=has_words))
            yield event
            await _drain(stream)
        finally:
            await stream.close()

    def _translated(self, raw: RawMessageStreamEvent) -> StreamEvent | None:
        with failures_as_ours(self._key):
            return translated(raw)

    async def _within(self, call: Awaitable[T], until: float) -> T:
        with failures_as_ours(self._key):
            async with asyncio.timeout_at(until):
                return await call

    async def _persist(self, call: Callable[[], Awaitable[T]], until: float) -> T:
        """Return the result of a call; one that failed is made again while there is time and sense in it."""
        now = asyncio.get_running_loop().time
        for attempt in count(1):
            try:
                return await self._within(call(), until)
            except CallFailed as failed:
                wait_s = wait_before_retry_s(failed, attempt, until - now())
                if wait_s is None:
                    raise
            await asyncio.sleep(wait_s)
        raise AssertionError("attempts are counted without end")

    async def _opened(self, parameters: MessageCreateParamsStreaming) -> tuple[Stream, RawMessageStreamEvent]:
        """Return a stream with its first event: until that has come, the call can be made again."""
        stream = await self._client.messages.create(**parameters)
        try:
            return stream, await _next(stream)
        except BaseException:
            await stream.close()
            raise


async def _next(stream: Stream) -> RawMessageStreamEvent:
    try:
        return await anext(stream)
    except StopAsyncIteration as exc:
        raise CallFailed("the answer broke off", may_pass=True) from exc


async def _drain(stream: Stream) -> None:
    with suppress(CallFailed), failures_as_ours(NO_KEY):
        async with asyncio.timeout(DRAIN_S):
            await _next(stream)
