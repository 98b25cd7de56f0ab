"""Which pages of the chosen spaces belong to the source: by labels and by trees."""

from collections.abc import Iterable, Mapping

from knowledge.sources.confluence.api import Hidden, together
from knowledge.sources.confluence.model import Facts, Page
from knowledge.sources.confluence.notes import Notes
from knowledge.sources.confluence.settings import ConfluenceSettings
from knowledge.sources.confluence.site import Site
from knowledge.sources.confluence.tree import Tree

NO_ROOT = "ids in `roots` that nothing in the chosen spaces has; correct or remove them"


class Selection:
    """Chooses among listed pages."""

    def __init__(self, site: Site, settings: ConfluenceSettings, notes: Notes) -> None:
        self._site = site
        self._notes = notes
        self._wanted = _in_lower_case(settings.labels)
        self._unwanted = _in_lower_case(settings.exclude_labels)
        self._roots = frozenset(settings.roots)
        self._excluded = frozenset(settings.exclude)

    async def choose(self, pages: Iterable[Page], tree: Tree, facts: Mapping[str, Facts]) -> list[Page]:
        """Return the pages that stand where they must and have the labels they must."""
        ways = {page.id: frozenset(tree.way(page.id).ids) for page in pages}
        for root in sorted(self._roots.difference(*ways.values())):
            self._notes.add(NO_ROOT, root)
        standing = [page for page in pages if self._stands_right(ways[page.id])]
        if not self._wanted and not self._unwanted:
            return standing
        labels = await together(self._labels(page.id, facts) for page in standing)
        return [page for page, of_page in zip(standing, labels, strict=True) if self._is_labelled_right(of_page)]

    def _stands_right(self, way: frozenset[str]) -> bool:
        return (not self._roots or not self._roots.isdisjoint(way)) and self._excluded.isdisjoint(way)

    def _is_labelled_right(self, labels: frozenset[str] | None) -> bool:
        if labels is None:
            return False
        return (not self._wanted or not self._wanted.isdisjoint(labels)) and self._unwanted.isdisjoint(labels)

    async def _labels(self, page: str, facts: Mapping[str, Facts]) -> frozenset[str] | None:
        """Return a page's labels; None when it has gone meanwhile."""
        if page in facts:
            return _in_lower_case(facts[page].labels)
        try:
            return _in_lower_case(await self._site.labels(page))
        except Hidden:
            return None


def _in_lower_case(labels: Iterable[str]) -> frozenset[str]:
    return frozenset(label.lower() for label in labels)
