"""The loopback Messages API goes wrong when told, and only then; what the real SDK makes of it."""

import json
import time
from collections.abc import Iterator

import anthropic
import httpx2
import pytest

from tests.wire.anthropic import AnthropicServer, Fault, Honest, anthropic_server
from tests.wire.anthropic.asking import MODEL, asking, streamed, talking_to, text_of

EXPIRY = asking("When does access expire?")


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    """The two pages' honest reader, served."""
    with anthropic_server(Honest(sentences=1)) as server:
        yield server


@pytest.mark.parametrize(
    ("fault", "error", "kind", "retry_after"),
    [
        (Fault.overloaded(), anthropic.OverloadedError, "overloaded_error", None),
        (Fault.rate_limited(0.3), anthropic.RateLimitError, "rate_limit_error", "0.3"),
        (Fault.spend_cap(), anthropic.RateLimitError, "rate_limit_error", None),
        (Fault.server_error(), anthropic.InternalServerError, "api_error", None),
        (Fault.html(502), anthropic.InternalServerError, None, None),
        (Fault.error("authentication_error"), anthropic.AuthenticationError, "authentication_error", None),
        (Fault.error("billing_error"), anthropic.PaymentRequiredError, "billing_error", None),
        (Fault.error("permission_error"), anthropic.PermissionDeniedError, "permission_error", None),
        (Fault.error("request_too_large"), anthropic.ContentTooLargeError, "request_too_large", None),
    ],
)
async def test_the_next_call_gets_the_error_and_the_one_after_it_an_answer(
    server: AnthropicServer,
    fault: Fault,
    error: type[anthropic.APIStatusError],
    kind: str | None,
    retry_after: str | None,
) -> None:
    server.answer_next_with(fault)

    with pytest.raises(error) as raised:
        await streamed(server, EXPIRY)
    message = await streamed(server, EXPIRY)

    assert raised.value.type == kind
    assert raised.value.response.headers.get("retry-after") == retry_after
    assert message.stop_reason == "end_turn"
    assert server.pending_faults == 0


async def test_the_sdk_waits_as_long_as_it_is_told(server: AnthropicServer) -> None:
    server.answer_next_with(Fault.rate_limited(0.3), Fault.overloaded())

    async with talking_to(server) as client:
        await client.with_options(max_retries=2).messages.create(model=MODEL, max_tokens=99, messages=EXPIRY)

    first, second, third = (request.at_s for request in server.messages)
    assert second - first >= 0.3
    assert third > second


async def test_a_silent_server_answers_nothing_until_the_client_gives_up(server: AnthropicServer) -> None:
    server.answer_next_with(Fault.silent())

    async with talking_to(server) as client:
        start_s = time.monotonic()
        with pytest.raises(anthropic.APITimeoutError):
            await client.with_options(timeout=0.3).messages.create(model=MODEL, max_tokens=99, messages=EXPIRY)

    assert 0.25 < time.monotonic() - start_s < 1.5


async def heard(server: AnthropicServer, timeout_s: float = 5.0) -> tuple[str, Exception | None]:
    """Return the text that came before the stream broke, and how it broke."""
    text = ""
    async with talking_to(server) as client:
        options = client.with_options(timeout=timeout_s)
        try:
            async with options.messages.stream(model=MODEL, max_tokens=99, messages=EXPIRY) as stream:
                async for piece in stream.text_stream:
                    text += piece
        except (anthropic.APIError, httpx2.HTTPError, ValueError) as error:
            return text, error
    return text, None


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault.cut(after_events=6), httpx2.RemoteProtocolError),
        (Fault.error_event(after_events=6), anthropic.APIStatusError),
        (Fault.stalled(after_events=6), httpx2.ReadTimeout),
        (Fault.malformed(after_events=6), json.JSONDecodeError),
    ],
)
async def test_a_stream_breaks_after_text_was_shown(
    server: AnthropicServer, fault: Fault, error: type[Exception]
) -> None:
    server.answer_next_with(fault)

    text, raised = await heard(server, timeout_s=0.5)

    assert text == "The documentation"
    assert isinstance(raised, error)


async def test_an_error_event_comes_after_status_200(server: AnthropicServer) -> None:
    server.answer_next_with(Fault.error_event(after_events=4, kind="api_error"))

    _, raised = await heard(server)

    assert isinstance(raised, anthropic.APIStatusError)
    assert (raised.status_code, raised.type) == (200, "api_error")


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault.cut(after_events=6), anthropic.APIConnectionError),
        (Fault.error_event(after_events=6), anthropic.OverloadedError),
        (Fault.malformed(after_events=6), json.JSONDecodeError),
    ],
)
async def test_an_answer_that_is_not_streamed_breaks_as_well(
    server: AnthropicServer, fault: Fault, error: type[Exception]
) -> None:
    server.answer_next_with(fault)

    async with talking_to(server) as client:
        with pytest.raises(error):
            await client.messages.create(model=MODEL, max_tokens=99, messages=EXPIRY)


async def test_a_refusal_has_no_content(server: AnthropicServer) -> None:
    server.answer_next_with(Fault.refusal("bio"))

    message = await streamed(server, EXPIRY)

    assert (message.content, message.stop_reason) == ([], "refusal")
    assert message.stop_details is not None
    assert message.stop_details.category == "bio"


async def test_the_tokens_may_end_in_mid_sentence(server: AnthropicServer) -> None:
    server.answer_next_with(Fault.max_tokens())

    message = await streamed(server, EXPIRY)

    assert (text_of(message), message.stop_reason) == ("The document", "max_tokens")


async def test_a_text_block_may_be_empty(server: AnthropicServer) -> None:
    server.answer_next_with(Fault.empty_text_block())

    message = await streamed(server, EXPIRY)

    assert [(block.type, text_of(message)) for block in message.content] == [("text", "")]


@pytest.mark.parametrize(
    ("fault", "sources"), [(Fault.no_citations(), []), (Fault.unknown_source(), ["https://nowhere.example/page"])]
)
async def test_citations_may_be_missing_or_of_a_source_never_sent(
    server: AnthropicServer, fault: Fault, sources: list[str]
) -> None:
    server.answer_next_with(fault)

    message = await streamed(server, EXPIRY)

    cited = [cited for block in message.content if block.type == "text" for cited in block.citations or ()]
    assert [location.source for location in cited if location.type == "search_result_location"] == sources
    assert "Access expires after 90 days" in text_of(message)


async def test_a_fault_may_last_and_wait_for_one_path(server: AnthropicServer) -> None:
    server.answer_next_with(Fault.server_error(), times=None, path="/v1/models/")

    async with talking_to(server) as client:
        for _ in range(3):
            with pytest.raises(anthropic.InternalServerError):
                await client.models.retrieve(MODEL)
        await streamed(server, EXPIRY)
        server.work_again()

        assert (await client.models.retrieve(MODEL)).id == MODEL


def test_waits_that_would_make_tests_slow_are_not_taken() -> None:
    with pytest.raises(ValueError, match="retry-after 30 is over 2"):
        Fault.rate_limited(30)
