"""A plan as server-sent events, and as one message."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tests.wire.anthropic.plan import Block, Plan
from tests.wire.anthropic.usage import Usage, tokens_of

# Tokens end anywhere in words: readers must join before they look.
_TOKEN = re.compile(r"\s*\S{1,8}|\s+")


@dataclass(frozen=True, slots=True)
class Event:
    """One event; it waits before it is sent, and `finishes` is the sentence that is complete with it."""

    name: str
    data: Mapping[str, object]
    wait_s: float = 0.0
    finishes: str | None = None

    def encoded(self) -> bytes:
        """Return it as it goes over the wire."""
        return f"event: {self.name}\ndata: {json.dumps(self.data, ensure_ascii=False)}\n\n".encode()


@dataclass(frozen=True, slots=True)
class Envelope:
    """What stands around the text of an answer."""

    message_id: str
    model: str
    usage: Usage

    def message(self, content: list[dict[str, object]], output_tokens: int) -> dict[str, object]:
        """Return a message that has not ended."""
        return {
            "id": self.message_id,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": content,
            "stop_reason": None,
            "stop_sequence": None,
            "stop_details": None,
            "usage": self.usage.as_json(output_tokens),
        }


def within(plan: Plan, max_tokens: int) -> Plan:
    """Cut a plan where its tokens are used up, as the service does."""
    blocks: list[Block] = []
    left = max_tokens
    for block in plan.blocks:
        tokens = tokens_of(block.text)
        if tokens > left:
            short = block.text[: len(block.text) * left // tokens]
            cut = [replace(block, text=short, finishes=None)] if short else []
            return replace(plan, blocks=(*blocks, *cut), stop_reason="max_tokens", breaks=None)
        left -= tokens
        blocks.append(block)
    return plan


def events(plan: Plan, envelope: Envelope, *, in_one_block: bool) -> Iterator[Event]:
    """Yield the events of a stream in the vendor's order; without citations all text may come in one block."""
    yield Event("message_start", {"type": "message_start", "message": envelope.message([], 1)})
    yield Event("ping", {"type": "ping"})
    if in_one_block and plan.blocks:
        yield _start(0, cites=False)
        for block in plan.blocks:
            yield from _finishing(list(_deltas(0, block)), block.finishes)
        yield _stop(0)
    if not in_one_block:
        for index, block in enumerate(plan.blocks):
            yield from _block_events(index, block, cites_first=plan.cites_first)
    yield Event("message_delta", _ending(plan, envelope))
    yield Event("message_stop", {"type": "message_stop"})


def message(plan: Plan, envelope: Envelope, *, in_one_block: bool) -> dict[str, object]:
    """Return the whole answer as one message."""
    content: list[dict[str, object]] = [
        {"type": "text", "text": block.text}
        | ({"citations": [cited.as_json() for cited in block.citations]} if block.citations else {})
        for block in plan.blocks
    ]
    if in_one_block and content:
        content = [{"type": "text", "text": "".join(block.text for block in plan.blocks)}]
    whole = envelope.message(content, _output_tokens(plan))
    return whole | {"stop_reason": plan.stop_reason, "stop_details": plan.stop_details}


def error_event(kind: str, text: str, request_id: str) -> Event:
    """Return an error in the middle of a stream."""
    return Event("error", {"type": "error", "error": {"type": kind, "message": text}, "request_id": request_id})


def _block_events(index: int, block: Block, *, cites_first: bool) -> Iterator[Event]:
    start = _start(index, cites=bool(block.citations))
    citations = [
        Event(
            "content_block_delta",
            {
                "type": "content_block_delta",
                "index": index,
                "delta": {"type": "citations_delta", "citation": cited.as_json()},
            },
        )
        for cited in block.citations
    ]
    deltas = list(_deltas(index, block))
    body = [*citations, *deltas] if cites_first else [*deltas, *citations]
    yield from _finishing([start, *body, _stop(index)], block.finishes)


def _finishing(sent: list[Event], sentence: str | None) -> list[Event]:
    return [*sent[:-1], replace(sent[-1], finishes=sentence)] if sent else []


def _start(index: int, *, cites: bool) -> Event:
    block: dict[str, object] = {"type": "text", "text": ""} | ({"citations": []} if cites else {})
    return Event("content_block_start", {"type": "content_block_start", "index": index, "content_block": block})


def _deltas(index: int, block: Block) -> Iterator[Event]:
    for at, token in enumerate(_TOKEN.findall(block.text)):
        delta = {"type": "text_delta", "text": token}
        wait_s = block.delta_wait_s + (block.wait_s if at == 0 else 0.0)
        yield Event("content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}, wait_s)


def _stop(index: int) -> Event:
    return Event("content_block_stop", {"type": "content_block_stop", "index": index})


def _ending(plan: Plan, envelope: Envelope) -> dict[str, object]:
    delta = {"stop_reason": plan.stop_reason, "stop_sequence": None, "stop_details": plan.stop_details}
    return {"type": "message_delta", "delta": delta, "usage": envelope.usage.as_json(_output_tokens(plan))}


def _output_tokens(plan: Plan) -> int:
    return max(1, sum(tokens_of(block.text) for block in plan.blocks))
