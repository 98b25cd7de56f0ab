"""Real sentences and the passages that they stand in, as the index cuts them."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bot.core.verify.seen import Seen
from knowledge.prepare import prepare
from knowledge.quotable import Unit, units_of
from knowledge.types import Document
from tests.fakes.evidence import hit
from tests.quality.mutation_lexicon import Words, words_of

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "data"
FIXTURE = ROOT / "tests" / "data" / "verification"
HANDBOOK = ROOT / "examples" / "handbook"
CYRILLIC = ("ru", "uk")

WORD = re.compile(r"[^\W_]+(?:['’ʼ-][^\W_]+)*")
MIN_WORDS, MAX_WORDS = 5, 60
MIN_LOWER_WORDS = 3
# Templating that the sources' own site generators would have replaced, tables that are not parsed, several lines.
_NOT_PROSE = re.compile(r"[{}|\n<>]|\bifdef\b|^\W*$|\bINFO\b|\bGMT\b|NameDescription")
_LETTERS = re.compile(r"[^\W\d_]")
_CYRILLIC_LETTERS = re.compile("[\u0400-\u04ff]")


@dataclass(frozen=True, eq=False)
class Shown:
    """One passage as a reader sees it."""

    language: str
    above: tuple[str, ...]
    anchor: str | None
    units: tuple[Unit, ...]

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        return tuple(unit.text for unit in self.units)

    def seen(self, *quoted: int) -> Seen:
        return Seen(self.language, self.above, self.pieces, quoted)


@dataclass(frozen=True, eq=False)
class Page:
    """A document with its passages; `topic` groups pages whose sentences are easily confused."""

    name: str
    topic: str
    passages: tuple[Shown, ...]


@dataclass(frozen=True)
class Place:
    """Where a sentence stands, and in which words it is told here ("": in its own)."""

    page: Page
    passage: Shown
    index: int
    wording: str = ""

    @property
    def text(self) -> str:
        return self.wording or self.passage.pieces[self.index]

    @property
    def quote(self) -> str:
        return self.passage.units[self.index].quote

    @property
    def is_item(self) -> bool:
        return bool(re.match(r"\s*(?:[-*+]|\d+[.)])\s", self.quote))

    def seen(self) -> Seen:
        return self.passage.seen(self.index)


def folded(text: str) -> str:
    """Return only the words of a text, in lower case."""
    return " ".join(re.findall(r"\w+", text.casefold()))


class Corpus:
    """All pages of one language, and what is common in them."""

    def __init__(self, language: str, pages: Sequence[Page]) -> None:
        self.language = language
        self.words: Words = words_of(language)
        self.pages = pages
        self.places = [place for page in pages for place in _places(page, language)]

    @cached_property
    def lower_counts(self) -> Counter[str]:
        """How often each word stands in lower case inside of a sentence."""
        return Counter(word for place in self.places for word in WORD.findall(place.text)[1:] if word.islower())

    @cached_property
    def inside(self) -> Mapping[str, list[int]]:
        """The numbers of the places that hold a word."""
        index: dict[str, list[int]] = {}
        for number, place in enumerate(self.places):
            for word in set(folded(place.text).split()):
                index.setdefault(word, []).append(number)
        return index


def _places(page: Page, language: str) -> Iterator[Place]:
    for passage in page.passages:
        for index, unit in enumerate(passage.units):
            if not unit.is_code and _is_prose(unit.text, language):
                yield Place(page, passage, index)


def _is_prose(text: str, language: str) -> bool:
    cyrillic = len(_CYRILLIC_LETTERS.findall(text)) / (len(_LETTERS.findall(text)) or 1)
    is_native = cyrillic > 0.5 if language in CYRILLIC else cyrillic < 0.1
    return MIN_WORDS <= len(WORD.findall(text)) <= MAX_WORDS and is_plain(text) and is_native


def is_plain(text: str) -> bool:
    """Tell whether a text is made of words: no code, request or table that was not understood."""
    tokens = [token.strip(".,:;!?()«»\"'“”") for token in text.split()]
    words = [token for token in tokens if token.replace("-", "").replace("'", "").replace("’", "").isalpha()]
    is_wordy = len(words) >= 0.6 * len(tokens) and sum(word.islower() for word in words) >= MIN_LOWER_WORDS
    return is_wordy and not _NOT_PROSE.search(text)


def corpus_of(language: str, *, small: bool = False) -> Corpus:
    """Return the sentences of the handbook and of every knowledge base at hand; `small`: of the fixture only."""
    folders = [HANDBOOK / language, parallel_folder(small=small) / language]
    if small or not SHARED.exists():
        return Corpus(language, list(_pages(folders, language)))
    folders.append(SHARED / "kb" / "vkcloud" / language)
    return Corpus(language, [*_pages(folders, language), *_encyclopedia(language)])


def parallel_corpus(language: str, *, small: bool = False) -> Corpus:
    """Return the sentences of the pages that exist in all languages, under the same names."""
    return Corpus(language, list(_pages([parallel_folder(small=small) / language], language)))


def parallel_folder(*, small: bool) -> Path:
    """Return where the FastAPI pages are: all of them, or those of the fixture."""
    return FIXTURE / "fastapi" if small or not SHARED.exists() else SHARED / "kb" / "fastapi"


def _pages(folders: Sequence[Path], language: str) -> Iterator[Page]:
    for folder in folders:
        for path in sorted(folder.rglob("*.md")):
            yield page_of(path.read_text(encoding="utf-8"), name=str(path.relative_to(folder)), language=language)


def page_of(text: str, *, name: str, language: str, topic: str = "") -> Page:
    """Cut a document as the index does, and each passage into what can be quoted."""
    prepared = prepare(Document(source="docs", path=name, text=text, revision="1"))
    shown = []
    for passage in (stored.passage for stored in prepared.passages):
        found = hit(passage.text, language=language, search_text=passage.search_text)
        above = passage.heading if passage.heading[:1] == (prepared.title,) else (prepared.title, *passage.heading)
        shown.append(Shown(language, above, passage.anchor, tuple(units_of(found))))
    return Page(name, topic or name, tuple(shown))


def _encyclopedia(language: str) -> Iterator[Page]:
    with (SHARED / "xquad" / "passages.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["lang"] == language:
                text = f"# {row['article']}\n\n{row['text']}"
                yield page_of(text, name=row["id"], language=language, topic=row["article"])
