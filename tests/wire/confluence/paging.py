"""Lists in pieces: cursors in v2 and in searches of Cloud, start and limit elsewhere in v1.

Documented: `limit` of v2 is 1 to 250, 25 when absent; `_links.next` of v2 is a path from the root of the host and comes
in the Link header too; `_links.next` of v1 is relative to `_links.base`; searches of Cloud page with a cursor inside
`next`; searches of Data Center give at most 50 items with bodies, 200 with other expansions, 1000 without any.
Not verified: that lists with restrictions have the smallest limit, that Cloud has the limits of Data Center, and that
searches of Cloud ignore `start`. A cursor says after which id a list goes on, so a list may change between two pages.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar
from urllib.parse import urlencode

from tests.wire.confluence.answers import Answer, Refused, Request
from tests.wire.confluence.cursors import Position
from tests.wire.confluence.model import Attachment, Comment, Item, Space
from tests.wire.confluence.site import Site

DEFAULT_LIMIT = 25
LARGEST_V2_LIMIT = 250
LIMIT_WITH_BODIES = 50
LIMIT_WITH_EXPANSIONS = 200
LIMIT_PLAIN = 1000

Listed = TypeVar("Listed", bound=Item | Attachment | Comment | Space)
Anything = TypeVar("Anything")


def v2_list(site: Site, request: Request, items: Sequence[Listed], to_json: Callable[[Listed], object]) -> Answer:
    """Answer one page of a v2 list, ordered by id."""
    limit = _number(request, "limit", DEFAULT_LIMIT)
    if limit is None or not 1 <= limit <= LARGEST_V2_LIMIT:
        raise Refused.v2(400, f"Provided value {request.query['limit']!r} for 'limit' is not between 1 and 250.")
    shown, following = _after_cursor(site, request, sorted(items, key=_id_number), _smaller(site, limit))
    links = {"base": site.base}
    headers = {}
    if following is not None:
        links["next"] = f"{request.path}?{urlencode({**request.query, 'limit': limit, 'cursor': following})}"
        headers["Link"] = f'<{links["next"]}>; rel="next", <{site.base}>; rel="base"'
    return Answer.of({"results": [to_json(item) for item in shown], "_links": links}, headers=headers)


def v1_search(site: Site, request: Request, items: Sequence[Listed], to_json: Callable[[Listed], object]) -> Answer:
    """Answer one page of a search of Cloud, ordered by id."""
    limit = _smaller(site, _v1_limit(request))
    shown, following = _after_cursor(site, request, sorted(items, key=_id_number), limit)
    link = None if following is None else {"cursor": following}
    return _v1_answer(site, request, [to_json(item) for item in shown], (0, limit), link)


def v1_list(
    site: Site,
    request: Request,
    items: Sequence[Anything],
    to_json: Callable[[Anything], object],
    is_visible: Callable[[Anything], bool] = lambda _: True,
    largest: int = LIMIT_PLAIN,
) -> Answer:
    """Answer one page of a v1 list. What is not visible is taken out of a page, which makes it short, even empty."""
    start, limit = _v1_start(request), min(_smaller(site, _v1_limit(request)), largest)
    shown = items[start : start + limit]
    following = None
    if start + limit < len(items):
        following = {"start": start + len(shown) - _repeated(site, shown)}
    return _v1_answer(site, request, [to_json(one) for one in shown if is_visible(one)], (start, limit), following)


def v1_slice(request: Request, items: Sequence[Anything], largest: int) -> tuple[Sequence[Anything], Mapping[str, int]]:
    """Return the items that start and limit ask for, at most `largest`, and the fields that describe them."""
    start, limit = _v1_start(request), min(_asked_limit(request, largest), largest)
    shown = items[start : start + limit]
    return shown, {"start": start, "limit": limit, "size": len(shown)}


def _v1_answer(
    site: Site,
    request: Request,
    results: list[object],
    extent: tuple[int, int],
    following: Mapping[str, object] | None,
) -> Answer:
    path = request.path.removeprefix(site.context)
    start, limit = extent
    links = {"base": site.base, "context": site.context, "self": f"{site.base}{path}?{request.raw_query}"}
    if following is not None:
        links["next"] = f"{path}?{urlencode({'next': 'true', **request.query, 'limit': limit, **following})}"
    return Answer.of({"results": results, "start": start, "limit": limit, "size": len(results), "_links": links})


def _after_cursor(
    site: Site, request: Request, items: Sequence[Listed], limit: int
) -> tuple[Sequence[Listed], str | None]:
    scope = _scope(request)
    position = _position(site, request, scope)
    rest = [item for item in items if _id_number(item) > position.start]
    shown = rest[:limit]
    pages = position.pages + 1
    if len(rest) <= limit or pages == site.behaviour.listing_ends_after:
        return shown, None
    last = shown[-1 - _repeated(site, shown)]
    return shown, site.cursors.issue(scope, Position(_id_number(last), pages))


def _position(site: Site, request: Request, scope: str) -> Position:
    cursor = request.query.get("cursor")
    if cursor is None:
        return Position()
    position = site.cursors.find(scope, cursor)
    if position is not None:
        return position
    if "/api/v2/" in request.path:
        title = "Provided value for 'cursor' is not the correct type. Expected type is Cursor."
        raise Refused.v2(400, title, "The provided cursor was not valid.")
    raise Refused.bad("The cursor was not issued for this search")


def _scope(request: Request) -> str:
    """Name a list: its path and filters, without what may differ from page to page."""
    filters = {key: value for key, value in request.query.items() if key not in {"cursor", "limit", "next", "start"}}
    return f"{request.path}?{urlencode(sorted(filters.items()))}"


def _repeated(site: Site, shown: Sequence[object]) -> int:
    return 1 if site.behaviour.repeat_items and len(shown) > 1 else 0


def _smaller(site: Site, limit: int) -> int:
    return min(limit, site.behaviour.largest_page or limit)


def _v1_start(request: Request) -> int:
    start = _number(request, "start", 0)
    if start is None or start < 0:
        raise Refused.bad(f"start {request.query['start']!r} is not a number from 0")
    return start


def _asked_limit(request: Request, default: int) -> int:
    limit = _number(request, "limit", default)
    if limit is None or limit < 1:
        raise Refused.bad(f"limit {request.query['limit']!r} is not a number from 1")
    return limit


def _v1_limit(request: Request) -> int:
    """Return the limit that is asked for, lowered by what is expanded."""
    limit = _asked_limit(request, DEFAULT_LIMIT)
    if any(one.split(".")[0] in {"body", "restrictions"} for one in request.expand):
        return min(limit, LIMIT_WITH_BODIES)
    return min(limit, LIMIT_WITH_EXPANSIONS if request.expand else LIMIT_PLAIN)


def _number(request: Request, name: str, default: int) -> int | None:
    value = request.query.get(name, str(default))
    return int(value) if value.isdecimal() else None


def _id_number(item: Item | Attachment | Comment | Space) -> int:
    return int(item.id.removeprefix("att"))
