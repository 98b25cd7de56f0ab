"""Who may read each page: its own restriction, those of everything above it, and its space's permission, together."""

from collections.abc import Awaitable, Collection, Iterable, Mapping

from knowledge.sources.confluence.api import Hidden, together
from knowledge.sources.confluence.model import Facts, Group, NotUnderstood, Page, Space, Subjects
from knowledge.sources.confluence.notes import Notes
from knowledge.sources.confluence.people import People
from knowledge.sources.confluence.settings import ConfluenceSettings
from knowledge.sources.confluence.site import Site
from knowledge.sources.confluence.tree import Tree
from knowledge.types import NOBODY, Audience

EVERYBODY = Audience()
UNKNOWN_SPACE = (
    "spaces whose view permission the token's account may not read, so nobody finds their pages; make the account an"
    " administrator of the space, or set `space_audience` (Data Center tells it from version 9.1 on)"
)
UNKNOWN_RESTRICTION = (
    "pages that nobody finds, because a restriction on them or on something above them cannot be read;"
    " let the token's account view everything above them"
)


class Access:
    """What was read about who may view what, in one run."""

    def __init__(self, site: Site, settings: ConfluenceSettings, notes: Notes) -> None:
        self._site = site
        self._settings = settings
        self._notes = notes
        self._viewers: dict[str, Subjects | None] = {}
        self._restrictions: dict[str, Subjects | None] = {}

    async def read_spaces(self, spaces: Collection[Space]) -> None:
        """Read who may view spaces, unless the settings say it."""
        if self._settings.space_audience:
            return
        found = await together(_told(self._site.viewers(space)) for space in spaces)
        self._viewers = {space.key: viewers or None for space, viewers in zip(spaces, found, strict=True)}
        for key, viewers in self._viewers.items():
            if viewers is None:
                self._notes.add(UNKNOWN_SPACE, key)

    async def read_restrictions(self, contents: Iterable[str], facts: Mapping[str, Facts]) -> None:
        """Take over the restrictions that are known and read the others one by one."""
        known = {content: facts.get(content, Facts()).restriction for content in contents}
        missing = [content for content, restriction in known.items() if restriction is None]
        found = await together(_told(self._site.restriction(content)) for content in missing)
        self._restrictions = {**known, **dict(zip(missing, found, strict=True))}

    @property
    def named(self) -> list[Subjects]:
        """All who are named in permissions, restrictions and settings."""
        told = [named for named in (*self._viewers.values(), *self._restrictions.values()) if named]
        prefix = f"group:{self._settings.name}/"
        ids = [tag.removeprefix(prefix) for tag in self._settings.space_audience if tag.startswith(prefix)]
        return [*told, Subjects(groups=tuple(Group(one, one) for one in ids))]

    def audiences(self, pages: Iterable[Page], tree: Tree, people: People) -> dict[str, Audience]:
        """Return who may read each page, by id."""
        spaces = {key: people.audience(viewers) if viewers else NOBODY for key, viewers in self._viewers.items()}
        own = {content: self._own(subjects, people) for content, subjects in self._restrictions.items()}
        found = {}
        for page in pages:
            way = tree.way(page.id)
            is_known = way.is_whole and all(self._restrictions[content] is not None for content in way.ids)
            audience = self._settings_audience or spaces[page.space]
            for content in way.ids:
                audience = audience & own[content]
            found[page.id] = audience if is_known else NOBODY
            if not is_known:
                self._notes.add(UNKNOWN_RESTRICTION, page.id)
        return found

    @property
    def _settings_audience(self) -> Audience | None:
        tags = self._settings.space_audience
        return Audience.of(tags) if tags else None

    def _own(self, subjects: Subjects | None, people: People) -> Audience:
        """Return whom a restriction admits: everybody, when nobody is named."""
        if subjects is None:
            return NOBODY
        return people.audience(subjects) if subjects else EVERYBODY


async def _told(answer: Awaitable[Subjects | None]) -> Subjects | None:
    """Return who is named, or None when the site does not say."""
    try:
        return await answer
    except (Hidden, NotUnderstood):
        return None
