"""What the wiki holds. Values do not change; the wiki puts a new one in the place of the old."""

from dataclasses import dataclass, field
from typing import Literal

PageStatus = Literal["current", "archived", "trashed", "draft"]
ContainerKind = Literal["folder", "whiteboard", "database", "embed"]
CommentPlace = Literal["footer", "inline"]
SpaceStatus = Literal["current", "archived"]


@dataclass(frozen=True, slots=True)
class User:
    """An account. Cloud knows it by `id`, Data Center by `username` and `key`; `email` is "" where it is hidden."""

    id: str
    name: str
    email: str
    active: bool
    account_type: str
    username: str

    @property
    def key(self) -> str:
        """The user key of Data Center."""
        return f"key-{self.id}"


@dataclass(frozen=True, slots=True)
class Group:
    """A group and its members' ids. Cloud knows it by `id`, Data Center by `name`."""

    id: str
    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """A space and who may view it."""

    id: str
    key: str
    name: str
    status: SpaceStatus
    anonymous: bool
    unlicensed: bool
    users: tuple[str, ...]
    groups: tuple[str, ...]
    shows_permissions: bool = True

    @property
    def type(self) -> str:
        """Personal spaces have keys that begin with a tilde."""
        return "personal" if self.key.startswith("~") else "global"


@dataclass(frozen=True, slots=True)
class Restriction:
    """Who alone may view a page or folder: ids of users and groups. Nobody in it means it is not restricted."""

    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Container:
    """A folder, whiteboard, database or embed: it can stand between pages in the tree (Cloud only)."""

    id: str
    kind: ContainerKind
    title: str
    space: str
    parent: str | None
    created: str
    restriction: Restriction = field(default_factory=Restriction)


@dataclass(frozen=True, slots=True)
class Page:
    """A page; `space` is a key, `parent` the id of a page or container, times are ISO 8601 in UTC."""

    id: str
    title: str
    space: str
    parent: str | None
    body: str
    view: str | None
    adf: str | None
    version: int
    status: PageStatus
    labels: tuple[str, ...]
    author: str
    created: str
    updated: str
    restriction: Restriction = field(default_factory=Restriction)


Item = Page | Container


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file on a page with all its versions, the first version first; its id begins with "att"."""

    id: str
    page: str
    filename: str
    media_type: str
    versions: tuple[bytes, ...]
    updated: str

    @property
    def version(self) -> int:
        """The number of the newest version."""
        return len(self.versions)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a page."""

    id: str
    page: str
    body: str
    place: CommentPlace
    resolved: bool
    author: str
    version: int
    updated: str
