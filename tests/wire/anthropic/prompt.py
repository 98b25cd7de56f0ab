"""A request as a model reads it: the system text, the sources and the question."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tests.wire.anthropic.plan import Block, Citation, marked, said

Json = Mapping[str, object]
Marks = Literal["before_stop", "behind_stop"]


@dataclass(frozen=True, slots=True)
class Source:
    """A search result, or a numbered source of a prompt; `index` counts from 0 in the order of the request."""

    index: int
    number: str
    source: str
    title: str
    blocks: tuple[str, ...]

    def citation(self, start: int, end: int) -> Citation:
        """Cite its blocks; the text is that of the blocks, joined as the vendor joins it."""
        return Citation(self.index, start, end, "".join(self.blocks[start:end]), self.source, self.title)


@dataclass(frozen=True, slots=True)
class Reading:
    """How a model finds things in a prompt's text (expressions with DOTALL and MULTILINE).

    `question`: its first group is the question, searched in the last user text; without a match it is the last text
    block. `source`: groups `number` and `text`, and perhaps `title`; used where a request holds no search results.
    `marks`: whether the numbers stand before the full stop of a sentence or behind it.
    """

    question: str = r"<question[^>\n]*>\s*(.+?)\s*</question"
    source: str = r"^\[(?P<number>\d+)\]\s(?P<text>.+?)(?=\n+\[\d+\]\s|\n\n[^\n]+\n\[\d+\]\s|\n</|\Z)"
    marks: Marks = "behind_stop"


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model was given; without search results it is to write the numbers of its sources into the text."""

    system: str
    question: str
    user: str
    history: tuple[str, ...]
    sources: tuple[Source, ...]
    is_numbered: bool
    marks: Marks
    max_tokens: int

    @property
    def context(self) -> str:
        """All that was written to it."""
        sources = [text for source in self.sources for text in (source.source, source.title, *source.blocks)]
        return "\n".join([self.system, *self.history, *sources, self.user])

    def say(self, text: str, citations: Sequence[Citation] = (), opening: str = "") -> list[Block]:
        """Lay out a sentence in the manner that the prompt asks for."""
        if not self.is_numbered:
            return said(text, citations, opening=opening)
        numbers = {source.index: source.number for source in self.sources}
        return marked(
            text,
            [numbers.get(at, str(at + 1)) for at in dict.fromkeys(cited.search_result_index for cited in citations)],
            opening=opening,
            behind_stop=self.marks == "behind_stop",
        )


def read(body: Json, reading: Reading, *, sees_search_results: bool = True) -> Prompt:
    """Read a request that was accepted."""
    messages = [message for message in _maps(body.get("messages")) if message.get("role") != "system"]
    user = "\n\n".join(_texts(messages[-1].get("content"))) if messages else ""
    sources = tuple(_search_results(messages)) if sees_search_results else ()
    if not sources:
        sources = tuple(_numbered_sources(user, reading.source))
    max_tokens = body.get("max_tokens")
    return Prompt(
        system="\n\n".join(_texts(body.get("system"))),
        question=_question(user, messages, reading),
        user=user,
        history=tuple(text for message in messages[:-1] for text in _texts(message.get("content"))),
        sources=sources,
        is_numbered=not (sees_search_results and any(_search_results(messages))),
        marks=reading.marks,
        max_tokens=max_tokens if isinstance(max_tokens, int) else 0,
    )


def _question(user: str, messages: Sequence[Json], reading: Reading) -> str:
    if found := re.search(reading.question, user, re.DOTALL | re.MULTILINE):
        return found.group(1).strip()
    texts = list(_texts(messages[-1].get("content"))) if messages else []
    return texts[-1] if texts else ""


def _search_results(messages: Sequence[Json]) -> Iterator[Source]:
    blocks = (block for message in messages for block in _maps(message.get("content")))
    results = (block for block in blocks if block.get("type") == "search_result")
    for index, result in enumerate(results):
        texts = tuple(str(part.get("text")) for part in _maps(result.get("content")))
        yield Source(index, str(index + 1), str(result.get("source")), str(result.get("title")), texts)


def _numbered_sources(prompt: str, expression: str) -> Iterator[Source]:
    for index, found in enumerate(re.finditer(expression, prompt, re.DOTALL | re.MULTILINE)):
        named = found.groupdict()
        text = named["text"].strip()
        lines = [text] if "```" in text else [line.strip() for line in text.splitlines() if line.strip()]
        yield Source(index, named["number"], named["number"], named.get("title") or "", tuple(lines))


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for block in _maps(content):
        if block.get("type") == "text":
            yield str(block.get("text"))


def _maps(value: object) -> Iterator[Json]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))
