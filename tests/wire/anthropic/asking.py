"""Requests of two small pages, and the real SDK to send them with."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from anthropic import AsyncAnthropic
from anthropic.types import Message, MessageParam, SearchResultBlockParam

from tests.wire.anthropic.server import AnthropicServer

MODEL = "claude-sonnet-5-5"
PAGES: Mapping[str, tuple[str, ...]] = {
    "VPN": ("The VPN gateway is vpn.example.com. ", "Access expires after 90 days. ", "Renewal takes 2 hours."),
    "Leave": ("You have 28 days of leave a year. ", "Unused days lapse on 31 March."),
}


@asynccontextmanager
async def talking_to(server: AnthropicServer, *, key: str = "test") -> AsyncIterator[AsyncAnthropic]:
    """Open the real client; it tries once."""
    async with AsyncAnthropic(base_url=server.url, api_key=key, max_retries=0, timeout=5) as client:
        yield client


def result(title: str, texts: tuple[str, ...]) -> SearchResultBlockParam:
    """Return a page as a search result that may be cited."""
    return {
        "type": "search_result",
        "source": f"kb://{title.casefold()}",
        "title": title,
        "content": [{"type": "text", "text": text} for text in texts],
        "citations": {"enabled": True},
    }


def asking(question: str, pages: Mapping[str, tuple[str, ...]] = PAGES) -> list[MessageParam]:
    """Ask with the pages as search results."""
    results = [result(title, texts) for title, texts in pages.items()]
    return [{"role": "user", "content": [*results, {"type": "text", "text": question}]}]


def asking_numbered(question: str, pages: Mapping[str, tuple[str, ...]] = PAGES) -> list[MessageParam]:
    """Ask with the sentences of the pages in the text, each under its number."""
    lines, number = [], 0
    for title, texts in pages.items():
        lines.append(f"\nSource: {title}")
        for text in texts:
            number += 1
            lines.append(f"[{number}] {text.strip()}")
    text = "\n".join(["<sources-5f>", *lines, "</sources-5f>", f"<question-5f>\n{question}\n</question-5f>"])
    return [{"role": "user", "content": f"{text}\nAnswer in English."}]


async def streamed(server: AnthropicServer, messages: list[MessageParam], max_tokens: int = 2000) -> Message:
    """Return the message that the SDK put together from a stream."""
    async with (
        talking_to(server) as client,
        client.messages.stream(model=MODEL, max_tokens=max_tokens, messages=messages) as stream,
    ):
        return await stream.get_final_message()


def text_of(message: Message) -> str:
    """Return the text of a message."""
    return "".join(block.text for block in message.content if block.type == "text")
