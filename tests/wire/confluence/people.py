"""Accounts, groups and restrictions as v1 writes them.

Cloud: accountId, accountType, email ("" when hidden), accountStatus. Data Center: username, userKey, displayName and no
e-mail. An account that no longer exists is "unknown" (not verified in detail).
"""

from collections.abc import Iterable, Mapping, Sequence

from tests.wire.confluence.answers import Request
from tests.wire.confluence.model import Item, User
from tests.wire.confluence.paging import v1_slice
from tests.wire.confluence.site import Site

LARGEST_SUBJECT_PAGE = 200


def user_json(site: Site, user_id: str) -> dict[str, object]:
    """Write an account."""
    user = site.wiki.users.get(user_id)
    if user is None:
        return {"type": "unknown", "accountId" if site.is_cloud else "userKey": user_id, "displayName": "Unknown user"}
    return _cloud_user(site, user) if site.is_cloud else _data_center_user(site, user)


def group_json(site: Site, group_id: str) -> dict[str, object]:
    """Write a group; only Cloud has ids for them."""
    group = site.wiki.groups.get(group_id)
    name = group.name if group else group_id
    written: dict[str, object] = {"type": "group", "name": name}
    if site.is_cloud:
        return {**written, "id": group_id, "_links": {"self": f"{site.base}/rest/api/group/by-id?id={group_id}"}}
    return {**written, "_links": {"self": f"{site.base}/rest/api/group/{name}"}}


def restriction_json(
    site: Site, item: Item, expand: Iterable[str], request: Request | None = None
) -> dict[str, object]:
    """Write the direct view restriction of a page or folder. `expand` names user, group or both.

    Users and groups are paged each by the request's start and limit; without one, embedded in a list, they are cut off.
    """
    people: Mapping[str, Sequence[dict[str, object]]] = {
        "user": [user_json(site, one) for one in item.restriction.users],
        "group": [group_json(site, one) for one in item.restriction.groups],
    }
    subjects: dict[str, object] = {"_expandable": {kind: "" for kind in people if kind not in expand}}
    for kind in expand:
        subjects[kind] = _subjects(site, people[kind], request)
    self_link = f"{site.base}/rest/api/content/{item.id}/restriction/byOperation/read"
    return {
        "operation": "read",
        "restrictions": subjects,
        "_expandable": {"content": ""},
        "_links": {"self": self_link},
    }


def _subjects(site: Site, people: Sequence[dict[str, object]], request: Request | None) -> dict[str, object]:
    if request is not None:
        largest = site.behaviour.largest_page or LARGEST_SUBJECT_PAGE
        shown, extent = v1_slice(request, people, largest)
        return {"results": list(shown), **extent}
    limit = site.behaviour.embedded_subjects
    return {"results": list(people[:limit]), "start": 0, "limit": limit, "size": len(people[:limit])}


def _cloud_user(site: Site, user: User) -> dict[str, object]:
    return {
        "type": "known",
        "accountId": user.id,
        "accountType": user.account_type,
        "email": user.email,
        "publicName": user.name,
        "displayName": user.name,
        "accountStatus": "active" if user.active else "inactive",
        "isExternalCollaborator": False,
        "_expandable": {"operations": "", "personalSpace": ""},
        "_links": {"self": f"{site.base}/rest/api/user?accountId={user.id}"},
    }


def _data_center_user(site: Site, user: User) -> dict[str, object]:
    return {
        "type": "known",
        "username": user.username,
        "userKey": user.key,
        "displayName": user.name,
        "_expandable": {"status": ""},
        "_links": {"self": f"{site.base}/rest/api/user?key={user.key}"},
    }
