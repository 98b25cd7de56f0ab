"""The port to the answers that may be given again: same question, same readers, same configuration, same sources."""

import hashlib
import json
import re
import unicodedata
from dataclasses import dataclass
from typing import Protocol

from bot.core.messages import Answer
from knowledge.types import Reader, Relevance

# What ends a question in one script or another. An exclamation mark is not among it: 5! is not 5.
_END = re.compile(r"(?<=[^\s?؟？.。।])(?:\s*[?؟？]|[.。।])+$")


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """A stored answer that still holds, and how it was given."""

    answer: Answer
    text: str
    language: str
    relevance: Relevance
    notes: tuple[str, ...]


class AnswerCache(Protocol):
    """The stored answers."""

    async def state(self) -> bytes:
        """Return what identifies the sources as they are now; to be read before they are searched for an answer."""
        ...

    async def find(self, key: bytes, reader: Reader) -> CachedAnswer | None:
        """Return the newest answer stored under a `cache_key` that would be given today, None where there is none.

        Every source is as it was before that answer was made, and each quote stands and may be read by this reader.
        """
        ...


def cache_key(question: str, language: str | None, reader: Reader, fingerprint: str) -> bytes:
    """Return what two askers share if and only if they ask the same, for the same readers, of the same configuration.

    `fingerprint` stands for all that answers depend on besides the sources; `language` is the one to reply in.
    """
    parts = [_folded(question), language or "", sorted(reader.tags), fingerprint]
    return hashlib.sha256(json.dumps(parts).encode()).digest()


def _folded(question: str) -> str:
    """Return the question without what makes no difference: blanks, capital letters, the mark at its end."""
    text = " ".join(unicodedata.normalize("NFC", question).split()).lstrip("¿¡ ")
    return " ".join(map(_lowered, _END.sub("", text).split(" ")))


def _lowered(word: str) -> str:
    """Return a word without capital letters; in an option, a code or a path they do make a difference (-p, -P)."""
    return unicodedata.normalize("NFC", word.casefold()) if word.isalpha() else word
