"""The stored documents in memory, for tests of what decides about them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from knowledge.prepare import PreparedDocument
from knowledge.sync import Known, SyncCounts


class FakeDocuments:
    """Keeps what is stored of one source, by path."""

    def __init__(self) -> None:
        self.stored: dict[str, PreparedDocument] = {}
        self.finished: SyncCounts | None = None

    @property
    def texts(self) -> dict[str, str]:
        """What is stored, as texts by path."""
        return {path: prepared.document.text for path, prepared in self.stored.items()}

    def forget_recipe(self, path: str) -> None:
        """Let a document look as if another release had cut it."""
        self.stored[path] = replace(self.stored[path], recipe="another")

    async def open_source(self, name: str, kind: str) -> int:
        return 1

    async def known(self, source_id: int) -> Mapping[str, Known]:
        return {
            path: Known(prepared.document.revision, prepared.content_hash, prepared.recipe)
            for path, prepared in self.stored.items()
        }

    async def replace(self, source_id: int, prepared: PreparedDocument) -> None:
        self.stored[prepared.document.path] = prepared

    async def touch(self, source_id: int, path: str, revision: str) -> None:
        prepared = self.stored[path]
        self.stored[path] = replace(prepared, document=replace(prepared.document, revision=revision))

    async def remove(self, source_id: int, paths: Sequence[str]) -> None:
        for path in paths:
            self.stored.pop(path, None)

    async def finish(self, source_id: int, counts: SyncCounts) -> None:
        self.finished = counts
