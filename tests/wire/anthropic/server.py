"""The Messages API on loopback: it checks what it is sent, as the service does, and a model of the test answers."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count

from tests.wire.anthropic.catalogue import Catalogue, plain_entry
from tests.wire.anthropic.errors import Refused, error_body
from tests.wire.anthropic.faults import Fault, Injection
from tests.wire.anthropic.listener import Answer, Listener, Raw, Step, listening
from tests.wire.anthropic.manners import ANTHROPIC, Manners
from tests.wire.anthropic.plan import LONGEST_WAIT_S, Plan
from tests.wire.anthropic.prompt import Prompt, Reading, read
from tests.wire.anthropic.refusals import check_count_request, check_message_request
from tests.wire.anthropic.stream import Envelope, Event, error_event, events, message, within
from tests.wire.anthropic.usage import PromptCache, input_tokens

Model = Callable[[Prompt], Plan]
Json = Mapping[str, object]

MESSAGES = "/v1/messages"
COUNT_TOKENS = "/v1/messages/count_tokens"
MODELS = "/v1/models/"
VERSIONS = frozenset({"2023-06-01", "2026-10-21"})
LARGEST_BODY_BYTES = 32 * 1024 * 1024
_BROKEN_EVENT = b'event: content_block_delta\ndata: {"type": "content_block_delta", "index": 0, "del\n\n'


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it arrived; `body` is decoded where it is JSON."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: object
    at_s: float

    @property
    def json(self) -> Json:
        """The body of a request that has one."""
        if not isinstance(self.body, dict):
            raise TypeError(f"{self.method} {self.path} has no JSON object as its body: {self.body!r}")
        return self.body


class AnthropicServer:
    """A running server: what it was asked, when it finished each sentence, and what is to go wrong next.

    `finished` holds each sentence with the seconds of the steady clock at which its last event was sent, `hang_ups`
    when a client left in the middle, `plans` what the model meant to say.
    """

    def __init__(
        self, model: Model, *, manners: Manners, catalogue: Catalogue, reading: Reading, key: str | None = None
    ) -> None:
        self.model = model
        self.manners = manners
        self.catalogue = catalogue
        self.reading = reading
        self.key = key
        self.requests: list[Received] = []
        self.prompts: list[Prompt] = []
        self.plans: list[Plan] = []
        self.finished: list[tuple[str, float]] = []
        self.listener = Listener(self._answer)
        self._injections: list[Injection] = []
        self._cache = PromptCache()
        self._numbers = count(1)

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return self.listener.url

    @property
    def hang_ups(self) -> Sequence[float]:
        """When clients left before an answer was complete."""
        return self.listener.hang_ups

    @property
    def messages(self) -> list[Received]:
        """The requests for a message, refused ones too."""
        return [request for request in self.requests if request.path == MESSAGES]

    @property
    def pending_faults(self) -> int:
        """How many calls still have a fault waiting for them; faults without an end count as one."""
        return sum(1 if waiting.times is None else waiting.times for waiting in self._injections)

    def answer_next_with(self, *faults: Fault, times: int | None = 1, path: str = MESSAGES) -> None:
        """Let the next calls to a path go wrong, in the order of the faults; `times` each, None: from now on."""
        self._injections += [Injection(fault, path, times) for fault in faults]

    def work_again(self) -> None:
        """Forget all faults that wait."""
        self._injections.clear()

    def _answer(self, raw: Raw) -> Answer:
        request_id = f"req_{next(self._numbers):024d}"
        headers = {"request-id": request_id} if self.manners.sends_request_id else {}
        self.requests.append(Received(raw.method, raw.path, raw.headers, _decoded(raw.body), raw.at_s))
        fault = next((waiting.fault for waiting in self._injections if waiting.takes(raw.path)), Fault())
        if fault.is_silent:
            return Answer(is_silent=True)
        if fault.page is not None:
            return Answer(fault.page[0], {"Content-Type": "text/html"}, fault.page[1])
        try:
            _raise_told(fault)
            self._check_headers(raw)
            return self._route(self.requests[-1], len(raw.body), fault, headers)
        except Refused as refused:
            body = error_body(refused.kind, refused.message, request_id)
            return _json(body, {**headers, **fault.headers}, refused.status)

    def _check_headers(self, raw: Raw) -> None:
        manners = self.manners
        key = raw.headers.get("x-api-key") or raw.headers.get("authorization", "").removeprefix("Bearer ").strip()
        if manners.needs_key and (not key or self.key not in (None, key)):
            raise Refused("invalid x-api-key" if key else "x-api-key header is required", "authentication_error")
        version = raw.headers.get("anthropic-version")
        if manners.needs_version and version not in VERSIONS:
            raise Refused(f"anthropic-version: {version!r} is not a valid version")

    def _route(self, request: Received, size_bytes: int, fault: Fault, headers: Mapping[str, str]) -> Answer:
        if size_bytes > LARGEST_BODY_BYTES:
            raise Refused("Request exceeds the maximum size", "request_too_large")
        call = (request.method, request.path)
        if call == ("POST", MESSAGES):
            return self._message(request.body, fault, headers)
        if call == ("POST", COUNT_TOKENS):
            body = check_count_request(request.body, search_results=self.manners.search_results)
            self._check_model(body)
            return _json({"input_tokens": input_tokens(body)}, headers)
        if request.method == "GET" and request.path.startswith(MODELS):
            return _json(self._entry(request.path.removeprefix(MODELS)), headers)
        raise Refused("Not Found", "not_found_error")

    def _entry(self, model: str) -> Json:
        if self.manners.catalogue == "missing":
            raise Refused("Not Found", "not_found_error")
        self._check_model({"model": model})
        return plain_entry(model) if self.manners.catalogue == "plain" else self.catalogue.entry(model)

    def _check_model(self, body: Json) -> None:
        if not self.catalogue.knows(str(body["model"])):
            raise Refused(f"model: {body['model']}", "not_found_error")

    def _message(self, body: object, fault: Fault, headers: Mapping[str, str]) -> Answer:
        manners = self.manners
        request = check_message_request(
            body, allows_sampling=manners.allows_sampling, search_results=manners.search_results
        )
        self._check_model(request)
        self._check_sizes(request)
        prompt = read(request, self.reading, sees_search_results=manners.search_results == "accept")
        plan = self.model(prompt)
        plan = within(fault.change(plan) if fault.change else plan, prompt.max_tokens)
        self.prompts.append(prompt)
        self.plans.append(plan)
        envelope = Envelope(f"msg_{len(self.plans):024d}", str(request["model"]), self._cache.take(request))
        if request.get("stream"):
            steps = self._steps(plan, envelope, fault, headers.get("request-id", ""))
            is_cut = fault.breaks in ("cut", "silence") or plan.breaks == "cut"
            return Answer(200, {**headers, "Content-Type": "text/event-stream"}, steps=steps, is_cut=is_cut)
        return self._whole(plan, envelope, fault, headers)

    def _check_sizes(self, request: Json) -> None:
        largest, tokens = self.catalogue.max_input_tokens, input_tokens(request)
        if tokens > largest:
            raise Refused(f"prompt is too long: {tokens} tokens > {largest} maximum")
        max_tokens = request["max_tokens"]
        if isinstance(max_tokens, int) and max_tokens > self.catalogue.max_tokens:
            raise Refused(f"max_tokens: {max_tokens} > {self.catalogue.max_tokens}, which is the maximum allowed")

    def _whole(self, plan: Plan, envelope: Envelope, fault: Fault, headers: Mapping[str, str]) -> Answer:
        if fault.breaks == "error" or plan.breaks == "error":
            raise Refused(fault.message, fault.kind or "overloaded_error")
        whole = message(plan, envelope, in_one_block=self.manners.writes_one_block)
        answer = replace(_json(whole, headers), wait_s=self._wait_s(plan, envelope))
        if fault.breaks is None and plan.breaks is None:
            return answer
        if fault.breaks == "silence":
            return Answer(is_silent=True)
        half = answer.body[: len(answer.body) // 2]
        return Answer(200, answer.headers, half, is_cut=fault.breaks == "cut" or plan.breaks == "cut")

    def _wait_s(self, plan: Plan, envelope: Envelope) -> float:
        """Return how long a streamed answer would have taken, up to what a test may wait."""
        return min(LONGEST_WAIT_S, sum(event.wait_s for event in events(plan, envelope, in_one_block=False)))

    def _steps(self, plan: Plan, envelope: Envelope, fault: Fault, request_id: str) -> Iterator[Step]:
        broken = error_event(fault.kind or "overloaded_error", "Overloaded", request_id).encoded()
        sent = list(events(plan, envelope, in_one_block=self.manners.writes_one_block))
        how, end = fault.breaks or plan.breaks, fault.after_events if fault.breaks else _last_stop(sent)
        for event in sent if how is None else sent[:end]:
            yield Step(event.encoded(), event.wait_s, self._noting(event.finishes))
        if how is not None:
            yield from _breaking(how, broken)

    def _noting(self, sentence: str | None) -> Callable[[], None] | None:
        if sentence is None:
            return None
        return lambda: self.finished.append((sentence, time.monotonic()))


@contextmanager
def anthropic_server(
    model: Model,
    *,
    manners: Manners = ANTHROPIC,
    catalogue: Catalogue | None = None,
    reading: Reading | None = None,
    key: str | None = None,
) -> Iterator[AnthropicServer]:
    """Serve the Messages API, answered by a model, until the block ends; `key` None lets any key in."""
    server = AnthropicServer(
        model,
        manners=manners,
        catalogue=catalogue or Catalogue(known=manners.known_models),
        reading=reading or Reading(),
        key=key,
    )
    with listening(server.listener):
        yield server


def _raise_told(fault: Fault) -> None:
    if fault.kind is not None and fault.breaks is None:
        raise Refused(fault.message, fault.kind)


def _last_stop(sent: Sequence[Event]) -> int:
    return max((at for at, event in enumerate(sent) if event.name == "content_block_stop"), default=len(sent))


def _breaking(how: str, broken_event: bytes) -> Iterator[Step]:
    if how == "error":
        yield Step(broken_event)
    if how == "malformed":
        yield Step(_BROKEN_EVENT)
    if how == "silence":
        yield Step(None)


def _json(value: Json, headers: Mapping[str, str], status: int = 200) -> Answer:
    return Answer(status, {**headers, "Content-Type": "application/json"}, json.dumps(value).encode())


def _decoded(body: bytes) -> object:
    try:
        return json.loads(body)
    except ValueError:
        return body
