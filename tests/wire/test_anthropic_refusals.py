"""The loopback Messages API refuses what the service refuses."""

from collections.abc import Iterator

import anthropic
import httpx
import pytest

from tests.wire.anthropic import AnthropicServer, Catalogue, Honest, anthropic_server
from tests.wire.anthropic.asking import MODEL, talking_to

Json = dict[str, object]
HEADERS = {"x-api-key": "test", "anthropic-version": "2026-10-21"}
TEXT: Json = {"type": "text", "text": "When does access expire?"}
RESULT: Json = {
    "type": "search_result",
    "source": "kb://vpn",
    "title": "VPN",
    "content": [{"type": "text", "text": "Access expires after 90 days."}],
    "citations": {"enabled": True},
}
EPHEMERAL: Json = {"type": "ephemeral"}
CITATION: Json = {"type": "search_result_location", "cited_text": "x", "source": "kb://vpn"}


def user(*content: object) -> Json:
    return {"role": "user", "content": list(content)}


def body(*messages: object, **more: object) -> Json:
    return {"model": MODEL, "max_tokens": 99, "messages": list(messages) or [user(RESULT, TEXT)], **more}


def without(mapping: Json, key: str) -> Json:
    return {name: value for name, value in mapping.items() if name != key}


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    """A server that takes one key."""
    with anthropic_server(Honest(), key="test") as server:
        yield server


@pytest.mark.parametrize(
    ("request_body", "told"),
    [
        (without(body(), "model"), "model: Field required"),
        (body(model=""), "model"),
        (without(body(), "max_tokens"), "max_tokens: Field required"),
        (body(max_tokens="99"), "max_tokens"),
        (body(max_tokens=True), "max_tokens"),
        (body(max_tokens=-1), "max_tokens"),
        (body(max_tokens=64_001), "max_tokens: 64001 > 64000"),
        (without(body(), "messages"), "messages: Field required"),
        (body() | {"messages": []}, "at least one message"),
        (body() | {"messages": "hello"}, "messages"),
        (body({"role": "system", "content": "x"}), "messages.0.role"),
        (body({"role": "user"}), "messages.0.content: Field required"),
        (body({"role": "user", "content": "x", "name": "Anna"}), "messages.0.name"),
        (body({"role": "user", "content": " "}), "non-empty content"),
        (body({"role": "user", "content": []}), "messages.0.content"),
        (body({"role": "assistant", "content": "x"}, user(TEXT)), 'use the "user" role'),
        (body(user(TEXT), {"role": "assistant", "content": "The answer is ("}), "prefill"),
        (body(temperature=1.0), "temperature: Extra inputs"),
        (body(top_p=1.0), "top_p: Extra inputs"),
        (body(top_k=5), "top_k: Extra inputs"),
        (body(seed=5), "seed: Extra inputs"),
        (body(stream="yes"), "stream"),
        (body(stop_sequences=[""]), "stop_sequences.0"),
        (body(metadata={"email": "anna@example.com"}), "metadata.email"),
        (body(service_tier="fast"), "service_tier"),
        (body(system=[{"type": "text", "text": ""}]), "system.0"),
        (body(system=[TEXT | {"cache_control": {"type": "forever"}}]), "system.0.cache_control.type"),
        (body(thinking={"type": "enabled", "budget_tokens": 5}), "budget_tokens"),
        (body(output_config={"effort": "huge"}), "output_config.effort"),
        (body(output_config={"format": {"type": "json_schema", "schema": {}}}), "Citations cannot"),
    ],
)
async def test_a_bad_request_is_refused(server: AnthropicServer, request_body: Json, told: str) -> None:
    async with talking_to(server) as client:
        with pytest.raises(anthropic.BadRequestError) as refused:
            await client.post("/v1/messages", body=request_body, cast_to=object)

    assert told in (refused.value.api_message or "")
    assert refused.value.type == "invalid_request_error"
    assert server.plans == []


@pytest.mark.parametrize(
    ("blocks", "told"),
    [
        ([{"text": "x"}], "content.0.type: Field required"),
        ([{"type": "poem", "text": "x"}], "'poem'"),
        ([TEXT | {"text": ""}], "non-whitespace"),
        ([TEXT | {"text": 5}], "content.0.text"),
        ([TEXT | {"colour": "red"}], "content.0.colour"),
        ([TEXT | {"citations": [CITATION]}], "citations"),
        ([TEXT | {"cache_control": {"type": "ephemeral", "ttl": "2h"}}], "cache_control.ttl"),
        ([TEXT | {"cache_control": EPHEMERAL | {"scope": "all"}}], "cache_control.scope"),
        ([TEXT | {"cache_control": EPHEMERAL}] * 5, "maximum of 4"),
        (
            [TEXT | {"cache_control": EPHEMERAL}, TEXT | {"cache_control": EPHEMERAL | {"ttl": "1h"}}],
            "must not come after",
        ),
        ([without(RESULT, "source"), TEXT], "source: Field required"),
        ([without(RESULT, "title"), TEXT], "title: Field required"),
        ([RESULT | {"title": None}, TEXT], "title"),
        ([without(RESULT, "content"), TEXT], "content: Field required"),
        ([RESULT | {"content": []}, TEXT], "content"),
        ([RESULT | {"content": "Access expires."}, TEXT], "content"),
        ([RESULT | {"content": [{"type": "image"}]}, TEXT], "content.0.type"),
        ([RESULT | {"content": [{"type": "text", "text": " "}]}, TEXT], "non-whitespace"),
        ([RESULT | {"url": "https://example.com"}, TEXT], "url"),
        ([RESULT | {"citations": True}, TEXT], "citations"),
        ([RESULT | {"citations": {"enabled": "yes"}}, TEXT], "citations.enabled"),
        ([RESULT, without(RESULT, "citations"), TEXT], "for all sources"),
        ([RESULT, RESULT | {"citations": {"enabled": False}}, TEXT], "for all sources"),
    ],
)
async def test_a_bad_block_is_refused(server: AnthropicServer, blocks: list[object], told: str) -> None:
    async with talking_to(server) as client:
        with pytest.raises(anthropic.BadRequestError) as refused:
            await client.post("/v1/messages", body=body(user(*blocks)), cast_to=object)

    assert told in (refused.value.api_message or "")


@pytest.mark.parametrize("kind", ["search_result", "document"])
async def test_an_assistant_turn_holds_no_sources(server: AnthropicServer, kind: str) -> None:
    history = [user(TEXT), {"role": "assistant", "content": [RESULT | {"type": kind}]}, user(TEXT)]

    async with talking_to(server) as client:
        with pytest.raises(anthropic.BadRequestError):
            await client.post("/v1/messages", body=body(*history), cast_to=object)


async def test_counting_takes_nothing_that_only_an_answer_needs(server: AnthropicServer) -> None:
    async with talking_to(server) as client:
        with pytest.raises(anthropic.BadRequestError, match="max_tokens: Extra inputs"):
            await client.post("/v1/messages/count_tokens", body=body(), cast_to=object)


async def test_too_long_a_prompt_is_refused() -> None:
    with anthropic_server(Honest(), catalogue=Catalogue(max_input_tokens=50)) as server:
        async with talking_to(server) as client:
            with pytest.raises(anthropic.BadRequestError, match="prompt is too long"):
                await client.post("/v1/messages", body=body(), cast_to=object)


@pytest.mark.parametrize(
    "accepted",
    [
        body(system="Answer from the sources.", metadata={"user_id": "5f2c"}, stop_sequences=["END"]),
        body(system=[TEXT | {"cache_control": EPHEMERAL | {"ttl": "1h"}}], cache_control=EPHEMERAL),
        body(output_config={"effort": "low"}, thinking={"type": "adaptive"}),
        body(user(TEXT), {"role": "assistant", "content": [TEXT | {"citations": [CITATION]}]}, user(RESULT, TEXT)),
        body(user(without(RESULT, "citations"), TEXT), output_config={"format": {"type": "json_schema", "schema": {}}}),
        body(max_tokens=0),
    ],
)
async def test_a_good_request_is_answered(server: AnthropicServer, accepted: Json) -> None:
    async with talking_to(server) as client:
        answer = await client.post("/v1/messages", body=accepted, cast_to=object)

    assert isinstance(answer, dict)
    assert answer["type"] == "message"


@pytest.mark.parametrize(
    ("headers", "status", "kind"),
    [
        ({"anthropic-version": "2026-10-21"}, 401, "authentication_error"),
        (HEADERS | {"x-api-key": "wrong"}, 401, "authentication_error"),
        (HEADERS | {"x-api-key": "", "authorization": "Bearer wrong"}, 401, "authentication_error"),
        ({"x-api-key": "test"}, 400, "invalid_request_error"),
        (HEADERS | {"anthropic-version": "1999-01-01"}, 400, "invalid_request_error"),
        (HEADERS, 200, None),
        ({"authorization": "Bearer test", "anthropic-version": "2023-06-01"}, 200, None),
    ],
)
def test_key_and_version_are_required(
    server: AnthropicServer, headers: dict[str, str], status: int, kind: str | None
) -> None:
    answer = httpx.post(f"{server.url}/v1/messages", headers=headers, json=body())

    assert answer.status_code == status
    assert kind is None or answer.json()["error"]["type"] == kind
    assert answer.headers["request-id"].startswith("req_")


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/v1/messages"), ("POST", "/v1/complete"), ("GET", "/"), ("DELETE", "/v1/models/claude-sonnet-5-5")],
)
def test_an_unknown_call_is_not_found(server: AnthropicServer, method: str, path: str) -> None:
    answer = httpx.request(method, f"{server.url}{path}", headers=HEADERS)

    assert answer.status_code == 404
    assert answer.json()["error"]["type"] == "not_found_error"
    assert answer.json()["request_id"] == answer.headers["request-id"]


def test_a_body_that_is_no_json_is_refused(server: AnthropicServer) -> None:
    answer = httpx.post(f"{server.url}/v1/messages", headers=HEADERS, content=b"{")

    assert (answer.status_code, answer.json()["error"]["type"]) == (400, "invalid_request_error")


async def test_an_unknown_model_is_not_found(server: AnthropicServer) -> None:
    async with talking_to(server) as client:
        with pytest.raises(anthropic.NotFoundError, match="claude-none"):
            await client.post("/v1/messages", body=body(model="claude-none"), cast_to=object)
