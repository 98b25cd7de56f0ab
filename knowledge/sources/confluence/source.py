"""The `Source` port over a Confluence site."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager

from knowledge.errors import SourceProblem, SourceUnavailable
from knowledge.links import ANCHOR
from knowledge.listing import Entry, Listing
from knowledge.parse.confluence import CLOUD_STORAGE, DATA_CENTER_STORAGE, needs_view
from knowledge.parse.formats import PDF
from knowledge.sources.confluence.api import Api, Unauthorised
from knowledge.sources.confluence.cloud import Cloud
from knowledge.sources.confluence.data_center import DataCenter
from knowledge.sources.confluence.discovery import Found, Item, discover
from knowledge.sources.confluence.files import content_of
from knowledge.sources.confluence.includes import Library, included, without_mark
from knowledge.sources.confluence.mentions import mentioned, with_names
from knowledge.sources.confluence.model import Attachment, Body, Comment, NotUnderstood, Page
from knowledge.sources.confluence.settings import ConfluenceSettings, credentials
from knowledge.sources.confluence.site import Site
from knowledge.sources.text_files import MEBIBYTE
from knowledge.sources.web import Refused, TooLarge, Web
from knowledge.types import Document

RENDERED = "text/html"
LEFT_OUT = (
    "pages that show text of other pages, which is left out because not every reader may see all of it, or because"
    " nobody can tell; `included_text` has more"
)


@asynccontextmanager
async def build(settings: ConfluenceSettings) -> AsyncIterator["ConfluenceSource"]:
    """Open one site with the credentials of the environment."""
    web = Web(settings.url, credentials(settings, os.environ), settings.options)
    async with aclosing(web):
        yield ConfluenceSource(open_site(web, settings), settings)


def open_site(web: Web, settings: ConfluenceSettings) -> Site:
    """Return the site behind a client."""
    names = [settings.email_env, settings.token_env] if settings.is_cloud else [settings.token_env]
    api = Api(web, credentials_from=" and ".join(names))
    kind = Cloud if settings.is_cloud else DataCenter
    return kind(api, site=settings.site, max_page_bytes=int(settings.max_page_mb * MEBIBYTE))


class ConfluenceSource:
    """Pages, and the files and comments on them as documents of their own; a document's path is its content id."""

    kind = "confluence"

    def __init__(self, site: Site, settings: ConfluenceSettings) -> None:
        self.name = settings.name
        self._site = site
        self._settings = settings
        self._storage = CLOUD_STORAGE if settings.is_cloud else DATA_CENTER_STORAGE
        self._found: Found | None = None
        # Of those who are mentioned on pages; names hardly ever change.
        self._names: dict[str, str] = {}

    async def discover(self, stored: Mapping[str, str]) -> Listing:
        try:
            found = await discover(self._site, self._settings, stored)
        except Refused as exc:
            raise SourceProblem(
                f"source {self.name!r}: {exc} (nothing already indexed was changed); the account lacks a right or its"
                " token a scope: docs/confluence.md lists them"
            ) from exc
        except SourceProblem as exc:
            raise SourceProblem(f"source {self.name!r}: {exc} (nothing already indexed was changed)") from exc
        self._found = found
        return found.listing

    async def fetch(self, entry: Entry) -> Document:
        found = self._found
        if found is None or entry.path not in found.items:
            raise SourceProblem("it was not listed; sync again")
        try:
            return await self._read(entry, found.items[entry.path], found.library)
        except Unauthorised as exc:
            # The fault of no document: those that are not read yet would fail as well.
            raise SourceUnavailable(f"source {self.name!r}: {exc}") from exc
        except Refused as exc:
            raise SourceProblem(
                f"it cannot be read any more ({exc.status}): it was deleted or restricted after it was listed, or the"
                " token's account may not read it; the next sync tells"
            ) from exc

    async def _read(self, entry: Entry, item: Item, library: Library) -> Document:
        match item.of:
            case Page() as page:
                return await self._page(entry, item, page, library)
            case Attachment() as file:
                return await self._attachment(entry, file)
            case Comment() as comment:
                return self._comment(entry, item, comment)

    async def _page(self, entry: Entry, item: Item, page: Page, library: Library) -> Document:
        body, kind, revision = await self._body(page, "storage"), self._storage, without_mark(entry.revision)
        remark = None
        if needs_view(body.text):
            inclusion = await included(self._site, library, page, body.text)
            revision += library.mark(page.id, inclusion.tokens, is_shown=inclusion.is_permitted)
            if inclusion.is_permitted or self._settings.included_text == "all":
                body, kind = await self._body(page, "view"), RENDERED
            else:
                remark = LEFT_OUT
        text = body.text if kind == RENDERED else await self._with_names(body.text)
        return Document(
            source=self.name,
            path=entry.path,
            text=text,
            revision=revision,
            title=body.title,
            url=f"{self._site.page_url(page.id, item.space)}#{ANCHOR}",
            media_type=kind,
            author=item.author or body.author,
            updated_at=body.updated_at,
            remark=remark,
        )

    async def _with_names(self, storage: str) -> str:
        unknown = mentioned(storage) - self._names.keys()
        if unknown:
            try:
                accounts = await self._site.accounts(sorted(unknown))
            except (Refused, NotUnderstood):
                return with_names(storage, self._names)
            self._names |= dict.fromkeys(unknown, "") | {account.id: account.name for account in accounts}
        return with_names(storage, self._names)

    async def _body(self, page: Page, form: str) -> Body:
        try:
            body = await self._site.body(page.id, form)
        except TooLarge as exc:
            raise SourceProblem(f"{exc}; split the page, raise `max_page_mb` or exclude it") from exc
        if body.version != page.version:
            raise SourceProblem("it was edited while it was read; the next sync takes it")
        return body

    async def _attachment(self, entry: Entry, file: Attachment) -> Document:
        limit = int(self._settings.max_attachment_mb * MEBIBYTE)
        remedy = "raise `max_attachment_mb` or leave it out with `attachment_types`"
        if file.size is not None and file.size > limit:
            size = f"{file.size / MEBIBYTE:.0f} MB is over the limit of {self._settings.max_attachment_mb:g} MB"
            raise SourceProblem(f"{file.title!r}: {size}; {remedy}")
        try:
            content = await self._site.download(file.download, limit=limit)
        except TooLarge as exc:
            raise SourceProblem(f"{file.title!r}: {exc}; {remedy}") from exc
        held = content_of(content, file.title)
        url = self._settings.site + _without_places(file.download.partition("?")[0])
        return Document(
            source=self.name,
            path=entry.path,
            text=held.text,
            content=held.bytes,
            revision=entry.revision,
            title=file.title,
            # Browsers open a PDF at the page that a passage is on.
            url=f"{url}#{ANCHOR}" if held.media_type == PDF else url,
            media_type=held.media_type,
            author=file.author,
            updated_at=file.updated_at,
            remark=held.remark,
        )

    def _comment(self, entry: Entry, item: Item, comment: Comment) -> Document:
        return Document(
            source=self.name,
            path=entry.path,
            text=comment.text,
            revision=entry.revision,
            title=comment.title,
            url=self._site.comment_url(comment.page, item.space, comment.id),
            media_type=self._storage,
            author=comment.author,
            updated_at=comment.updated_at,
        )


def _without_places(path: str) -> str:
    """Return a path in which nothing is taken for a place to fill in."""
    return path.replace("{", "%7B").replace("}", "%7D")
