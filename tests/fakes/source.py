"""A source in memory."""

from collections.abc import Mapping, Sequence

from knowledge.errors import SourceProblem
from knowledge.sync import Entry
from knowledge.types import Document


class FakeSource:
    """Lists the texts it holds, by path; a text of None cannot be had."""

    kind = "fake"

    def __init__(self, texts: Mapping[str, str | None], *, name: str = "docs") -> None:
        self.name = name
        self.texts = dict(texts)
        self.revisions: dict[str, str] = {}
        self.fetched: list[str] = []

    async def discover(self) -> Sequence[Entry]:
        return [Entry(path, self.revisions.get(path, f"of {text}")) for path, text in self.texts.items()]

    async def fetch(self, entry: Entry) -> Document:
        self.fetched.append(entry.path)
        text = self.texts.get(entry.path)
        if text is None:
            raise SourceProblem(f"{entry.path} cannot be read")
        return Document(source=self.name, path=entry.path, text=text, revision=entry.revision)
