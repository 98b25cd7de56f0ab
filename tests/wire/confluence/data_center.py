"""Confluence Data Center: v1 only, with start and limit.

Documented: paths and parameters; members of groups by group name, without e-mail; users by key or name; the grants of a
space from 9.1 on; pages of lists that are shorter than their limit although more follows. Not verified: the values of
`status` beyond current and trashed, and that an older version answers 404 where the grants are from 9.1 on.
"""

from tests.wire.confluence import v1
from tests.wire.confluence.answers import Answer, Refused, Request
from tests.wire.confluence.contents import page_json
from tests.wire.confluence.paging import v1_list
from tests.wire.confluence.people import user_json
from tests.wire.confluence.routes import Route
from tests.wire.confluence.site import Site
from tests.wire.confluence.spaces import data_center_permissions, space_json

FIRST_WITH_PERMISSIONS = (9, 1)
STATUSES = {"current", "trashed", "draft", "archived", "any"}


def data_center_routes() -> list[Route]:
    """Return the calls that are answered."""
    return [
        Route("GET", "/rest/api/content", _contents, "spaceKey type status expand start limit next"),
        Route("GET", "/rest/api/content/search", v1.search, "cql expand limit start next"),
        Route("GET", "/rest/api/content/{}", _content, "status expand"),
        Route("GET", "/rest/api/content/{}/restriction/byOperation/read", v1.restriction, "expand start limit"),
        Route("GET", "/rest/api/space/{}", _space, "expand"),
        Route("GET", "/rest/api/space/{}/permissions", _permissions),
        Route("GET", "/rest/api/group/{}/member", _members, "start limit expand next"),
        Route("GET", "/rest/api/user", _user, "key username expand"),
        Route("GET", "/download/attachments/{}/{}", v1.download, "version cacheVersion modificationDate api"),
    ]


def _contents(site: Site, request: Request) -> Answer:
    kind = request.query.get("type", "page")
    if kind != "page":
        raise Refused.bad(f"type {kind!r} is not known to this server; it lists pages only")
    space = v1.visible_space(site, request.query.get("spaceKey", ""))
    status = _status(request)
    pages = [page for page in site.wiki.pages.values() if page.space == space.key and status in {page.status, "any"}]
    pages.sort(key=lambda page: int(page.id))
    return v1_list(site, request, pages, lambda page: page_json(site, page, request), site.wiki.is_visible)


def _content(site: Site, request: Request, content: str) -> Answer:
    status = _status(request)
    page = site.wiki.pages.get(content)
    if page is None or status not in {page.status, "any"} or not site.wiki.is_visible(page):
        raise Refused.missing("content", content)
    return Answer.of(page_json(site, page, request))


def _space(site: Site, request: Request, key: str) -> Answer:
    return Answer.of(space_json(site, v1.visible_space(site, key), request.expand))


def _permissions(site: Site, request: Request, key: str) -> Answer:
    if site.version < FIRST_WITH_PERMISSIONS:
        raise Refused.v1(404, f"null for uri: {request.path}")
    space = v1.visible_space(site, key)
    if not space.shows_permissions:
        raise Refused.v1(403, "com.atlassian.confluence.api.service.exceptions.PermissionException: Not permitted")
    return Answer.of(data_center_permissions(site, space))


def _members(site: Site, request: Request, name: str) -> Answer:
    for group in site.wiki.groups.values():
        if group.name == name:
            return v1.members(site, request, group.id)
    raise Refused.missing("group", name)


def _user(site: Site, request: Request) -> Answer:
    key, username = request.query.get("key"), request.query.get("username")
    if key is None and username is None:
        raise Refused.bad("A key or a username is required")
    for user in site.wiki.users.values():
        if user.key == key or user.username == username:
            return Answer.of(user_json(site, user.id))
    raise Refused.missing("user", key or username or "")


def _status(request: Request) -> str:
    status = request.query.get("status", "current")
    if status not in STATUSES:
        raise Refused.bad(f"status {status!r} is not one of {sorted(STATUSES)}")
    return status
