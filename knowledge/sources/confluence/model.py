"""What a Confluence site tells us, alike for Cloud and Data Center."""

from dataclasses import dataclass
from datetime import datetime

from knowledge.errors import SourceProblem


class NotUnderstood(SourceProblem):
    """The site's answer is not what its documentation says."""


@dataclass(frozen=True, slots=True)
class Account:
    """A user. `is_person` tells active people from apps, customers, guests and closed accounts; None is not known yet.

    Cloud may tell an e-mail address, Data Center a user name.
    """

    id: str
    name: str = ""
    email: str = ""
    username: str = ""
    is_person: bool | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """A group; Data Center knows it by name alone."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Subjects:
    """Those whom a restriction or a space's permission names; `is_anyone` includes people who are not logged in."""

    users: tuple[Account, ...] = ()
    groups: tuple[Group, ...] = ()
    is_anyone: bool = False

    def __bool__(self) -> bool:
        return bool(self.users or self.groups or self.is_anyone)

    def __or__(self, other: "Subjects") -> "Subjects":
        """Return all that either names, each once."""
        users = dict.fromkeys((*self.users, *other.users))
        groups = dict.fromkeys((*self.groups, *other.groups))
        return Subjects(tuple(users), tuple(groups), self.is_anyone or other.is_anyone)


@dataclass(frozen=True, slots=True)
class Space:
    """A space; `key` is as the site writes it."""

    id: str
    key: str
    is_archived: bool


@dataclass(frozen=True, slots=True)
class Above:
    """What a page stands below: a page, or on Cloud a folder, whiteboard, database."""

    id: str
    kind: str = "page"


@dataclass(frozen=True, slots=True)
class Page:
    """A current page, as a listing shows it."""

    id: str
    title: str
    space: str
    above: Above | None
    version: int
    author: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a page's version does not tell. A `restriction` of None must be read by itself."""

    labels: frozenset[str] = frozenset()
    restriction: Subjects | None = None


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file on a page; `download` is a path below the base address."""

    id: str
    title: str
    page: str
    version: int
    size: int | None
    download: str
    author: str | None
    updated_at: datetime | None


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a page, with its body in storage format."""

    id: str
    title: str
    page: str
    version: int
    text: str
    author: str | None
    updated_at: datetime | None


@dataclass(frozen=True, slots=True)
class Body:
    """A page's content at a version, in storage format or as rendered."""

    title: str
    version: int
    text: str
    author: str | None
    updated_at: datetime | None
