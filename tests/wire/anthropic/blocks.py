"""Content blocks that the Messages API refuses."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.wire.anthropic.errors import Refused
from tests.wire.anthropic.shapes import boolean, mapping, one_of, sequence, string

USER_BLOCKS = frozenset({"text", "image", "document", "search_result", "tool_result"})
ASSISTANT_BLOCKS = frozenset({"text", "thinking", "redacted_thinking", "tool_use"})
TEXT_KEYS = frozenset({"type", "text", "cache_control", "citations"})
SEARCH_RESULT_KEYS = frozenset({"type", "source", "title", "content", "cache_control", "citations"})
LIFETIMES = frozenset({"5m", "1h"})


@dataclass(slots=True)
class BlockRules:
    """Checks blocks in the order of a request, and keeps what must hold for all of them together.

    `search_results` is "accept", "refuse" (a compatible server that knows no such block) or "ignore".
    """

    search_results: str
    cites: list[bool] = field(default_factory=list)
    breakpoints: int = 0
    last_lifetime: str = "1h"

    def check_content(self, value: object, at: str, role: str) -> None:
        """Check the blocks of a message."""
        known = USER_BLOCKS if role == "user" else ASSISTANT_BLOCKS
        for number, item in enumerate(sequence(value, at, at_least=1)):
            place = f"{at}.{number}"
            kind = _kind(item, place)
            if kind not in known or (kind == "search_result" and self.search_results == "refuse"):
                raise Refused(f"{place}: Input tag '{kind}' found using 'type' does not match any of the expected tags")
            self._check_block(item, kind, place, role)

    def _check_block(self, item: object, kind: str, at: str, role: str) -> None:
        if kind == "text":
            check_text_block(item, at, self, may_cite=role == "assistant")
        elif kind == "search_result" and self.search_results == "accept":
            self._check_search_result(item, at)
        elif kind == "document" and isinstance(item, dict):
            self._check_citing(item.get("citations"), f"{at}.document")

    def _check_search_result(self, item: object, at: str) -> None:
        place = f"{at}.search_result"
        result = mapping(item, place, allowed=SEARCH_RESULT_KEYS, required=("type", "source", "title", "content"))
        string(result["source"], f"{place}.source", at_least=1)
        string(result["title"], f"{place}.title", at_least=1)
        check_cache_control(result.get("cache_control"), f"{place}.cache_control", self)
        for number, part in enumerate(sequence(result["content"], f"{place}.content", at_least=1)):
            one_of(_kind(part, f"{place}.content.{number}"), f"{place}.content.{number}.type", {"text"})
            check_text_block(part, f"{place}.content.{number}", self, may_cite=False)
        self._check_citing(result.get("citations"), place)

    def _check_citing(self, value: object, at: str) -> None:
        config = {} if value is None else mapping(value, f"{at}.citations", allowed={"enabled"})
        self.cites.append(boolean(config.get("enabled", False), f"{at}.citations.enabled"))
        if len(set(self.cites)) > 1:
            raise Refused(f"{at}.citations: citations must be enabled for all sources of a request, or for none")


def check_text_blocks(value: object, at: str, rules: BlockRules) -> None:
    """Check a list of text blocks that stand outside of messages."""
    for number, item in enumerate(sequence(value, at)):
        one_of(_kind(item, f"{at}.{number}"), f"{at}.{number}.type", {"text"})
        check_text_block(item, f"{at}.{number}", rules, may_cite=False)


def check_text_block(item: object, at: str, rules: BlockRules, *, may_cite: bool) -> None:
    """Check one text block."""
    block = mapping(item, at, allowed=TEXT_KEYS, required=("type", "text"))
    if not string(block["text"], f"{at}.text").strip():
        where = "cache_control cannot be set for empty text blocks" if block.get("cache_control") else None
        raise Refused(f"{at}: {where or 'text content blocks must contain non-whitespace text'}")
    check_cache_control(block.get("cache_control"), f"{at}.cache_control", rules)
    citations = block.get("citations")
    if citations and not may_cite:
        raise Refused(f"{at}.citations: citations are not permitted here")


def check_cache_control(value: object, at: str, rules: BlockRules) -> None:
    """Check a breakpoint of the cache, and count it."""
    if value is None:
        return
    control = mapping(value, at, allowed={"type", "ttl"}, required=("type",))
    one_of(control["type"], f"{at}.type", {"ephemeral"})
    lifetime = one_of(control.get("ttl", "5m"), f"{at}.ttl", LIFETIMES)
    if at != "cache_control":
        if lifetime == "1h" and rules.last_lifetime == "5m":
            raise Refused(f"{at}.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' one")
        rules.last_lifetime = lifetime
    rules.breakpoints += 1


def _kind(item: object, at: str) -> str:
    if not isinstance(item, Mapping):
        raise Refused(f"{at}: Input should be a valid dictionary")
    if "type" not in item:
        raise Refused(f"{at}.type: Field required")
    return string(item["type"], f"{at}.type")
