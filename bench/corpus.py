"""A knowledge base of any size for measuring: the handbook, and then documents mixed from its sentences.

The same seed gives the same texts everywhere. The handbook's own passages get real vectors; a mixed passage gets the
mean of the vectors its sentences came from, a little shifted, so that thousands of them cost seconds and not an hour.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from knowledge.embed import Embedder, Role, Vectors
from knowledge.evaluate.labelled import read_labelled
from knowledge.language import language_of
from knowledge.listing import Entry, Listing
from knowledge.parse.markdown import parse
from knowledge.parse.sentences import sentence_spans
from knowledge.prepare import prepare
from knowledge.types import Audience, Document

EXAMPLES = Path(__file__).parents[1] / "examples"
SECTIONS_PER_DOCUMENT = 10
SENTENCES_PER_SECTION = (2, 5)
# Every tenth document is for others than the public, so that the filter has something to keep out.
PRIVATE_EVERY = 10
SHIFT = 0.35


@dataclass(slots=True)
class Handbook:
    """The handbook's pages, and what they are made of, by language."""

    pages: list[Document] = field(default_factory=list)
    sentences: dict[str, list[str]] = field(default_factory=dict)
    headings: dict[str, list[str]] = field(default_factory=dict)


def handbook() -> Handbook:
    """Read `examples/handbook`."""
    found = Handbook()
    root = EXAMPLES / "handbook"
    for path in sorted(root.rglob("*.md")):
        page = Document("bench", path.relative_to(root).as_posix(), path.read_text("utf-8"), revision="1")
        found.pages.append(page)
        language = language_of(page.text)
        for block in parse(page.text).blocks:
            if block.kind == "heading":
                found.headings.setdefault(language, []).append(block.text)
            elif block.kind in ("paragraph", "item"):
                flat = " ".join(block.text.split())
                sentences = (flat[start:end] for start, end in sentence_spans(flat, language))
                found.sentences.setdefault(language, []).extend(one for one in sentences if len(one) > 20)
    return found


class MixedSource:
    """The `Source` port over texts in memory: the handbook first, mixed documents up to `passages` passages."""

    name = "bench"
    kind = "bench"

    def __init__(self, pages: Handbook, *, passages: int) -> None:
        self.documents = {document.path: document for document in _documents(pages, passages)}

    async def discover(self, stored: Mapping[str, str]) -> Listing:
        return Listing([Entry(path, one.revision, _audience(path)) for path, one in self.documents.items()])

    async def fetch(self, entry: Entry) -> Document:
        return self.documents[entry.path]


def _audience(path: str) -> Audience:
    """Return who may read a document: some of the mixed ones are for staff alone."""
    folder, _, name = path.partition("/")
    is_private = folder == "mixed" and int(name[:5]) % PRIVATE_EVERY == PRIVATE_EVERY - 1
    return Audience.of(["staff"]) if is_private else Audience()


def _documents(pages: Handbook, passages: int) -> Iterator[Document]:
    yield from pages.pages
    missing = passages - sum(len(prepare(page).passages) for page in pages.pages)
    dice = random.Random(passages)
    languages = sorted(pages.sentences)
    for number in range((missing + SECTIONS_PER_DOCUMENT - 1) // SECTIONS_PER_DOCUMENT):
        language = languages[number % len(languages)]
        sections = min(SECTIONS_PER_DOCUMENT, missing - number * SECTIONS_PER_DOCUMENT)
        text = "\n\n".join(_section(pages, language, dice, number) for number in range(sections))
        yield Document("bench", f"mixed/{number:05}-{language}.md", text, revision="1")


def _section(pages: Handbook, language: str, dice: random.Random, number: int) -> str:
    heading = dice.choice(pages.headings[language])
    chosen = dice.sample(pages.sentences[language], dice.randint(*SENTENCES_PER_SECTION))
    return "\n\n".join([f"{'##' if number else '#'} {heading}", *chosen])


class MixedEmbedder:
    """The `Embedder` port: real for questions and for handbook passages, mixed for what was mixed."""

    def __init__(self, real: Embedder) -> None:
        self.model = real.model
        self.dimension = real.dimension
        self._real = real
        self._known: dict[str, Vectors] = {}
        self._by_sentence: dict[str, Vectors] = {}

    async def learn(self, pages: Handbook) -> None:
        """Embed the handbook's passages."""
        texts = [one.passage.search_text for page in pages.pages for one in prepare(page).passages]
        self._known = dict(zip(texts, await self._real.embed(texts, role="passage"), strict=True))
        flat = [(" ".join(text.split()), vector) for text, vector in self._known.items()]
        for sentence in (one for sentences in pages.sentences.values() for one in sentences):
            origin = next((vector for text, vector in flat if sentence in text), flat[0][1])
            self._by_sentence[sentence] = origin

    async def embed(self, texts: Sequence[str], *, role: Role) -> Vectors:
        if role == "query":
            return await self._real.embed(texts, role=role)
        return np.stack([self._passage(text) for text in texts])

    def _passage(self, text: str) -> Vectors:
        if text in self._known:
            return self._known[text]
        origins = [self._by_sentence[line] for line in text.splitlines() if line in self._by_sentence]
        dice = np.random.default_rng(len(text) + sum(text.encode()))
        mixed = np.mean(origins or list(self._known.values())[:1], axis=0)
        mixed = mixed + SHIFT * dice.standard_normal(self.dimension) / np.sqrt(self.dimension)
        vector: Vectors = (mixed / np.linalg.norm(mixed)).astype(np.float32)
        return vector


def questions(count: int) -> list[str]:
    """Return labelled questions and headings of the handbook, in all its languages."""
    asked = [labelled.question for labelled in read_labelled(EXAMPLES / "questions.jsonl")]
    headings = [heading for found in handbook().headings.values() for heading in found]
    both = list(dict.fromkeys([*asked, *headings]))
    return both[:count]
