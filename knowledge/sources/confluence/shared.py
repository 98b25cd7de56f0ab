"""The calls that Cloud and Data Center share: searches, restrictions and files."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from knowledge.sources.confluence import wire
from knowledge.sources.confluence.api import Api
from knowledge.sources.confluence.model import Attachment, Comment, Facts, NotUnderstood, Space, Subjects

SUBJECTS_AT_ONCE = 200
RESTRICTIONS = "restrictions.read.restrictions.user,restrictions.read.restrictions.group"
FILE_PARTS = "version,container,extensions,metadata"
_FACTS = f"{RESTRICTIONS},metadata.labels"


class Shared:
    """What both kinds of site answer alike."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def restriction(self, content: str) -> Subjects:
        """Return who alone may view a page or folder by its own restriction, read to the end; nobody: everyone."""
        path = f"/rest/api/content/{content}/restriction/byOperation/read"
        params = {"expand": "restrictions.user,restrictions.group", "limit": str(SUBJECTS_AT_ONCE)}
        found = Subjects()
        start, step = 0, SUBJECTS_AT_ONCE
        while step:
            page = await self._api.read(wire.WireRestriction, path, {**params, "start": str(start)})
            if not page.restrictions.is_expanded:
                raise NotUnderstood(f"content {content}: its restriction does not tell both users and groups")
            found = found | page.restrictions.subjects
            step = page.restrictions.step
            start += step
        return found

    async def attachments(self, space: Space) -> list[Attachment]:
        """Return the files on the pages of a space."""
        found = await self._search(space, "attachment", FILE_PARTS)
        return list({one.id: one.attachment for one in found}.values())

    async def comments(self, space: Space) -> list[Comment]:
        """Return the open comments on the pages of a space."""
        expand = "version,container,body.storage,extensions.resolution"
        found = await self._search(space, "comment", expand)
        return list({one.id: one.comment for one in found if one.resolution != "resolved"}.values())

    async def download(self, path: str, *, limit: int) -> bytes:
        """Return a file."""
        return await self._api.download(path, limit=limit)

    async def _facts(self, space: Space) -> Mapping[str, Facts]:
        found = await self._search(space, "page", _FACTS)
        return {one.id: one.facts for one in found}

    async def _search(self, space: Space, kind: str, expand: str) -> list[wire.V1Content]:
        params = {"cql": f'space="{space.key}" and type={kind}', "expand": expand}
        return await self._api.read_all(wire.V1Content, "/rest/api/content/search", params)


def batches(ids: Iterable[str], size: int) -> Iterator[list[str]]:
    """Yield ids a few at a time."""
    rest = iter(ids)
    while batch := list(islice(rest, size)):
        yield batch
