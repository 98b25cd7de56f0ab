"""How a Confluence site is asked: one answer, or all pages of a list."""

import asyncio
from collections.abc import Coroutine, Iterable, Mapping
from itertools import pairwise
from typing import Any, TypeVar
from urllib.parse import urlsplit

from knowledge.errors import SourceProblem
from knowledge.sources.confluence.model import NotUnderstood
from knowledge.sources.confluence.wire import Listed, understood
from knowledge.sources.patience import ServerError
from knowledge.sources.web import MAX_JSON_BYTES, Refused, Web

T = TypeVar("T")
U = TypeVar("U")

# The largest that is allowed; a fault of the server at one size may be gone at a smaller one.
V2_PAGE_SIZES = (250, 50, 10)
V1_PAGE_SIZES = (200, 50, 10)
# How often a size may fail before a smaller one is tried.
ERRORS_AT_A_SIZE = 2
_HIDDEN = frozenset({403, 404})
_API_ROOTS = ("/api/v2/", "/rest/api/")


class Unauthorised(SourceProblem):
    """The site does not accept the credentials."""


class Hidden(Refused):
    """The site has no such thing, or the token's account may not see it: it is refused with the one or the other."""


class Api:
    """The calls below one base address; `credentials_from` names the settings that a 401 is about."""

    def __init__(self, web: Web, *, credentials_from: str) -> None:
        self._web = web
        self._credentials_from = credentials_from
        self._origin = urlsplit(web.base_url)[:2]

    async def read(
        self,
        shape: type[T],
        path: str,
        params: Mapping[str, str] | None = None,
        *,
        body: object = None,
        limit: int = MAX_JSON_BYTES,
        server_errors: int | None = None,
    ) -> T:
        """Return one answer; raise Unauthorised, Refused (also Hidden), NotUnderstood, and what Web raises."""
        try:
            answer = await self._web.json(path, params, body=body, limit=limit, server_errors=server_errors)
        except Refused as exc:
            if exc.status == 401:
                raise Unauthorised(
                    f"Confluence does not accept the credentials (401); renew {self._credentials_from}"
                ) from exc
            if exc.status in _HIDDEN:
                raise Hidden(str(exc), status=exc.status) from exc
            raise
        return understood(shape, answer, path.partition("?")[0])

    async def read_all(self, shape: type[T], path: str, params: Mapping[str, str]) -> list[T]:
        """Return all items of a list, in its order; an item may come twice, for the list may change meanwhile."""
        sizes = V2_PAGE_SIZES if path.startswith("/api/v2/") else V1_PAGE_SIZES
        for size, smaller in pairwise((*sizes, None)):
            server_errors = ERRORS_AT_A_SIZE if smaller else None
            try:
                return await self._follow(shape, path, {**params, "limit": str(size)}, server_errors)
            except ServerError:
                if smaller is None:
                    raise
        raise AssertionError("the smallest size returns or raises")

    async def download(self, path: str, *, limit: int) -> bytes:
        """Return the bytes behind a link below the base address."""
        return await self._web.download(path, limit=limit)

    async def _follow(self, shape: type[T], path: str, params: Mapping[str, str], server_errors: int | None) -> list[T]:
        page = await self.read(Listed, path, params, server_errors=server_errors)
        items = [understood(shape, item, path) for item in page.results]
        seen: set[str] = set()
        while page.next:
            if page.next in seen:
                raise NotUnderstood(f"{path}: the list goes round in circles; the next sync tries again")
            seen.add(page.next)
            page = await self.read(Listed, self._below_base(page.next), server_errors=server_errors)
            items += [understood(shape, item, path) for item in page.results]
        return items

    def _below_base(self, link: str) -> str:
        """Return where a link leads, below our base address.

        What stands before the API's root differs between versions, and behind the API gateway it is not ours.
        """
        parts = urlsplit(link)
        if parts.netloc and parts[:2] != self._origin:
            raise NotUnderstood(f"a list goes on at {parts.netloc!r}, which is another site; it was not followed")
        for root in _API_ROOTS:
            at = parts.path.find(root)
            if at >= 0:
                return f"{parts.path[at:]}?{parts.query}"
        raise NotUnderstood(
            "a list goes on at an address outside of the API; is `url` the wiki's own address, without a proxy?"
        )


async def together(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Return what calls return, in their order; the first failure ends them all."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(call) for call in calls]
    except ExceptionGroup as failures:
        first = failures.exceptions[0]
        raise first from first.__cause__
    return [task.result() for task in tasks]


async def both(first: Coroutine[Any, Any, T], second: Coroutine[Any, Any, U]) -> tuple[T, U]:
    """Return what two calls return; the first failure ends them both."""
    calls: tuple[Coroutine[Any, Any, Any], ...] = (first, second)
    one, other = await together(calls)
    return one, other
