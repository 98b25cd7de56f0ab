"""Where pages stand: the way from each page up to the top of its space."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knowledge.sources.confluence.api import Hidden, together
from knowledge.sources.confluence.model import Above, NotUnderstood, Page
from knowledge.sources.confluence.site import Site


@dataclass(frozen=True, slots=True)
class Way:
    """The ids from a page upwards, the page first; not whole when something above is hidden or it leads in a circle."""

    ids: tuple[str, ...]
    is_whole: bool


class Tree:
    """The listed pages, and what stands above them without being one: folders, archived pages, what is hidden."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._above: dict[str, Above | None] = {page.id: page.above for page in pages}
        self._hidden: set[str] = set()

    async def complete(self, site: Site) -> None:
        """Read what is above the listed pages, each thing once, up to the top."""
        while unknown := self._unknown():
            found = await together(_above(site, item) for item in unknown.values())
            for content, (above, is_hidden) in zip(unknown, found, strict=True):
                self._above[content] = above
                if is_hidden:
                    self._hidden.add(content)

    def way(self, page: str) -> Way:
        """Return the way up from a page."""
        ids: dict[str, None] = {}
        here: str | None = page
        while here is not None and here not in ids:
            ids[here] = None
            above = self._above[here]
            here = above.id if above else None
        return Way(tuple(ids), is_whole=here is None and self._hidden.isdisjoint(ids))

    def _unknown(self) -> Mapping[str, Above]:
        return {above.id: above for above in self._above.values() if above and above.id not in self._above}


async def _above(site: Site, item: Above) -> tuple[Above | None, bool]:
    try:
        return await site.above(item), False
    except (Hidden, NotUnderstood):
        return None, True
