"""Whether Slack takes a payload: pure functions, the same for the server and for tests of rendering.

problems_of("chat.postMessage", {"text": ..., "blocks": [...]})  # [] where Slack takes it

Values are decoded: `blocks`, `chunks` and `metadata` are lists and objects, not JSON in a string. Not verified: that
the sum of the blocks counts their texts (people met the refusal between 13,172 and 13,297 characters,
slackapi/bolt-js issue 2509), that markdown blocks may have 12,000 together, and which of two errors comes first.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tests.wire.slack.blocks import MARKDOWN_TEXT, TASK_STATES, TASK_TEXT, blocks_problems
from tests.wire.slack.shapes import keys, length, objects, one_of, problem, string
from tests.wire.slack.views import view_problems
from tests.wire.slack.visible import texts_of

Payload = Mapping[str, object]

MESSAGE_BLOCKS = 50
BLOCKS_TEXT = 13_200
KEPT_TEXT = 40_000
UPDATE_TEXT = 4_000
METADATA_BYTES = 16_000
CHUNKS = {
    "markdown_text": (["text"], []),
    "task_update": (["id", "title", "status"], ["details", "output", "sources", "icon", "hide_title"]),
    "plan_update": (["title"], []),
    "blocks": (["blocks"], []),
}
MESSAGES = frozenset({"chat.postMessage", "chat.postEphemeral", "chat.update", "response_url"})
STREAMS = frozenset({"chat.startStream", "chat.appendStream", "chat.stopStream"})
VIEWS = frozenset({"views.open", "views.publish", "views.update", "views.push"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Slack's error code, and what its answer says under `response_metadata.messages`."""

    error: str
    messages: tuple[str, ...] = ()


def problems_of(method: str, payload: Payload) -> list[str]:
    """Return why Slack would refuse a payload, or cut it; [] where it shows all of it."""
    found = refusal_of(method, payload)
    if found is None:
        return [f"text is cut at {KEPT_TEXT} characters"] if is_cut(payload) else []
    return [f"{found.error}: {message}" for message in found.messages] or [found.error]


def is_cut(payload: Payload) -> bool:
    """Tell whether Slack drops the end of the text."""
    return length(str(payload.get("text") or "")) > KEPT_TEXT


def error_of(method: str, payload: Payload) -> str | None:
    """Return the error code that Slack would answer; None where it takes the payload."""
    found = refusal_of(method, payload)
    return found.error if found else None


def refusal_of(method: str, payload: Payload) -> Refusal | None:
    """Return the first reason to refuse a payload, None where there is none."""
    checks: list[Callable[[str, Payload], Iterator[Refusal]]] = []
    if method in MESSAGES:
        checks = [_words, _blocks, _sums, _metadata]
    elif method in STREAMS:
        checks = [_words, _chunks, _blocks, _sums, _metadata]
    elif method in VIEWS:
        checks = [_view]
    return next((found for check in checks for found in check(method, payload)), None)


def _words(method: str, payload: Payload) -> Iterator[Refusal]:
    text, markdown = payload.get("text"), payload.get("markdown_text")
    others = ("text", "blocks") if method in MESSAGES else ("chunks",)
    if markdown and any(payload.get(name) for name in others):
        yield Refusal("markdown_text_conflict" if method in MESSAGES else "invalid_arguments")
    if length(str(markdown or "")) > MARKDOWN_TEXT:
        yield Refusal("msg_too_long")
    if method == "chat.update" and length(str(text or "")) > UPDATE_TEXT:
        yield Refusal("msg_too_long")
    contents = (text, markdown, *(payload.get(name) for name in ("blocks", "attachments", "chunks")))
    may_be_empty = method in ("chat.startStream", "chat.stopStream") or payload.get("delete_original")
    if not may_be_empty and not any(contents):
        yield Refusal("no_text")


def _blocks(method: str, payload: Payload) -> Iterator[Refusal]:
    blocks = payload.get("blocks")
    if blocks is None:
        return
    if not isinstance(blocks, list):
        yield Refusal("invalid_blocks_format")
    if found := tuple(blocks_problems(blocks, MESSAGE_BLOCKS)):
        yield Refusal("invalid_blocks", found)


def _sums(method: str, payload: Payload) -> Iterator[Refusal]:
    blocks = [*objects(payload.get("blocks")), *_blocks_in_chunks(payload)]
    markdown = sum(length(str(block.get("text"))) for block in blocks if block.get("type") == "markdown")
    words = sum(length(words) for words in texts_of(blocks, with_buttons=True))
    if markdown > MARKDOWN_TEXT or words > BLOCKS_TEXT:
        yield Refusal("msg_blocks_too_long")


def _blocks_in_chunks(payload: Payload) -> Iterator[Mapping[str, object]]:
    for chunk in objects(payload.get("chunks")):
        yield from objects(chunk.get("blocks"))


def _metadata(method: str, payload: Payload) -> Iterator[Refusal]:
    metadata = payload.get("metadata")
    if metadata is None:
        return
    if not isinstance(metadata, Mapping):
        yield Refusal("invalid_metadata_format")
        return
    if not metadata.get("event_type") or not isinstance(metadata.get("event_payload"), Mapping):
        yield Refusal("invalid_metadata_schema")
    if len(json.dumps(metadata).encode()) > METADATA_BYTES:
        yield Refusal("metadata_too_large")


def _chunks(method: str, payload: Payload) -> Iterator[Refusal]:
    chunks = payload.get("chunks")
    if chunks is None:
        return
    # None at all are fine: the SDK's helper stops a stream with an empty list.
    found = [] if isinstance(chunks, list) else [problem("must be an array", "/chunks")]
    for number, chunk in enumerate(objects(chunks)):
        found += _chunk(chunk, f"/chunks/{number}")
    if found:
        yield Refusal("invalid_chunks", tuple(found))
    in_chunks = [*_blocks_in_chunks(payload)]
    if in_blocks := tuple(blocks_problems(in_chunks, MESSAGE_BLOCKS, at="/chunks/blocks")):
        yield Refusal("invalid_blocks", in_blocks)
    words = [str(chunk.get("text")) for chunk in objects(chunks) if chunk.get("type") == "markdown_text"]
    if sum(length(text) for text in words) > MARKDOWN_TEXT:
        yield Refusal("msg_too_long")


def _chunk(chunk: Mapping[str, object], at: str) -> Iterator[str]:
    kind = str(chunk.get("type"))
    if kind not in CHUNKS:
        yield problem(f"unsupported type: {kind}", f"{at}/type")
        return
    required, optional = CHUNKS[kind]
    yield from keys(chunk, at, required, optional)
    yield from one_of(chunk.get("status"), f"{at}/status", TASK_STATES)
    for name in ("title", "details", "output"):
        yield from string(chunk.get(name), f"{at}/{name}", TASK_TEXT)


def _view(method: str, payload: Payload) -> Iterator[Refusal]:
    if found := tuple(view_problems(payload.get("view"))):
        yield Refusal("invalid_arguments", found)
