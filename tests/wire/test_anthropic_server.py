"""The loopback Messages API answers the real SDK as the service does."""

import asyncio
import time
from collections.abc import Iterator

import anthropic
import pytest
from anthropic.types import TextBlockParam

from tests.wire.anthropic import AnthropicServer, Catalogue, Honest, Manners, Slow, anthropic_server
from tests.wire.anthropic.asking import MODEL, PAGES, asking, streamed, talking_to, text_of

# Much more than it takes, much less than the pause between two sentences.
NOTICED_WITHIN_S = 0.2
EXPIRY = "When does access expire?"
BOTH = "When does access expire, and when do unused days lapse?"


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    """The two pages' honest reader, served."""
    with anthropic_server(Honest(sentences=1)) as server:
        yield server


async def test_citations_accumulate_in_the_streamed_message(server: AnthropicServer) -> None:
    message = await streamed(server, asking(EXPIRY))

    assert [block.text for block in message.content if block.type == "text"] == [
        "The documentation says: ",
        "Access expires after 90 days",
        ". ",
    ]
    assert [bool(block.citations) for block in message.content if block.type == "text"] == [False, True, False]
    assert message.stop_reason == "end_turn"


async def test_a_citation_quotes_the_blocks_that_were_sent(server: AnthropicServer) -> None:
    message = await streamed(server, asking("Do unused days lapse?"))

    [cited] = [cited for block in message.content if block.type == "text" for cited in block.citations or ()]
    assert cited.type == "search_result_location"
    assert (cited.search_result_index, cited.start_block_index, cited.end_block_index) == (1, 1, 2)
    assert (cited.source, cited.title) == ("kb://leave", "Leave")
    assert cited.cited_text == "".join(PAGES["Leave"][cited.start_block_index : cited.end_block_index])


async def test_citations_may_come_before_their_text_and_span_blocks() -> None:
    with anthropic_server(Honest(sentences=1, span=2, cites_first=True)) as server:
        message = await streamed(server, asking("Which gateway has the VPN?"))

    [cited] = [cited for block in message.content if block.type == "text" for cited in block.citations or ()]
    assert cited.cited_text == PAGES["VPN"][0] + PAGES["VPN"][1]


async def test_a_whole_message_says_the_same_as_a_stream(server: AnthropicServer) -> None:
    async with talking_to(server) as client:
        whole = await client.messages.create(model=MODEL, max_tokens=500, messages=asking(EXPIRY))

    streamed_message = await streamed(server, asking(EXPIRY))

    assert [block.to_dict() for block in whole.content] == [
        {key: value for key, value in block.to_dict().items() if key != "parsed_output"}
        for block in streamed_message.content
    ]
    assert whole.usage.output_tokens == streamed_message.usage.output_tokens


async def test_a_models_limits_and_capabilities_are_told() -> None:
    catalogue = Catalogue(max_input_tokens=1000, lifecycle="deprecated", retires_at="2027-01-22T00:00:00Z", cites=False)

    with anthropic_server(Honest(), catalogue=catalogue) as server:
        async with talking_to(server) as client:
            model = await client.models.retrieve(MODEL)

    assert (model.max_input_tokens, model.max_tokens, model.lifecycle) == (1000, 64_000, "deprecated")
    assert model.capabilities is not None
    assert not model.capabilities.citations.supported
    assert model.retires_at is not None


@pytest.mark.parametrize(("manners", "name"), [(Manners(catalogue="missing"), MODEL), (Manners(), "claude-none")])
async def test_a_model_that_is_not_described_is_not_found(manners: Manners, name: str) -> None:
    with anthropic_server(Honest(), manners=manners) as server:
        async with talking_to(server) as client:
            with pytest.raises(anthropic.NotFoundError):
                await client.models.retrieve(name)


async def test_tokens_are_counted_as_they_are_billed(server: AnthropicServer) -> None:
    async with talking_to(server) as client:
        counted = await client.messages.count_tokens(model=MODEL, messages=asking(EXPIRY))
        message = await client.messages.create(model=MODEL, max_tokens=500, messages=asking(EXPIRY))

    assert counted.input_tokens == message.usage.input_tokens > 100


async def test_the_second_identical_prefix_is_read_from_the_cache(server: AnthropicServer) -> None:
    rules: list[TextBlockParam] = [
        {"type": "text", "text": "Answer from the sources. " * 20, "cache_control": {"type": "ephemeral"}}
    ]
    async with talking_to(server) as client:
        usages = [
            (await client.messages.create(model=MODEL, max_tokens=99, system=rules, messages=asking(question))).usage
            for question in (EXPIRY, "How long is leave?")
        ]

    first, second = usages
    assert (first.cache_read_input_tokens, second.cache_creation_input_tokens) == (0, 0)
    assert first.cache_creation_input_tokens == second.cache_read_input_tokens
    assert 150 < (second.cache_read_input_tokens or 0) < 200


async def test_tokens_end_where_the_request_says(server: AnthropicServer) -> None:
    message = await streamed(server, asking(EXPIRY), max_tokens=12)

    assert message.stop_reason == "max_tokens"
    assert text_of(message) == "The documentation says: Access expi"


async def test_requests_are_recorded_as_they_arrived(server: AnthropicServer) -> None:
    before_s = time.monotonic()
    await streamed(server, asking(EXPIRY))

    [request] = server.messages
    assert request.json["model"] == MODEL
    assert request.headers["authorization"] == "Bearer test"
    assert before_s < request.at_s < time.monotonic()
    assert server.prompts[0].question == EXPIRY


async def test_every_answer_carries_a_request_id(server: AnthropicServer) -> None:
    async with talking_to(server) as client:
        whole = await client.messages.create(model=MODEL, max_tokens=9, messages=asking(EXPIRY))
        with pytest.raises(anthropic.BadRequestError) as refused:
            await client.messages.create(model=MODEL, max_tokens=9, messages=[])

    assert (whole._request_id or "").startswith("req_")
    assert (refused.value.request_id or "").startswith("req_")
    assert whole._request_id != refused.value.request_id


async def test_each_sentence_is_on_the_wire_when_the_model_has_finished_it() -> None:
    seen: list[tuple[str, float]] = []
    with anthropic_server(Slow(Honest(openings={}), piece_s=0.02, sentence_s=0.3)) as server:
        async with (
            talking_to(server) as client,
            client.messages.stream(model=MODEL, max_tokens=500, messages=asking(BOTH)) as stream,
        ):
            text = ""
            async for event in stream:
                if event.type == "text":
                    text += event.text
                    seen.append((text, time.monotonic()))

        assert len(server.finished) == 2
        for sentence, finished_s in server.finished:
            seen_s = next(at_s for text, at_s in seen if sentence in text)
            assert abs(seen_s - finished_s) < NOTICED_WITHIN_S
    assert server.finished[1][1] - server.finished[0][1] > 0.3


async def test_a_client_that_leaves_in_the_middle_is_noticed() -> None:
    with anthropic_server(Slow(Honest(), piece_s=0.02)) as server:
        async with (
            talking_to(server) as client,
            client.messages.stream(model=MODEL, max_tokens=500, messages=asking(EXPIRY)) as stream,
        ):
            await anext(aiter(stream.text_stream))

        assert await asyncio.to_thread(server.listener.left.wait, 2)
    assert len(server.hang_ups) == 1
    assert server.finished == []
