"""Who may read what in a wiki, told from the wiki alone: what the knowledge base must agree with after each sync.

A reader may read a page when its space admits the reader and so does every restriction on the page and on what is above
it. Nobody named means inherit; what is not told means nobody. Nothing here comes from the code that is tested.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.wire.confluence.model import Item, Page, User
from tests.wire.confluence.site import Kind
from tests.wire.confluence.wiki import Wiki

SPACES = ("DOCS", "TEAM")
# The words that are looked for, each written in one version of one page or file only.
WORD = re.compile(r"\bqx\d{5}\b")
READ_FILES = (".md", ".txt")


@dataclass(slots=True)
class World:
    """A wiki and what else decides about it.

    `untold` are folders that the token's user sees below, but not themselves. `anchors` are pages that always stay, so
    that a listing is never empty.
    """

    kind: Kind
    wiki: Wiki = field(default_factory=Wiki)
    untold: set[str] = field(default_factory=set)
    anchors: set[str] = field(default_factory=set)
    written: int = 0

    def new_word(self) -> str:
        """Return a word that nobody has written yet."""
        self.written += 1
        return f"qx{self.written:05}"

    def address(self, user: User) -> str:
        """Return the address that the site tells of an account, or what the settings make of its name."""
        return f"{user.username}@example.com" if self.kind == "data_center" else user.email.lower()

    def is_person(self, user: User) -> bool:
        """Tell people who may log in from apps and closed accounts; Data Center does not tell."""
        return self.kind == "data_center" or (user.active and user.account_type == "atlassian")


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who asks, with the groups they were in at some moment; without an address they are not known."""

    email: str | None
    groups: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Piece:
    """A word as a reader finds it: in which document, under which title, with the space of a page's link."""

    document: str
    title: str
    space: str
    word: str


def person(world: World, email: str | None) -> Person:
    """Return someone by address, in the groups of today."""
    address = email.strip().lower() if email else None
    if address is None:
        return Person(None)
    found = {key for key, group in world.wiki.groups.items() if _names(world, group.members, address)}
    return Person(address, frozenset(found))


def is_listed(world: World, page: Page) -> bool:
    """Tell whether the knowledge base has a page, whoever may read it."""
    space = world.wiki.spaces[page.space]
    return page.status == "current" and space.status == "current" and world.wiki.is_visible(page)


def listed(world: World) -> set[str]:
    """Return the ids of all documents that the knowledge base has."""
    pages = {page.id for page in world.wiki.pages.values() if is_listed(world, page)}
    files = {file.id for file in world.wiki.attachments.values() if file.page in pages and _is_read(file.filename)}
    return pages | files


def may_read(world: World, page: Page, reader: Person) -> bool:
    """Tell whether a reader finds a page and its files."""
    wiki = world.wiki
    space = wiki.spaces[page.space]
    if not is_listed(world, page) or not space.shows_permissions:
        return False
    if not space.anonymous and not _admits(world, space.users, space.groups, reader):
        return False
    way: list[Item] = [page, *wiki.ancestors(page.id)]
    return all(_is_told(world, item) and _lets_in(world, item, reader) for item in way)


def expected(world: World, reader: Person) -> set[Piece]:
    """Return everything that a reader finds."""
    pages = [page for page in world.wiki.pages.values() if may_read(world, page, reader)]
    return {piece for page in pages for piece in _pieces(world, page)}


def page_of(world: World, document: str) -> Page:
    """Return a page, or the page that a file is on."""
    wiki = world.wiki
    return wiki.pages[wiki.attachments[document].page if document in wiki.attachments else document]


def texts(world: World) -> dict[str, list[str]]:
    """Return the words of each document that the knowledge base has."""
    return {document: _words(world, document) for document in listed(world)}


def all_words(world: World) -> set[str]:
    """Return what stands anywhere in the wiki, seen or not."""
    return {word for document in (*world.wiki.pages, *world.wiki.attachments) for word in _words(world, document)}


def _pieces(world: World, page: Page) -> Iterator[Piece]:
    for word in _words(world, page.id):
        yield Piece(page.id, page.title, page.space if world.kind == "cloud" else "", word)
    for file in world.wiki.attachments.values():
        if file.page == page.id and _is_read(file.filename):
            yield from (Piece(file.id, file.filename, "", word) for word in _words(world, file.id))


def _words(world: World, document: str) -> list[str]:
    wiki = world.wiki
    text = wiki.pages[document].body if document in wiki.pages else wiki.attachments[document].versions[-1].decode()
    return WORD.findall(text)


def _is_read(filename: str) -> bool:
    return filename.endswith(READ_FILES)


def _is_told(world: World, item: Item) -> bool:
    """Tell whether the site answers for something above a page; Data Center does not for what is archived."""
    is_hidden = world.kind == "data_center" and isinstance(item, Page) and item.status != "current"
    return item.id not in world.untold and not is_hidden


def _lets_in(world: World, item: Item, reader: Person) -> bool:
    named = item.restriction
    is_open = not named.users and not named.groups
    return is_open or _admits(world, named.users, named.groups, reader)


def _admits(world: World, users: tuple[str, ...], groups: tuple[str, ...], reader: Person) -> bool:
    is_named = reader.email is not None and _names(world, users, reader.email)
    return is_named or not reader.groups.isdisjoint(group for group in groups if group in world.wiki.groups)


def _names(world: World, users: tuple[str, ...], address: str) -> bool:
    known = [world.wiki.users[user] for user in users if user in world.wiki.users]
    return any(world.is_person(user) and world.address(user) == address for user in known)
