"""The wiki of a test: made before a sync, changed between two."""

from collections.abc import Iterable
from dataclasses import replace

from tests.wire.confluence.directory import Directory
from tests.wire.confluence.model import (
    Attachment,
    Comment,
    CommentPlace,
    Container,
    ContainerKind,
    Item,
    Page,
    PageStatus,
    Restriction,
)


class Wiki(Directory):
    """Pages, what stands between them, files and comments. Methods that add something return its id.

    The token's user sees everything except what `deny` and `deny_space` name. `search_index_misses` holds ids that
    CQL searches leave out although they exist, as an index that lags behind does.
    """

    def __init__(self) -> None:
        super().__init__()
        self.pages: dict[str, Page] = {}
        self.containers: dict[str, Container] = {}
        self.attachments: dict[str, Attachment] = {}
        self.comments: dict[str, Comment] = {}
        self.denied: set[str] = set()
        self.search_index_misses: set[str] = set()

    def add_page(
        self,
        space: str,
        title: str,
        body: str = "<p>Text.</p>",
        *,
        parent: str | None = None,
        page_id: str | None = None,
        view: str | None = None,
        adf: str | None = None,
        labels: Iterable[str] = (),
        status: PageStatus = "current",
        author: str = "u-author",
    ) -> str:
        """Add a page. `view` is its rendered form, where that shows more than the storage body and its includes."""
        if space not in self.spaces:
            raise KeyError(f"the wiki has no space {space!r}; call add_space first")
        with self.lock:
            now = self.tick()
            page = Page(
                id=page_id or self.new_id(),
                title=title,
                space=space,
                parent=parent,
                body=body,
                view=view,
                adf=adf,
                version=1,
                status=status,
                labels=tuple(labels),
                author=author,
                created=now,
                updated=now,
            )
            self.pages[page.id] = page
        return page.id

    def add_folder(self, space: str, title: str, *, parent: str | None = None, kind: ContainerKind = "folder") -> str:
        """Add a folder, or a whiteboard, database or embed (Cloud only)."""
        with self.lock:
            folder = Container(self.new_id(), kind, title, space, parent, self.tick())
            self.containers[folder.id] = folder
        return folder.id

    def edit(self, page: str, body: str, *, view: str | None = None) -> None:
        """Write a new version of a page."""
        with self.lock:
            old = self.pages[page]
            self._put(replace(old, body=body, view=view, version=old.version + 1, updated=self.tick()))

    def rename(self, page: str, title: str, *, new_version: bool = True) -> None:
        """Give a page another title."""
        with self.lock:
            old = self.pages[page]
            if new_version:
                old = replace(old, version=old.version + 1, updated=self.tick())
            self._put(replace(old, title=title))

    def label(self, page: str, *labels: str) -> None:
        """Replace the labels of a page; its version stays."""
        self._put(replace(self.pages[page], labels=labels))

    def move(self, item: str, *, parent: str | None = None, space: str | None = None) -> None:
        """Put a page or folder under another parent, and with all below it into another space; versions stay."""
        with self.lock:
            for below in [item, *self.descendants(item)]:
                self._put(replace(self.item(below), space=space or self.item(below).space))
            self._put(replace(self.item(item), parent=parent))

    def restrict(self, item: str, *, users: Iterable[str] = (), groups: Iterable[str] = ()) -> None:
        """Let only these view a page or folder and, by inheritance, what is below it; the version stays."""
        self._put(replace(self.item(item), restriction=Restriction(tuple(users), tuple(groups))))

    def unrestrict(self, item: str) -> None:
        """Take the restriction of a page or folder away; the version stays."""
        self.restrict(item)

    def deny(self, item: str) -> None:
        """Hide a page or folder and all below it from the token's user: missing from lists, 404 when asked for."""
        self.denied.add(item)

    def allow(self, item: str) -> None:
        """Undo `deny`."""
        self.denied.discard(item)

    def trash(self, page: str) -> None:
        """Put a page into the bin; its children move up to its parent, as they do in Confluence."""
        with self.lock:
            for child in self.children(page):
                self._put(replace(self.item(child), parent=self.pages[page].parent))
            self.set_status(page, "trashed")

    def archive(self, page: str) -> None:
        """Archive a page; its version stays."""
        self.set_status(page, "archived")

    def restore(self, page: str) -> None:
        """Bring a page back from the bin or the archive."""
        self.set_status(page, "current")

    def set_status(self, page: str, status: PageStatus) -> None:
        """Change the status of a page; its version stays."""
        self._put(replace(self.pages[page], status=status))

    def purge(self, page: str) -> None:
        """Delete a page for good, with its files and comments."""
        with self.lock:
            self.trash(page)
            del self.pages[page]
            self.attachments = {key: item for key, item in self.attachments.items() if item.page != page}
            self.comments = {key: item for key, item in self.comments.items() if item.page != page}

    def attach(self, page: str, filename: str, content: bytes, media_type: str = "application/octet-stream") -> str:
        """Put a file on a page; the same name again is a new version of that file."""
        with self.lock:
            old = self.file(page, filename)
            file = Attachment(
                id=old.id if old else f"att{self.new_id()}",
                page=self.pages[page].id,
                filename=filename,
                media_type=media_type,
                versions=(*(old.versions if old else ()), content),
                updated=self.tick(),
            )
            self.attachments[file.id] = file
        return file.id

    def detach(self, attachment: str) -> None:
        """Delete a file."""
        with self.lock:
            del self.attachments[attachment]

    def comment(self, page: str, body: str, *, place: CommentPlace = "footer", resolved: bool = False) -> str:
        """Comment on a page."""
        with self.lock:
            made = Comment(self.new_id(), page, body, place, resolved, "u-author", 1, self.tick())
            self.comments[made.id] = made
        return made.id

    def uncomment(self, comment: str) -> None:
        """Delete a comment."""
        with self.lock:
            del self.comments[comment]

    def item(self, item: str) -> Item:
        """Return the page or folder with this id, or raise KeyError."""
        return self.pages[item] if item in self.pages else self.containers[item]

    def file(self, page: str, filename: str) -> Attachment | None:
        """Return the file of a page with this name, if there is one."""
        return next((one for one in self.attachments.values() if (one.page, one.filename) == (page, filename)), None)

    def children(self, item: str) -> list[str]:
        """Return the ids directly below a page or folder."""
        items: list[Item] = [*self.pages.values(), *self.containers.values()]
        return [one.id for one in items if one.parent == item]

    def descendants(self, item: str) -> list[str]:
        """Return the ids below a page or folder, parents before children."""
        below: list[str] = []
        for child in self.children(item):
            below += [child, *self.descendants(child)]
        return below

    def ancestors(self, item: str) -> list[Item]:
        """Return what a page or folder stands below, the root first."""
        above: list[Item] = []
        parent = self.item(item).parent
        while parent is not None:
            above.insert(0, self.item(parent))
            parent = above[0].parent
        return above

    def is_visible(self, item: Item) -> bool:
        """Tell whether the token's user may view a page or folder: nothing above it may be denied either."""
        if item.space in self.denied_spaces:
            return False
        return not self.denied or self.denied.isdisjoint([item.id, *(one.id for one in self.ancestors(item.id))])

    def _put(self, item: Item) -> None:
        if isinstance(item, Page):
            self.pages[item.id] = item
        else:
            self.containers[item.id] = item
