"""Sources over the loopback wiki, opened as `build` opens them, but with little patience."""

from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

from knowledge.listing import Listing
from knowledge.sources.confluence.settings import ConfluenceSettings, credentials
from knowledge.sources.confluence.source import ConfluenceSource, open_site
from knowledge.sources.patience import Patience
from knowledge.sources.web import Web
from knowledge.types import PUBLIC, Audience, Document, Reader
from tests.wire.confluence import ConfluenceServer, Wiki, serve
from tests.wire.confluence.site import Kind

Served = tuple[Wiki, ConfluenceServer]
QUICK = Patience(attempts=3, first_wait_s=0.01, longest_wait_s=0.02, total_s=8.0)
PAGES = Path(__file__).parents[3] / "data" / "confluence"


@asynccontextmanager
async def opened(server: ConfluenceServer, **table: object) -> AsyncIterator[ConfluenceSource]:
    """Open the source "wiki" over a server; settings may be given, and the `token` of the environment."""
    token = str(table.pop("token", server.token))
    settings = ConfluenceSettings.model_validate(
        {
            "name": "wiki",
            "url": server.url,
            "deployment": server.kind,
            "spaces": ["DOCS"],
            "allow_private": True,
            "user_emails": "{username}@example.com" if server.kind == "data_center" else None,
            **table,
        }
    )
    environment = {"CONFLUENCE_EMAIL": server.email, "CONFLUENCE_TOKEN": token}
    web = Web(settings.url, credentials(settings, environment), replace(settings.options, patience=QUICK))
    async with aclosing(web):
        yield ConfluenceSource(open_site(web, settings), settings)


@contextmanager
def a_wiki(kind: Kind = "cloud", *, version: tuple[int, int] = (9, 2)) -> Iterator[tuple[Wiki, ConfluenceServer]]:
    """Serve a wiki whose space DOCS may be viewed by the group "staff", of Ann and Bob; Cid is in no group."""
    wiki = Wiki()
    for name in ("ann", "bob", "cid"):
        wiki.add_user(name, name=name.title(), email=f"{name}@example.com")
    wiki.add_group("g-staff", "staff", ["ann", "bob"])
    wiki.add_space("DOCS", groups=["g-staff"])
    with serve(wiki, kind, version=version) as server:
        yield wiki, server


async def listed(server: ConfluenceServer, stored: dict[str, str] | None = None, **table: object) -> Listing:
    """List with a source opened for this alone."""
    async with opened(server, **table) as source:
        return await source.discover(stored or {})


async def fetched(server: ConfluenceServer, path: str, **table: object) -> Document:
    """List, then fetch one document."""
    async with opened(server, **table) as source:
        listing = await source.discover({})
        return await source.fetch(next(entry for entry in listing.entries if entry.path == path))


def paths(listing: Listing) -> set[str]:
    """Return what is listed."""
    return {entry.path for entry in listing.entries}


def revisions(listing: Listing) -> dict[str, str]:
    """Return a listing as it is stored."""
    return {entry.path: entry.revision for entry in listing.entries}


def audience(listing: Listing, path: str) -> Audience:
    """Return who may read a document."""
    return next(entry.audience for entry in listing.entries if entry.path == path)


def readers(listing: Listing, path: str, emails: Collection[str] = ("ann", "bob", "cid")) -> set[str]:
    """Return those of these people who may read a document, judged as a search judges."""
    found = set()
    for name in emails:
        email = f"{name}@example.com"
        groups = {tag for tag, members in listing.members.items() if email in members}
        if audience(listing, path).admits(Reader(frozenset({PUBLIC, f"user:{email}", *groups}))):
            found.add(name)
    return found
