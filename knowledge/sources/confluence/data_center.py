"""Confluence Data Center: the first version of the API alone."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from urllib.parse import quote

from knowledge.sources.confluence import wire
from knowledge.sources.confluence.api import Api, Hidden, together
from knowledge.sources.confluence.grants import Permission, V1Space, viewers
from knowledge.sources.confluence.model import Above, Account, Attachment, Body, Facts, Group, Page, Space, Subjects
from knowledge.sources.confluence.shared import FILE_PARTS, RESTRICTIONS, Shared

_LISTED = f"version,ancestors,space,metadata.labels,{RESTRICTIONS}"


class DataCenter(Shared):
    """The calls of Data Center."""

    def __init__(self, api: Api, *, site: str, max_page_bytes: int) -> None:
        super().__init__(api)
        self._site = site
        self._max_page_bytes = max_page_bytes

    async def spaces(self, keys: Collection[str]) -> list[Space]:
        found = await together(self._space(key) for key in keys)
        return [space for space in found if space]

    async def _space(self, key: str) -> Space | None:
        try:
            found = await self._api.read(V1Space, f"/rest/api/space/{quote(key)}")
        except Hidden:
            return None
        return Space(found.id, found.key, found.status.lower() == "archived")

    async def pages(self, space: Space) -> tuple[list[Page], Mapping[str, Facts]]:
        params = {"spaceKey": space.key, "type": "page", "status": "current", "start": "0", "expand": _LISTED}
        found = await self._api.read_all(wire.V1Content, "/rest/api/content", params)
        current = {one.id: one for one in found if _is_page_in(one, {space.key})}
        return [one.page for one in current.values()], {one.id: one.facts for one in current.values()}

    async def look_up(self, ids: Collection[str], spaces: Collection[Space]) -> list[Page]:
        keys = {space.key for space in spaces}
        found = await together(self._current(content) for content in ids)
        return [one.page for one in found if one and _is_page_in(one, keys)]

    async def attachment(self, content: str) -> Attachment | None:
        try:
            found = await self._content(content, FILE_PARTS)
        except Hidden:
            return None
        return found.attachment

    async def _current(self, content: str) -> wire.V1Content | None:
        """Return a content that can still be seen."""
        try:
            return await self._content(content, "version,ancestors,space")
        except Hidden:
            return None

    async def above(self, item: Above) -> Above | None:
        return (await self._content(item.id, "ancestors")).above

    async def labels(self, page: str) -> frozenset[str]:
        return (await self._content(page, "metadata.labels")).facts.labels

    async def viewers(self, space: Space) -> Subjects | None:
        """Return who may view a space; before version 9.1 the site does not tell."""
        path = f"/rest/api/space/{quote(space.key)}/permissions"
        return viewers(await self._api.read(list[Permission], path))

    async def members(self, group: Group) -> list[Account]:
        path = f"/rest/api/group/{quote(group.name, safe='')}/member"
        found = await self._api.read_all(wire.WireUser, path, {"start": "0", "expand": "status"})
        return [user.account for user in found]

    async def accounts(self, ids: Iterable[str]) -> list[Account]:
        """Return accounts by their keys, which is all that a space's permissions tell; each under the id asked for."""
        return await together(self._account(key) for key in ids)

    async def _account(self, key: str) -> Account:
        try:
            found = await self._api.read(wire.WireUser, "/rest/api/user", {"key": key, "expand": "status"})
        except Hidden:
            return Account(key, is_person=False)
        return replace(found.on_data_center(), id=key)

    async def body(self, page: str, form: str) -> Body:
        found = await self._content(page, f"body.{form},version", limit=self._max_page_bytes)
        return found.body

    async def _content(self, content: str, expand: str, *, limit: int | None = None) -> wire.V1Content:
        path, params = f"/rest/api/content/{content}", {"expand": expand}
        if limit is None:
            return await self._api.read(wire.V1Content, path, params)
        return await self._api.read(wire.V1Content, path, params, limit=limit)

    def page_url(self, page: str, space: str) -> str:
        return f"{self._site}/pages/viewpage.action?pageId={page}"

    def comment_url(self, page: str, space: str, comment: str) -> str:
        return f"{self.page_url(page, space)}&focusedCommentId={comment}"


def _is_page_in(content: wire.V1Content, keys: Collection[str]) -> bool:
    return content.type == "page" and content.status == "current" and content.space in keys
