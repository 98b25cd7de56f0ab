"""Token counts: a third of the characters, and what of them comes from the cache."""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

CHARACTERS_PER_TOKEN = 3


@dataclass(frozen=True, slots=True)
class Usage:
    """The input of a request: what is new, what was written to the cache and what was read from it."""

    input_tokens: int
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0

    def as_json(self, output_tokens: int) -> dict[str, object]:
        """Return it in the vendor's form."""
        return {
            "input_tokens": self.input_tokens,
            "cache_creation_input_tokens": self.cache_creation_input_tokens,
            "cache_read_input_tokens": self.cache_read_input_tokens,
            "output_tokens": output_tokens,
        }

    @property
    def total(self) -> int:
        """All tokens of the input."""
        return self.input_tokens + self.cache_creation_input_tokens + self.cache_read_input_tokens


class PromptCache:
    """Remembers the prefixes that requests marked with `cache_control`."""

    def __init__(self) -> None:
        self._prefixes: set[str] = set()

    def take(self, body: Mapping[str, object]) -> Usage:
        """Count a request, reading its longest known prefix and keeping those that it marks."""
        prefix, tokens, read, written = hashlib.sha256(str(body.get("model")).encode()), 0, 0, 0
        for text, is_marked in _parts(body):
            prefix.update(text.encode())
            tokens += tokens_of(text)
            if not is_marked:
                continue
            written = tokens
            if prefix.hexdigest() in self._prefixes:
                read = tokens
            self._prefixes.add(prefix.hexdigest())
        return Usage(tokens - written, written - read, read)


def tokens_of(text: str) -> int:
    """Estimate the tokens of a text."""
    return math.ceil(len(text) / CHARACTERS_PER_TOKEN)


def input_tokens(body: Mapping[str, object]) -> int:
    """Count the input of a request."""
    return sum(tokens_of(text) for text, _ in _parts(body))


def _parts(body: Mapping[str, object]) -> Iterator[tuple[str, bool]]:
    """Yield what a model reads, in the order in which prefixes are cached: tools, system, messages."""
    yield from _marked(body.get("tools"))
    yield from _marked(body.get("system"))
    messages = body.get("messages")
    parts = [
        part
        for message in (messages if isinstance(messages, list) else [])
        for part in [(str(message.get("role")), False), *_marked(message.get("content"))]
    ]
    ends_marked = body.get("cache_control") is not None
    yield from ((text, marked or (ends_marked and at == len(parts))) for at, (text, marked) in enumerate(parts, 1))


def _marked(content: object) -> Iterator[tuple[str, bool]]:
    if isinstance(content, str):
        yield content, False
    for block in content if isinstance(content, list) else []:
        unmarked = {key: value for key, value in block.items() if key != "cache_control"}
        yield json.dumps(unmarked, ensure_ascii=False, sort_keys=True), block.get("cache_control") is not None
