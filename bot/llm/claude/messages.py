"""One answer after another from a Messages API, in the way its server can cite, while the server works."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

from anthropic.types.message_create_params import MessageCreateParamsNonStreaming, MessageCreateParamsStreaming

from bot.core.answer import Claim, Event, Task
from bot.core.errors import AnswererDown
from bot.llm.claude.model import Abilities, abilities_of, problems_of, told_of
from bot.llm.claude.patience import CallFailed, Circuit, Patience
from bot.llm.claude.reading import Reading
from bot.llm.claude.recited import Rules
from bot.llm.claude.request import Request, read_prompts, request_for
from bot.llm.claude.settings import PROMPT_VERSION, ClaudeSettings
from bot.llm.claude.usage import Account
from bot.llm.claude.wire import Wire
from knowledge.errors import SettingsProblem

log = logging.getLogger(__name__)


class Messages:
    """Words answers over one server; after some failures in a row it is not asked for a while."""

    def __init__(self, wire: Wire, settings: ClaudeSettings, *, is_own_server: bool) -> None:
        self._wire = wire
        self._settings = settings
        self._is_own_server = is_own_server
        self._abilities: Abilities | None = None
        self._asking = asyncio.Lock()
        self._prompts = read_prompts()
        self._rules = {mode: Rules(system) for mode, system in self._prompts.systems.items()}
        self._circuit = Circuit()
        self._told: set[str] = set()

    @classmethod
    def open(cls, settings: ClaudeSettings, *, key: str | None, base_url: str | None) -> "Messages":
        """Open a server; what its model can do is asked by the first answer."""
        patience = Patience(silence_s=settings.patience_s, whole_s=settings.deadline_s)
        return cls(Wire.open(patience, key=key, base_url=base_url), settings, is_own_server=base_url is not None)

    async def close(self) -> None:
        """Close all connections."""
        await self._wire.close()

    async def answer(self, task: Task) -> AsyncGenerator[Event, None]:
        """Yield what `bot.core.answer.Answerer` promises."""
        now = asyncio.get_running_loop().time
        if not self._circuit.admits(now()):
            raise AnswererDown(f"{self._settings.model} failed several times in a row; it is tried again soon")
        try:
            async with aclosing(self._answer(task, now())) as events:
                async for event in events:
                    yield event
            self._circuit.succeeded()
            self._told.clear()
        except CallFailed as failed:
            self._note(failed, now())
            raise AnswererDown(f"{self._settings.model}: {failed}") from failed
        finally:
            self._circuit.gave_up()

    def _note(self, failed: CallFailed, now: float) -> None:
        if failed.is_request:
            self._circuit.succeeded()
        else:
            self._circuit.failed(now)
        # An outage is told once, and not for each question that it meets.
        told = str(failed)
        level = logging.DEBUG if told in self._told else logging.WARNING if failed.may_pass else logging.ERROR
        self._told.add(told)
        extra = {"model": self._settings.model, "status": failed.status}
        log.log(level, "the answerer %s at %s is down: %s", self._settings.model, self._wire.url, told, extra=extra)

    async def _answer(self, task: Task, started: float) -> AsyncGenerator[Event, None]:
        now = asyncio.get_running_loop().time
        abilities = await self._able(started + self._settings.patience_s)
        request = request_for(task, self._prompts, abilities.mode, max_tokens=self._settings.max_input_tokens)
        reading = Reading(task, request, Account(self._settings, f"{PROMPT_VERSION}/{abilities.mode}"))
        parameters = self._parameters(request, abilities)
        async with aclosing(self._read(reading, parameters, started)) as events:
            try:
                async for event in events:
                    yield self._rules[abilities.mode].without_recited(event) if isinstance(event, Claim) else event
            except CallFailed:
                for call in reading.broken_off(seconds=now() - started):
                    yield call
                raise

    async def _read(
        self, reading: Reading, parameters: MessageCreateParamsStreaming, started: float
    ) -> AsyncGenerator[Event, None]:
        now = asyncio.get_running_loop().time
        async with aclosing(self._wire.events(parameters, started)) as events:
            async for event in events:
                for read in reading.read(event, seconds=now() - started):
                    yield read

    async def _able(self, until: float) -> Abilities:
        """Return what the model can do; the first who asks finds it out for all."""
        try:
            async with asyncio.timeout_at(until), self._asking:
                self._abilities = self._abilities or await abilities_of(
                    self._wire, self._settings, is_own_server=self._is_own_server, until=until
                )
                return self._abilities
        except TimeoutError as exc:
            raise CallFailed("the server does not tell in time what its model can do", may_pass=True) from exc

    def _parameters(self, request: Request, abilities: Abilities) -> MessageCreateParamsStreaming:
        parameters: MessageCreateParamsStreaming = {
            "model": self._settings.model,
            "max_tokens": self._settings.max_output_tokens,
            "system": [{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}],
            "messages": request.messages,
            "stream": True,
        }
        if abilities.effort:
            parameters["output_config"] = {"effort": abilities.effort}
        if abilities.thinking:
            parameters["thinking"] = abilities.thinking
        return parameters

    async def check(self) -> str:
        """Return what the server says of the model; SettingsProblem where it cannot serve."""
        until = asyncio.get_running_loop().time() + self._settings.patience_s
        try:
            abilities = await self._able(until)
            if abilities.info is None:
                await self._wire.message(_greeting(self._settings.model), until)
        except CallFailed as failed:
            raise SettingsProblem(f"{self._settings.model} at {self._wire.url}: {failed}") from failed
        problems = list(problems_of(abilities, self._settings))
        if problems:
            raise SettingsProblem("; ".join(problems))
        return told_of(abilities, self._settings)


def _greeting(model: str) -> MessageCreateParamsNonStreaming:
    return {"model": model, "max_tokens": 1, "messages": [{"role": "user", "content": "ready?"}]}
