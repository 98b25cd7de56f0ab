"""The stored documents in memory, for tests of what decides about them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from knowledge.listing import Known, Listing, Quarantined
from knowledge.prepare import PreparedDocument
from knowledge.sync import SyncCounts
from knowledge.types import Audience


class FakeDocuments:
    """Keeps what is stored of one source, by path."""

    def __init__(self) -> None:
        self.stored: dict[str, PreparedDocument] = {}
        self.audiences: dict[str, Audience] = {}
        self.failed: dict[str, Quarantined] = {}
        self.members: dict[str, Collection[str]] = {}
        self.closed: dict[str, Audience] = {}
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
            path: Known(prepared.document.revision, prepared.content_hash, prepared.recipe, self.audiences[path])
            for path, prepared in self.stored.items()
        }

    async def quarantined(self, source_id: int) -> Mapping[str, Quarantined]:
        return dict(self.failed)

    async def set_members(self, source_id: int, members: Mapping[str, Collection[str]]) -> None:
        self.members = dict(members)

    async def rename(self, source_id: int, old: str, new: str) -> None:
        prepared = self.stored.pop(old)
        self.stored[new] = replace(prepared, document=replace(prepared.document, path=new))
        self.audiences[new] = self.audiences.pop(old)

    async def close(self, source_id: int, audiences: Mapping[str, Audience]) -> None:
        self.closed = dict(audiences)

    async def reopen(self, source_id: int, path: str, audience: Audience) -> None:
        self.audiences[path] = audience

    async def replace(self, source_id: int, prepared: PreparedDocument, audience: Audience) -> None:
        path = prepared.document.path
        self.stored[path] = prepared
        self.audiences[path] = audience
        self.failed.pop(path, None)

    async def touch(self, source_id: int, path: str, revision: str, audience: Audience) -> None:
        self.audiences[path] = audience
        prepared = self.stored[path]
        self.stored[path] = replace(prepared, document=replace(prepared.document, revision=revision))
        self.failed.pop(path, None)

    async def quarantine(self, source_id: int, path: str, failed: Quarantined) -> None:
        self.failed[path] = failed

    async def remove(self, source_id: int, paths: Sequence[str]) -> None:
        for path in paths:
            self.stored.pop(path, None)

    async def without_text(self, source_id: int) -> Sequence[str]:
        return [path for path, prepared in self.stored.items() if not prepared.passages]

    async def finish(self, source_id: int, listing: Listing, counts: SyncCounts) -> None:
        self.finished = counts
