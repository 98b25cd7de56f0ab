"""The calls of v1 that Cloud and Data Center share.

Of CQL this server knows only the forms of one space and one type, with or without an order; the real one knows far
more. Documented: searches leave out what the caller may not see; restrictions are the direct ones; Data Center expands
the groups of restrictions only, unless told otherwise; pages of members have 200 at most. Not verified: that a search
refuses a space the caller may not see as it does an unknown one, that folders of Cloud answer for their restrictions.
"""

import re

from tests.wire.confluence.answers import Answer, Refused, Request
from tests.wire.confluence.contents import attachment_json, comment_json, page_json
from tests.wire.confluence.model import Attachment, Comment, Item, Page, Space
from tests.wire.confluence.paging import v1_list, v1_search
from tests.wire.confluence.people import LARGEST_SUBJECT_PAGE, restriction_json, user_json
from tests.wire.confluence.site import Site

CQL = re.compile(
    r'\s*space\s*=\s*"(?P<space>[^"\\]+)"\s+and\s+type\s*=\s*(?P<type>page|attachment|comment)'
    r"(\s+order\s+by\s+(id|created|lastmodified)(\s+(asc|desc))?)?\s*",
    re.IGNORECASE,
)


def search(site: Site, request: Request) -> Answer:
    """GET /rest/api/content/search."""
    cql = request.query.get("cql", "")
    found = CQL.fullmatch(cql)
    if found is None:
        raise Refused.bad(f"Could not parse cql : {cql}")
    space = site.wiki.spaces.get(found["space"])
    if space is None or space.key in site.wiki.denied_spaces:
        raise Refused.bad(f"Could not parse cql : the value {found['space']!r} does not exist for the field 'space'.")
    items = _found(site, space, found["type"].lower())
    answer = v1_search if site.is_cloud else v1_list
    return answer(site, request, items, lambda item: _written(site, item, request))


def restriction(site: Site, request: Request, content: str) -> Answer:
    """GET /rest/api/content/{id}/restriction/byOperation/read."""
    item = visible_item(site, content)
    asked = [one.removeprefix("restrictions.") for one in sorted(request.expand) if one.startswith("restrictions.")]
    kinds = [one for one in asked if one in {"user", "group"}] or (["user", "group"] if site.is_cloud else ["group"])
    return Answer.of(restriction_json(site, item, kinds, request))


def download(site: Site, request: Request, page: str, filename: str) -> Answer:
    """GET /download/attachments/{page}/{file}: Cloud sends on to another host, Data Center sends the bytes."""
    file = site.wiki.file(page, filename)
    item = site.wiki.pages.get(page)
    if file is None or item is None or item.status not in {"current", "archived"} or not site.wiki.is_visible(item):
        raise Refused.missing("attachment", filename)
    version = request.query.get("version", str(file.version))
    if not version.isdecimal() or not 1 <= int(version) <= file.version:
        raise Refused.missing("attachment", f"{filename} version {version}")
    if site.is_cloud:
        location = (
            site.behaviour.download_location or f"{site.media}/file/{file.id}/binary?token=signed&version={version}"
        )
        return Answer(302, {"Location": location})
    return binary(file, int(version))


def binary(file: Attachment, version: int) -> Answer:
    """Send a version of a file."""
    headers = {"Content-Type": file.media_type, "Content-Disposition": "attachment"}
    return Answer(200, headers, file.versions[version - 1])


def members(site: Site, request: Request, group_id: str) -> Answer:
    """List the members of a group."""
    people = site.wiki.groups[group_id].members
    return v1_list(site, request, people, lambda one: user_json(site, one), largest=LARGEST_SUBJECT_PAGE)


def visible_item(site: Site, content: str) -> Item:
    """Return the page or, on Cloud, folder with this id, or refuse: it does not exist or may not be seen."""
    pages_only = site.wiki.pages.get(content)
    item = pages_only or (site.wiki.containers.get(content) if site.is_cloud else None)
    if item is None or not site.wiki.is_visible(item):
        raise Refused.missing("content", content)
    return item


def visible_space(site: Site, key: str) -> Space:
    """Return the space with this key, or refuse."""
    space = site.wiki.spaces.get(key)
    if space is None or key in site.wiki.denied_spaces:
        raise Refused.missing("space", key)
    return space


def _found(site: Site, space: Space, kind: str) -> list[Page | Attachment | Comment]:
    wiki = site.wiki
    pages = [
        page
        for page in wiki.pages.values()
        if page.space == space.key and page.status == "current" and wiki.is_visible(page)
    ]
    shown = {page.id for page in pages}
    items: list[Page | Attachment | Comment] = []
    if kind == "page":
        items += pages
    elif kind == "attachment":
        items += [file for file in wiki.attachments.values() if file.page in shown]
    else:
        items += [comment for comment in wiki.comments.values() if comment.page in shown]
    return [item for item in items if item.id not in wiki.search_index_misses]


def _written(site: Site, item: Page | Attachment | Comment, request: Request) -> dict[str, object]:
    if isinstance(item, Page):
        return page_json(site, item, request)
    if isinstance(item, Attachment):
        return attachment_json(site, item, request)
    return comment_json(site, item, request)
