"""Spaces and who may view them.

Cloud, v1, with expand=permissions (documented, and seen on a real site): one entry for each subject and operation; the
entry for anonymous visitors has no subjects, and other operations have such entries as well.
Data Center: /space/{key}/permissions exists from 9.1 on (documented, with a sample of its answer: groups by name, users
by userKey). Not verified: the subject type of anonymous visitors there, and that expand=permissions gives nothing.
"""

from tests.wire.confluence.model import Space
from tests.wire.confluence.people import group_json, user_json
from tests.wire.confluence.site import Site

READ = {"operation": "read", "targetType": "space"}
OTHER = {"operation": "create", "targetType": "comment"}


def space_json(site: Site, space: Space, expand: frozenset[str]) -> dict[str, object]:
    """Write a space as v1 does."""
    written: dict[str, object] = {
        "id": int(space.id),
        "key": space.key,
        "name": space.name,
        "type": space.type,
        "status": space.status,
        "_links": {"webui": _webui(site, space), "self": f"{site.base}/rest/api/space/{space.key}"},
    }
    if site.is_cloud and "permissions" in expand:
        return {**written, "permissions": _cloud_permissions(site, space), "_expandable": {"homepage": ""}}
    return {**written, "_expandable": {"homepage": "", "permissions": ""} if site.is_cloud else {"homepage": ""}}


def space_v2_json(space: Space) -> dict[str, object]:
    """Write a space as v2 does."""
    return {
        "id": space.id,
        "key": space.key,
        "name": space.name,
        "type": space.type,
        "status": space.status,
        "homepageId": None,
        "description": None,
        "icon": None,
        "_links": {"webui": f"/spaces/{space.key}"},
    }


def data_center_permissions(site: Site, space: Space) -> list[dict[str, object]]:
    """Write the grants of a space as Data Center does from 9.1 on."""
    groups: list[dict[str, str]] = [
        {"type": "group", "name": str(group_json(site, one)["name"])} for one in space.groups
    ]
    users = [{"type": "user", "userKey": str(user_json(site, one)["userKey"])} for one in space.users]
    anonymous = [{"type": "anonymous", "displayName": "Anonymous"}] if space.anonymous else []
    return [
        *(_grant(space, READ, subject) for subject in [*groups, *users, *anonymous]),
        _grant(space, OTHER, {"type": "anonymous", "displayName": "Anonymous"}),
    ]


def _grant(space: Space, operation: dict[str, str], subject: dict[str, str]) -> dict[str, object]:
    written = {"targetType": operation["targetType"], "operationKey": operation["operation"]}
    return {"operation": written, "subject": subject, "spaceKey": space.key, "spaceId": int(space.id)}


def _cloud_permissions(site: Site, space: Space) -> list[dict[str, object]]:
    if not space.shows_permissions:
        return []
    users = [{"user": {"results": [user_json(site, one)], "size": 1}} for one in space.users]
    groups = [{"group": {"results": [group_json(site, one)], "size": 1}} for one in space.groups]
    entries: list[dict[str, object]] = [{"subjects": one, "operation": READ} for one in [*users, *groups]]
    entries.append({"operation": OTHER, "anonymousAccess": True})
    if space.anonymous:
        entries.append({"operation": READ, "anonymousAccess": True})
    if space.unlicensed:
        entries.append({"operation": READ, "unlicensedAccess": True})
    silent = {"anonymousAccess": False, "unlicensedAccess": False}
    return [{"id": number, **silent, **entry} for number, entry in enumerate(entries, 1)]


def _webui(site: Site, space: Space) -> str:
    return f"/spaces/{space.key}" if site.is_cloud else f"/display/{space.key}"
