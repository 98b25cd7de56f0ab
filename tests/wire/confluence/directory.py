"""Who is in the wiki: accounts, groups, and the spaces they may view."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import RLock

from tests.wire.confluence.model import Group, Space, SpaceStatus, User

FIRST_ID = 100_001
FIRST_MOMENT = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


class Directory:
    """Accounts, groups and spaces. Ids are handed out in order; each change moves the clock on by one second."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.users: dict[str, User] = {}
        self.groups: dict[str, Group] = {}
        self.spaces: dict[str, Space] = {}
        self.denied_spaces: set[str] = set()
        self._last_id = FIRST_ID - 1
        self._moment = FIRST_MOMENT
        self.add_user("u-author", name="Author", email="author@example.com")

    def add_user(
        self,
        user_id: str,
        *,
        email: str = "",
        name: str = "",
        active: bool = True,
        account_type: str = "atlassian",
        username: str = "",
    ) -> str:
        """Add an account and return its id; an empty e-mail is one the user hides."""
        self.users[user_id] = User(user_id, name or user_id, email, active, account_type, username or user_id)
        return user_id

    def deactivate(self, user_id: str) -> None:
        """Close an account; groups and restrictions go on naming it."""
        self.users[user_id] = replace(self.users[user_id], active=False)

    def add_group(self, group_id: str, name: str = "", members: Iterable[str] = ()) -> str:
        """Add a group, whose name is its id unless given, and return its id."""
        self.groups[group_id] = Group(group_id, name or group_id, tuple(members))
        return group_id

    def set_members(self, group_id: str, members: Iterable[str]) -> None:
        """Replace the members of a group."""
        self.groups[group_id] = replace(self.groups[group_id], members=tuple(members))

    def add_space(
        self,
        key: str,
        *,
        anonymous: bool = False,
        unlicensed: bool = False,
        users: Iterable[str] = (),
        groups: Iterable[str] = (),
    ) -> str:
        """Add a space that these may view (everyone with `anonymous`) and return its key."""
        self.spaces[key] = Space(
            id=self.new_id(),
            key=key,
            name=f"Space {key}",
            status="current",
            anonymous=anonymous,
            unlicensed=unlicensed,
            users=tuple(users),
            groups=tuple(groups),
        )
        return key

    def set_viewers(
        self, key: str, *, anonymous: bool = False, users: Iterable[str] = (), groups: Iterable[str] = ()
    ) -> None:
        """Replace who may view a space."""
        self.spaces[key] = replace(self.spaces[key], anonymous=anonymous, users=tuple(users), groups=tuple(groups))

    def set_space_status(self, key: str, status: SpaceStatus) -> None:
        """Archive a space, or make it current again."""
        self.spaces[key] = replace(self.spaces[key], status=status)

    def hide_permissions(self, key: str) -> None:
        """Show the token's user no permissions of this space, as when it is no administrator of it."""
        self.spaces[key] = replace(self.spaces[key], shows_permissions=False)

    def deny_space(self, key: str) -> None:
        """Hide a space and all in it from the token's user: missing from lists, 404 when asked for."""
        self.denied_spaces.add(key)

    def allow_space(self, key: str) -> None:
        """Undo `deny_space`."""
        self.denied_spaces.discard(key)

    def new_id(self) -> str:
        """Hand out an id."""
        with self.lock:
            self._last_id += 1
            return str(self._last_id)

    def tick(self) -> str:
        """Move the clock on by a second and return its time."""
        with self.lock:
            self._moment += timedelta(seconds=1)
            return self._moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
