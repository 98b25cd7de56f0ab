"""Pages, files and comments as v1 writes them: what is not expanded is named in `_expandable` and not there."""

from collections.abc import Iterable
from urllib.parse import quote, quote_plus

from tests.wire.confluence.answers import Request
from tests.wire.confluence.model import Attachment, Comment, Item, Page
from tests.wire.confluence.people import restriction_json, user_json
from tests.wire.confluence.render import body_in
from tests.wire.confluence.site import Site
from tests.wire.confluence.spaces import space_json

V1_BODIES = ("storage", "view", "export_view", "styled_view", "atlas_doc_format")


def page_json(site: Site, page: Page, request: Request) -> dict[str, object]:
    """Write a page."""
    expand = request.expand
    parts: dict[str, object] = {
        "version": _version(site, page.version, page.updated, page.author),
        "space": space_json(site, site.wiki.spaces[page.space], frozenset()),
        "ancestors": [_stub(site, above) for above in site.wiki.ancestors(page.id) if isinstance(above, Page)],
        "history": _history(site, page, expand),
        "metadata": _metadata(page, expand),
        "restrictions": _restrictions(site, page, expand),
        "body": {kind: body_in(site.wiki, page, kind) for kind in V1_BODIES if _wants(expand, f"body.{kind}")},
    }
    return {**_stub(site, page), **_expanded(parts, expand)}


def attachment_json(site: Site, file: Attachment, request: Request) -> dict[str, object]:
    """Write a file."""
    page = site.wiki.pages[file.page]
    parts: dict[str, object] = {
        "version": _version(site, file.version, file.updated, page.author),
        "container": _stub(site, page),
        "space": space_json(site, site.wiki.spaces[page.space], frozenset()),
    }
    download = f"/download/attachments/{page.id}/{quote(file.filename)}?version={file.version}&cacheVersion=1&api=v2"
    preview = f"{_webui(site, page)}?preview=%2F{page.id}%2F{file.id.removeprefix('att')}%2F{quote_plus(file.filename)}"
    return {
        "id": file.id,
        "type": "attachment",
        "status": "current",
        "title": file.filename,
        "metadata": {"mediaType": file.media_type, "comment": ""},
        "extensions": {"mediaType": file.media_type, "fileSize": len(file.versions[-1]), "comment": ""},
        "_links": {"webui": preview, "download": download, "self": f"{site.base}/rest/api/content/{file.id}"},
        **_expanded(parts, request.expand),
    }


def comment_json(site: Site, comment: Comment, request: Request) -> dict[str, object]:
    """Write a comment."""
    page = site.wiki.pages[comment.page]
    body = {"representation": "storage", "value": comment.body}
    view = {"representation": "view", "value": comment.body}
    bodies = {"storage": body, "view": view}
    parts: dict[str, object] = {
        "version": _version(site, comment.version, comment.updated, comment.author),
        "container": _stub(site, page),
        "body": {kind: text for kind, text in bodies.items() if _wants(request.expand, f"body.{kind}")},
        "extensions": {
            "location": comment.place,
            "resolution": {"status": "resolved" if comment.resolved else "open"},
        },
    }
    return {
        "id": comment.id,
        "type": "comment",
        "status": "current",
        "title": f"Re: {page.title}",
        "_links": {
            "webui": f"{_webui(site, page)}?focusedCommentId={comment.id}",
            "self": f"{site.base}/rest/api/content/{comment.id}",
        },
        **_expanded(parts, request.expand),
    }


def _stub(site: Site, item: Item) -> dict[str, object]:
    return {
        "id": item.id,
        "type": "page" if isinstance(item, Page) else item.kind,
        "status": item.status if isinstance(item, Page) else "current",
        "title": item.title,
        "_links": {"webui": _webui(site, item), "self": f"{site.base}/rest/api/content/{item.id}"},
    }


def _webui(site: Site, item: Item) -> str:
    if site.is_cloud:
        return f"/spaces/{item.space}/pages/{item.id}/{quote_plus(item.title)}"
    if item.title.isascii() and "/" not in item.title:
        return f"/display/{item.space}/{quote_plus(item.title)}"
    return f"/pages/viewpage.action?pageId={item.id}"


def _wants(expand: Iterable[str], name: str) -> bool:
    """Tell whether a name or something below it is asked for."""
    return any(one == name or one.startswith(f"{name}.") for one in expand)


def _expanded(parts: dict[str, object], expand: frozenset[str]) -> dict[str, object]:
    shown: dict[str, object] = {name: part for name, part in parts.items() if _wants(expand, name)}
    return {**shown, "_expandable": {name: "" for name in parts if name not in shown}}


def _version(site: Site, number: int, when: str, author: str) -> dict[str, object]:
    return {"number": number, "when": when, "message": "", "minorEdit": False, "by": user_json(site, author)}


def _history(site: Site, page: Page, expand: frozenset[str]) -> dict[str, object]:
    created = {"latest": True, "createdDate": page.created, "createdBy": user_json(site, page.author)}
    if not _wants(expand, "history.lastUpdated"):
        return created
    return {**created, "lastUpdated": _version(site, page.version, page.updated, page.author)}


def _metadata(page: Page, expand: frozenset[str]) -> dict[str, object]:
    if not _wants(expand, "metadata.labels"):
        return {"_expandable": {"labels": ""}}
    labels = [
        {"prefix": "global", "name": name, "label": name, "id": str(at)} for at, name in enumerate(page.labels, 1)
    ]
    return {"labels": {"results": labels, "start": 0, "limit": 200, "size": len(labels)}}


def _restrictions(site: Site, page: Page, expand: frozenset[str]) -> dict[str, object]:
    if not _wants(expand, "restrictions.read"):
        return {"_expandable": {"read": "", "update": ""}}
    kinds = [kind for kind in ("user", "group") if _wants(expand, f"restrictions.read.restrictions.{kind}")]
    return {"read": restriction_json(site, page, kinds), "_expandable": {"update": ""}}
