"""What the source asks of a site, whichever kind it is."""

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from knowledge.sources.confluence.model import (
    Above,
    Account,
    Attachment,
    Body,
    Comment,
    Facts,
    Group,
    Page,
    Space,
    Subjects,
)


class Site(Protocol):
    """A Confluence site. All raise SourceUnavailable, Unauthorised, Refused and NotUnderstood; lists are complete."""

    async def spaces(self, keys: Collection[str]) -> list[Space]:
        """Return those of the spaces that there are."""
        ...

    async def pages(self, space: Space) -> tuple[list[Page], Mapping[str, Facts]]:
        """Return the current pages of a space, each once, and the facts of most of them."""
        ...

    async def look_up(self, ids: Collection[str], spaces: Collection[Space]) -> list[Page]:
        """Return those of these contents that are current pages in one of the spaces."""
        ...

    async def above(self, item: Above) -> Above | None:
        """Return what something that is no listed page stands below itself."""
        ...

    async def labels(self, page: str) -> frozenset[str]:
        """Return the labels of one page."""
        ...

    async def restriction(self, content: str) -> Subjects:
        """Return who alone may view a content by its own restriction; nobody named means that it has none."""
        ...

    async def viewers(self, space: Space) -> Subjects | None:
        """Return who may view a space; None when that is not told."""
        ...

    async def members(self, group: Group) -> list[Account]:
        """Return the members of a group."""
        ...

    async def accounts(self, ids: Iterable[str]) -> list[Account]:
        """Return what is known of accounts, as far as they exist."""
        ...

    async def attachments(self, space: Space) -> list[Attachment]:
        """Return the files of a space."""
        ...

    async def attachment(self, content: str) -> Attachment | None:
        """Return one file; None when it is gone or hidden."""
        ...

    async def comments(self, space: Space) -> list[Comment]:
        """Return the open comments of a space."""
        ...

    async def body(self, page: str, form: str) -> Body:
        """Return a page's newest content as "storage" or "view"."""
        ...

    async def download(self, path: str, *, limit: int) -> bytes:
        """Return a file of at most so many bytes, or raise TooLarge."""
        ...

    def page_url(self, page: str, space: str) -> str:
        """Return the address of a page, which it keeps when it is renamed."""
        ...

    def comment_url(self, page: str, space: str, comment: str) -> str:
        """Return the address of a comment on a page."""
        ...
