"""A source in memory."""

from collections.abc import Mapping

from knowledge.errors import SourceProblem
from knowledge.listing import Entry, Listing
from knowledge.types import Audience, Document


class FakeSource:
    """Lists the texts it holds, by path; a text of None cannot be had."""

    kind = "fake"

    def __init__(self, texts: Mapping[str, str | None], *, name: str = "docs") -> None:
        self.name = name
        self.texts = dict(texts)
        self.revisions: dict[str, str] = {}
        self.audiences: dict[str, Audience] = {}
        self.renamed: dict[str, str] = {}
        self.members: dict[str, list[str]] = {}
        self.problem: str | None = None
        self.fetched: list[str] = []

    async def discover(self, stored: Mapping[str, str]) -> Listing:
        entries = [
            Entry(
                path,
                self.revisions.get(path, f"of {text}"),
                self.audiences.get(path, Audience()),
                self.renamed.get(path),
            )
            for path, text in self.texts.items()
        ]
        return Listing(entries, members=self.members, problem=self.problem)

    async def fetch(self, entry: Entry) -> Document:
        self.fetched.append(entry.path)
        text = self.texts.get(entry.path)
        if text is None:
            raise SourceProblem(f"{entry.path} cannot be read")
        return Document(source=self.name, path=entry.path, text=text, revision=entry.revision)
