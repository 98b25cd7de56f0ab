"""One complete listing of the chosen spaces: what there is, at which version, and who may read it."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain

from knowledge.errors import SourceProblem
from knowledge.listing import Entry, Listing
from knowledge.sources.confluence.access import Access
from knowledge.sources.confluence.api import both, together
from knowledge.sources.confluence.files import is_chosen
from knowledge.sources.confluence.includes import Library
from knowledge.sources.confluence.model import Attachment, Comment, Facts, Page, Space
from knowledge.sources.confluence.notes import Notes
from knowledge.sources.confluence.people import People
from knowledge.sources.confluence.selection import Selection
from knowledge.sources.confluence.settings import ConfluenceSettings
from knowledge.sources.confluence.site import Site
from knowledge.sources.confluence.tree import Tree

ATTACHMENT_PREFIX = "att"
ARCHIVED_SPACE = "spaces that are archived, so nothing of them is read; restore them or take them out of `spaces`"


@dataclass(frozen=True, slots=True)
class Item:
    """A listed document: a page, or what belongs to one. `space` is the page's, `author` a page's author."""

    of: Page | Attachment | Comment
    space: str
    author: str | None = None

    @property
    def page(self) -> str:
        """The id of the page that it is or belongs to."""
        return self.of.id if isinstance(self.of, Page) else self.of.page


@dataclass(frozen=True, slots=True)
class Found:
    """A listing, and what is needed to fetch its entries, by path."""

    listing: Listing
    items: Mapping[str, Item]
    library: Library


@dataclass(frozen=True, slots=True)
class _Holding:
    pages: Mapping[str, Page]
    facts: Mapping[str, Facts]
    attachments: tuple[Attachment, ...]
    comments: tuple[Comment, ...]


async def discover(site: Site, settings: ConfluenceSettings, stored: Mapping[str, str]) -> Found:
    """List everything; raise rather than list a part. `stored` are the revisions from before, by path."""
    notes = Notes()
    spaces, problem = await _spaces(site, settings, notes)
    if problem and not spaces:
        raise SourceProblem(problem)
    access = Access(site, settings, notes)
    holdings = await together(_hold(site, settings, space) for space in spaces)
    # After the listing, as all that narrows who may read: it is then never older than a listed version.
    await access.read_spaces(spaces)
    holding = await _with_left_out(site, settings, _merged(holdings), stored, spaces)
    tree = Tree(holding.pages.values())
    await tree.complete(site)
    pages = await Selection(site, settings, notes).choose(holding.pages.values(), tree, holding.facts)
    ways = dict.fromkeys(chain(*(tree.way(page.id).ids for page in pages)))
    await access.read_restrictions(ways, holding.facts)
    people = People(site, settings, notes)
    await people.meet(access.named, {page.author for page in pages if page.author})
    audiences = access.audiences(pages, tree, people)
    items = _items(pages, holding, settings, people)
    library = Library.of(pages, audiences)
    entries = []
    for path, item in items.items():
        before = stored.get(path, "")
        revision = _revision(item, site, settings) + library.mark_as_in(path, before)
        entries.append(Entry(path, revision, audiences[item.page], meanwhile=library.may_read_as_in(before)))
    listing = Listing(entries, members=people.members, notes=notes.lines, problem=problem)
    return Found(listing, items, library)


async def _spaces(site: Site, settings: ConfluenceSettings, notes: Notes) -> tuple[list[Space], str | None]:
    """Return the chosen spaces that are in use, and what is wrong when others are not there."""
    found = await site.spaces(settings.spaces)
    keys = {space.key.casefold() for space in found}
    missing = [key for key in settings.spaces if key.casefold() not in keys]
    problem = None
    if missing:
        problem = (
            f"space {missing[0]!r} is not there, or the token's account may not view it;"
            " correct `spaces` or let that account view it"
        )
    chosen = {key.casefold() for key in settings.spaces}
    spaces = {space.key: space for space in found if space.key.casefold() in chosen}
    for space in spaces.values():
        if space.is_archived:
            notes.add(ARCHIVED_SPACE, space.key)
    return [space for space in spaces.values() if not space.is_archived], problem


async def _hold(site: Site, settings: ConfluenceSettings, space: Space) -> _Holding:
    async def attachments() -> list[Attachment]:
        return await site.attachments(space) if settings.attachments else []

    async def comments() -> list[Comment]:
        return await site.comments(space) if settings.comments else []

    (pages, facts), (files, remarks) = await both(site.pages(space), both(attachments(), comments()))
    return _Holding({page.id: page for page in pages}, facts, tuple(files), tuple(remarks))


def _merged(holdings: Iterable[_Holding]) -> _Holding:
    """Put spaces together; a page that moved between them while they were listed is in the later one."""
    holdings = list(holdings)
    return _Holding(
        pages=dict(chain(*(one.pages.items() for one in holdings))),
        facts=dict(chain(*(one.facts.items() for one in holdings))),
        attachments=tuple(chain(*(one.attachments for one in holdings))),
        comments=tuple(chain(*(one.comments for one in holdings))),
    )


async def _with_left_out(
    site: Site, settings: ConfluenceSettings, holding: _Holding, stored: Collection[str], spaces: Collection[Space]
) -> _Holding:
    """Add the stored pages that the listing left out although they are still there.

    A listing may end early, and a page may move between two pages of it: only asking for it shows that one is gone.
    Files are searched for, and a search may not know all of them for a while.
    """
    listed = {*holding.pages, *(one.id for one in holding.attachments), *(one.id for one in holding.comments)}
    missing = [path for path in stored if path not in listed] if spaces else []
    missing_files = [path for path in missing if _is_attachment(path)] if settings.attachments else []
    pages, files = await both(
        site.look_up([path for path in missing if path.isdecimal()], spaces),
        together(site.attachment(path) for path in missing_files),
    )
    return replace(
        holding,
        pages={**holding.pages, **{page.id: page for page in pages}},
        attachments=(*holding.attachments, *filter(None, files)),
    )


def _is_attachment(path: str) -> bool:
    return path.startswith(ATTACHMENT_PREFIX) and path.removeprefix(ATTACHMENT_PREFIX).isdecimal()


def _items(pages: Iterable[Page], holding: _Holding, settings: ConfluenceSettings, people: People) -> dict[str, Item]:
    space_of = {page.id: page.space for page in pages}
    files = [file for file in holding.attachments if is_chosen(file.title, settings.attachment_types)]
    candidates: list[Attachment | Comment] = [*files, *holding.comments]
    belonging = [one for one in candidates if one.page in space_of]
    items = {page.id: Item(page, page.space, people.name(page.author)) for page in pages}
    return items | {one.id: Item(one, space_of[one.page], one.author) for one in belonging}


def _revision(item: Item, site: Site, settings: ConfluenceSettings) -> str:
    """Return what changes with everything that is stored of a document: its version alone does not tell of a move."""
    url = site.page_url(item.page, item.space)
    told = f"{item.of.title}\0{item.page}\0{url}\0{settings.included_text}"
    return f"{item.of.version}-{sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
