"""Confluence Cloud: v2, and the calls of v1 that v2 has no counterpart for.

Documented: paths, parameters, `limit` of at most 250, the default status (current and archived), the representations of
bodies (lists know storage and atlas_doc_format only), `parentType`. Not verified: the exact texts of refusals, that ids
which are no numbers are refused with 400 rather than 404, and the limit of 250 accounts in a bulk lookup.
"""

import json
from urllib.parse import quote_plus

from tests.wire.confluence import v1
from tests.wire.confluence.answers import Answer, Refused, Request
from tests.wire.confluence.model import Container, Item, Page, Space
from tests.wire.confluence.paging import v2_list
from tests.wire.confluence.render import body_in
from tests.wire.confluence.routes import Handler, Route
from tests.wire.confluence.site import Site
from tests.wire.confluence.spaces import space_json, space_v2_json

MOST_IDS = 250
LIST_STATUSES = {"current", "archived", "deleted", "trashed"}
LIST_BODIES = {"storage", "atlas_doc_format"}
PAGE_BODIES = LIST_BODIES | {"view", "export_view", "anonymous_export_view", "styled_view", "editor"}


def cloud_routes() -> list[Route]:
    """Return the calls that are answered."""
    kinds = {"folders": "folder", "whiteboards": "whiteboard", "databases": "database", "embeds": "embed"}
    return [
        Route("GET", "/api/v2/spaces", _spaces, "keys ids status limit cursor"),
        Route("GET", "/api/v2/spaces/{}", _space),
        Route("GET", "/api/v2/spaces/{}/pages", _space_pages, "status body-format limit cursor"),
        Route("GET", "/api/v2/pages", _pages, "id status body-format limit cursor"),
        Route("GET", "/api/v2/pages/{}", _page, "body-format get-draft include-labels"),
        *(Route("GET", f"/api/v2/{path}/{{}}", _container_of(kind)) for path, kind in kinds.items()),
        Route("POST", "/api/v2/users-bulk", _users),
        Route("GET", "/rest/api/content/search", v1.search, "cql expand limit start cursor next"),
        Route("GET", "/rest/api/content/{}/restriction/byOperation/read", v1.restriction, "expand start limit"),
        Route("GET", "/rest/api/space/{}", _space_v1, "expand"),
        Route("GET", "/rest/api/group/{}/membersByGroupId", _members, "start limit expand next"),
        Route("GET", "/download/attachments/{}/{}", v1.download, "version cacheVersion modificationDate api"),
    ]


def _spaces(site: Site, request: Request) -> Answer:
    keys, ids = _listed(request, "keys"), _ids(request, "ids")
    statuses = _listed(request, "status") or ["current", "archived"]
    spaces = [
        space
        for space in site.wiki.spaces.values()
        if space.key not in site.wiki.denied_spaces
        and (not keys or space.key in keys)
        and (not ids or space.id in ids)
        and space.status in statuses
    ]
    return v2_list(site, request, spaces, space_v2_json)


def _space(site: Site, request: Request, space_id: str) -> Answer:
    return Answer.of({**space_v2_json(_space_with(site, space_id)), "_links": {"base": site.base}})


def _space_pages(site: Site, request: Request, space_id: str) -> Answer:
    space = _space_with(site, space_id)
    return _list_pages(site, request, [page for page in site.wiki.pages.values() if page.space == space.key])


def _pages(site: Site, request: Request) -> Answer:
    ids = _ids(request, "id")
    return _list_pages(site, request, [page for page in site.wiki.pages.values() if not ids or page.id in ids])


def _list_pages(site: Site, request: Request, pages: list[Page]) -> Answer:
    statuses = _statuses(request)
    representation = _representation(request, LIST_BODIES)
    shown = [page for page in pages if page.status in statuses and site.wiki.is_visible(page)]
    return v2_list(site, request, shown, lambda page: _page_json(site, page, representation))


def _page(site: Site, request: Request, page_id: str) -> Answer:
    page = site.wiki.pages.get(_number(page_id, "id"))
    wanted = "draft" if request.query.get("get-draft") == "true" else ""
    if page is None or not site.wiki.is_visible(page) or (page.status == "draft") != (wanted == "draft"):
        raise Refused.v2(404, "Not Found")
    written = _page_json(site, page, _representation(request, PAGE_BODIES))
    written["_links"] = {**_page_links(page), "base": site.base}
    if request.query.get("include-labels") == "true":
        labels = [{"id": str(at), "name": name, "prefix": "global"} for at, name in enumerate(page.labels, 1)]
        written["labels"] = {"results": labels, "meta": {"hasMore": False}}
    return Answer.of(written)


def _container_of(kind: str) -> Handler:
    def answer(site: Site, request: Request, item_id: str) -> Answer:
        item = site.wiki.containers.get(_number(item_id, "id"))
        if item is None or item.kind != kind or not site.wiki.is_visible(item):
            raise Refused.v2(404, "Not Found")
        return Answer.of(_container_json(site, item))

    return answer


def _users(site: Site, request: Request) -> Answer:
    try:
        ids = json.loads(request.body)["accountIds"]
    except (ValueError, KeyError, TypeError) as error:
        raise Refused.v2(400, "The body is not an object with 'accountIds'.") from error
    if not isinstance(ids, list) or not 1 <= len(ids) <= MOST_IDS or not all(isinstance(one, str) for one in ids):
        raise Refused.v2(400, f"'accountIds' is not a list of 1 to {MOST_IDS} account ids.")
    users = [site.wiki.users[one] for one in dict.fromkeys(ids) if one in site.wiki.users]
    results = [
        {
            "accountId": user.id,
            "accountType": user.account_type,
            "accountStatus": "active" if user.active else "inactive",
            "email": user.email,
            "displayName": user.name,
            "publicName": user.name,
        }
        for user in users
    ]
    return Answer.of({"results": results, "_links": {"base": site.base}})


def _space_v1(site: Site, request: Request, key: str) -> Answer:
    return Answer.of(space_json(site, v1.visible_space(site, key), request.expand))


def _members(site: Site, request: Request, group_id: str) -> Answer:
    if group_id not in site.wiki.groups:
        raise Refused.missing("group", group_id)
    return v1.members(site, request, group_id)


def _page_json(site: Site, page: Page, representation: str | None) -> dict[str, object]:
    body = {} if representation is None else {representation: body_in(site.wiki, page, representation)}
    version = {"number": page.version, "createdAt": page.updated, "authorId": page.author}
    return {
        **_item_json(site, page),
        "status": page.status,
        "authorId": page.author,
        "ownerId": page.author,
        "version": {**version, "message": "", "minorEdit": False},
        "body": body,
        "_links": _page_links(page),
    }


def _page_links(page: Page) -> dict[str, str]:
    return {"webui": f"/spaces/{page.space}/pages/{page.id}/{quote_plus(page.title)}"}


def _container_json(site: Site, item: Container) -> dict[str, object]:
    version = {"number": 1, "createdAt": item.created, "authorId": "u-author", "message": "", "minorEdit": False}
    links = {"webui": f"/spaces/{item.space}/{item.kind}/{item.id}", "base": site.base}
    return {**_item_json(site, item), "type": item.kind, "status": "current", "version": version, "_links": links}


def _item_json(site: Site, item: Item) -> dict[str, object]:
    parent = site.wiki.item(item.parent) if item.parent else None
    kind = parent.kind if isinstance(parent, Container) else "page"
    return {
        "id": item.id,
        "title": item.title,
        "spaceId": site.wiki.spaces[item.space].id,
        "parentId": parent.id if parent else None,
        "parentType": kind if parent else None,
        "position": 1,
        "createdAt": item.created,
    }


def _space_with(site: Site, space_id: str) -> Space:
    number = _number(space_id, "id")
    for space in site.wiki.spaces.values():
        if space.id == number and space.key not in site.wiki.denied_spaces:
            return space
    raise Refused.v2(404, "Not Found")


def _statuses(request: Request) -> list[str]:
    statuses = _listed(request, "status") or ["current", "archived"]
    for status in statuses:
        if status not in LIST_STATUSES:
            raise Refused.v2(400, f"Provided value {status!r} for 'status' is not one of {sorted(LIST_STATUSES)}.")
    return statuses


def _representation(request: Request, known: set[str]) -> str | None:
    representation = request.query.get("body-format")
    if representation is not None and representation not in known:
        raise Refused.v2(400, f"Provided value {representation!r} for 'body-format' is not one of {sorted(known)}.")
    return representation


def _ids(request: Request, name: str) -> set[str]:
    ids = {_number(one, name) for one in _listed(request, name)}
    if len(ids) > MOST_IDS:
        raise Refused.v2(400, f"'{name}' has {len(ids)} values; the largest number is {MOST_IDS}.")
    return ids


def _listed(request: Request, name: str) -> list[str]:
    return [one for one in request.query.get(name, "").split(",") if one]


def _number(value: str, name: str) -> str:
    if not value.isdecimal():
        raise Refused.v2(400, f"Provided value {value!r} for '{name}' is not the correct type. Expected type is long")
    return value
