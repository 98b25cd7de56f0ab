"""Confluence Cloud: the second version of its API, and the calls of the first that it has no counterpart for."""

from collections.abc import Collection, Iterable, Mapping
from urllib.parse import quote

from knowledge.sources.confluence import wire
from knowledge.sources.confluence.api import Api, Hidden, together
from knowledge.sources.confluence.grants import V1Space, viewers
from knowledge.sources.confluence.model import (
    Above,
    Account,
    Attachment,
    Body,
    Facts,
    Group,
    NotUnderstood,
    Page,
    Space,
    Subjects,
)
from knowledge.sources.confluence.shared import Shared, batches

MOST_IDS = 250
_KINDS = {"page": "pages", "folder": "folders", "whiteboard": "whiteboards", "database": "databases", "embed": "embeds"}


class Cloud(Shared):
    """The calls of Cloud."""

    def __init__(self, api: Api, *, site: str, max_page_bytes: int) -> None:
        super().__init__(api)
        self._site = site
        self._max_page_bytes = max_page_bytes

    async def spaces(self, keys: Collection[str]) -> list[Space]:
        found = await self._api.read_all(wire.V2Space, "/api/v2/spaces", {"keys": ",".join(keys)})
        return [Space(space.id, space.key, space.status == "archived") for space in found]

    async def pages(self, space: Space) -> tuple[list[Page], Mapping[str, Facts]]:
        # In this order: who may view is then never older than the version that is listed.
        listed = await self._listed(space)
        return [*listed.values()], await self._facts(space)

    async def _listed(self, space: Space) -> Mapping[str, Page]:
        path = f"/api/v2/spaces/{space.id}/pages"
        found = await self._api.read_all(wire.V2Item, path, {"status": "current"})
        return {
            item.id: item.page(space.key) for item in found if item.status == "current" and item.space_id == space.id
        }

    async def look_up(self, ids: Collection[str], spaces: Collection[Space]) -> list[Page]:
        keys = {space.id: space.key for space in spaces}
        answers = await together(
            self._api.read_all(wire.V2Item, "/api/v2/pages", {"id": ",".join(batch), "status": "current"})
            for batch in batches(ids, MOST_IDS)
        )
        found = [item for answer in answers for item in answer if item.status == "current" and item.space_id in keys]
        return [item.page(keys[item.space_id]) for item in found]

    async def attachment(self, content: str) -> Attachment | None:
        try:
            found = await self._api.read(wire.V2Attachment, f"/api/v2/attachments/{content}")
        except Hidden:
            return None
        return found.attachment if found.status == "current" else None

    async def above(self, item: Above) -> Above | None:
        if item.kind not in _KINDS:
            raise NotUnderstood(f"content {item.id} is of the kind {item.kind!r}, which is not known")
        found = await self._api.read(wire.V2Item, f"/api/v2/{_KINDS[item.kind]}/{item.id}")
        return found.above

    async def labels(self, page: str) -> frozenset[str]:
        found = await self._api.read(wire.V2Item, f"/api/v2/pages/{page}", {"include-labels": "true"})
        return frozenset(label.name for label in found.labels)

    async def viewers(self, space: Space) -> Subjects | None:
        found = await self._api.read(V1Space, f"/rest/api/space/{quote(space.key)}", {"expand": "permissions"})
        return viewers(found.permissions)

    async def members(self, group: Group) -> list[Account]:
        path = f"/rest/api/group/{quote(group.id, safe='')}/membersByGroupId"
        return [user.account for user in await self._api.read_all(wire.WireUser, path, {"start": "0"})]

    async def accounts(self, ids: Iterable[str]) -> list[Account]:
        answers = await together(
            self._api.read(wire.Listed, "/api/v2/users-bulk", body={"accountIds": batch})
            for batch in batches(ids, MOST_IDS)
        )
        users = [wire.understood(wire.WireUser, one, "users-bulk") for answer in answers for one in answer.results]
        return [user.on_cloud() for user in users]

    async def body(self, page: str, form: str) -> Body:
        path, params = f"/api/v2/pages/{page}", {"body-format": form}
        found = await self._api.read(wire.V2Item, path, params, limit=self._max_page_bytes)
        return found.body

    def page_url(self, page: str, space: str) -> str:
        return f"{self._site}/spaces/{quote(space)}/pages/{page}"

    def comment_url(self, page: str, space: str, comment: str) -> str:
        return f"{self.page_url(page, space)}?focusedCommentId={comment}"
