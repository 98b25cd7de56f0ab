"""The people and channels of a workspace, as far as it matters who may read: asked for once in a while."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.channels.slack.send.calls import Calls
from bot.channels.slack.translate.read import Payload, items, part, word
from bot.core.errors import Undeliverable
from bot.core.incoming import Company, Place
from knowledge.errors import TransientError

REMEMBERED_S = 600.0
# Only the process that listens hears at once of who came: the others may go on for so long as if nobody had.
MEMBERS_REMEMBERED_S = 60.0
MOST_REMEMBERED = 20_000
# So many are asked for one by one; of more, the whole workspace's list is read.
MOST_ONE_BY_ONE = 20
PAGE_PEOPLE = 200
MOST_PAGES = 15
MOST_MEMBERS = 200
# Each of them: people of another workspace or organisation read along, or are about to.
_SHARED = ("is_ext_shared", "is_org_shared", "is_shared", "is_pending_ext_shared", "pending_shared")

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, or some bot: a full member of the workspace, or with `is_member` False anybody else."""

    is_member: bool
    is_human: bool = True
    email: str | None = None
    locale: str | None = None
    name: str | None = None


STRANGER = Person(is_member=False)


def person(user: Payload, workspace: str) -> Person:
    """Return what is known of a user: whoever is not surely a full member of the workspace is none."""
    teams = part(user, "enterprise_user").get("teams")
    is_of_here = word(user, "team_id") == workspace or (isinstance(teams, list) and workspace in teams)
    is_human = not user.get("is_bot") and not user.get("is_workflow_bot") and word(user, "id") != "USLACKBOT"
    is_less = any(user.get(flag) for flag in ("deleted", "is_restricted", "is_ultra_restricted", "is_stranger"))
    # Somebody else's address may be given as one's own until it is confirmed.
    email = word(user, "profile", "email") if user.get("is_email_confirmed") is not False else ""
    return Person(
        is_of_here and is_human and not is_less,
        bool(is_human),
        email or None,
        word(user, "locale") or None,
        _name(user) or None,
    )


def _name(user: Payload) -> str:
    """Return what people call somebody: what they chose themselves, else their whole name."""
    names = (word(user, "profile", "display_name"), word(user, "profile", "real_name"), word(user, "real_name"))
    return next((" ".join(name.split()) for name in names if name.strip()), "")


def company(channel: Payload) -> Company:
    """Return who reads along in a channel, by what Slack tells of it: "shared" where that is not all."""
    if not channel or any(channel.get(flag) for flag in _SHARED):
        return "shared"
    if channel.get("is_im"):
        return "direct"
    if channel.get("is_mpim"):
        return "group"
    is_private = channel.get("is_private")
    return "shared" if not isinstance(is_private, bool) else "private" if is_private else "public"


class Remembered(Generic[Value]):
    """What was found out lately, by workspace and name."""

    def __init__(self, for_s: float, now: Callable[[], float]) -> None:
        self._for_s = for_s
        self._now = now
        self._values: dict[tuple[str, str], tuple[float, Value]] = {}

    def get(self, workspace: str, name: str) -> Value | None:
        """Return what is still good."""
        at, value = self._values.get((workspace, name), (0.0, None))
        return value if value is not None and self._now() - at < self._for_s else None

    def put(self, workspace: str, name: str, value: Value) -> None:
        """Remember something, in place of the oldest where that is too much."""
        self._values.pop((workspace, name), None)
        self._values[workspace, name] = (self._now(), value)
        if len(self._values) > MOST_REMEMBERED:
            del self._values[next(iter(self._values))]

    def forget(self, name: str) -> None:
        """Forget a name in all workspaces."""
        self._values = {key: value for key, value in self._values.items() if key[1] != name}


class People:
    """Who there is in workspaces and channels; whatever cannot be found out is raised."""

    def __init__(self, calls: Calls, now: Callable[[], float] = time.monotonic) -> None:
        self._calls = calls
        self._people: Remembered[Person] = Remembered(REMEMBERED_S, now)
        self._companies: Remembered[Company] = Remembered(MEMBERS_REMEMBERED_S, now)
        self._members: Remembered[Sequence[str]] = Remembered(MEMBERS_REMEMBERED_S, now)

    async def person(self, place: Place, user: str) -> Person:
        """Return somebody."""
        found = self._people.get(place.workspace, user)
        if found is None:
            answer = await self._calls.read(
                "users.info", place, lambda client: client.users_info(user=user, include_locale=True)
            )
            found = person(part(answer, "user"), place.workspace)
            self._people.put(place.workspace, user, found)
        return found

    async def name_of(self, place: Place, user: str) -> str | None:
        """Return what people call somebody, None where that cannot be found out."""
        try:
            return (await self.person(place, user)).name
        except (TransientError, Undeliverable):
            return None

    async def all_of(self, place: Place, users: Sequence[str]) -> list[Person]:
        """Return several people."""
        if len(self._unknown(place, users)) > MOST_ONE_BY_ONE:
            await self._read_list(place, users)
        return list(await asyncio.gather(*(self.person(place, user) for user in users)))

    def _unknown(self, place: Place, users: Iterable[str]) -> list[str]:
        return [user for user in users if self._people.get(place.workspace, user) is None]

    async def _read_list(self, place: Place, users: Sequence[str]) -> None:
        """Read the list of a workspace's people until nobody is missing."""
        cursor = ""
        for _ in range(MOST_PAGES):
            page = await self._people_page(place, cursor)
            for user in items(page, "members"):
                self._people.put(place.workspace, word(user, "id"), person(user, place.workspace))
            cursor = word(page, "response_metadata", "next_cursor")
            if not cursor or not self._unknown(place, users):
                return

    async def _people_page(self, place: Place, cursor: str) -> Mapping[str, object]:
        return await self._calls.read(
            "users.list",
            place,
            lambda client: client.users_list(
                cursor=cursor or None, limit=PAGE_PEOPLE, include_locale=True, team_id=place.workspace
            ),
        )

    async def company(self, place: Place) -> Company:
        """Return who reads along in a channel."""
        found = self._companies.get(place.workspace, place.channel)
        if found is None:
            answer = await self._calls.read(
                "conversations.info", place, lambda client: client.conversations_info(channel=place.channel)
            )
            found = company(part(answer, "channel"))
            self._companies.put(place.workspace, place.channel, found)
        return found

    async def members(self, place: Place) -> Sequence[str]:
        """Return who is in a channel; at most one more than MOST_MEMBERS."""
        found = self._members.get(place.workspace, place.channel)
        if found is None:
            found = await self._read_members(place)
            self._members.put(place.workspace, place.channel, found)
        return found

    async def _read_members(self, place: Place) -> Sequence[str]:
        members: list[str] = []
        cursor: str | None = None
        while cursor != "" and len(members) <= MOST_MEMBERS:
            page = await self._members_page(place, cursor)
            listed = page.get("members")
            if not isinstance(listed, list):
                raise TransientError(f"Slack does not tell who is in {place}")
            members += [str(user) for user in listed]
            cursor = word(page, "response_metadata", "next_cursor")
        return members[: MOST_MEMBERS + 1]

    async def _members_page(self, place: Place, cursor: str | None) -> Mapping[str, object]:
        return await self._calls.read(
            "conversations.members",
            place,
            lambda client: client.conversations_members(channel=place.channel, cursor=cursor, limit=PAGE_PEOPLE),
        )

    def forget(self, channel: str) -> None:
        """Ask anew who is in a channel, and who may read it."""
        self._members.forget(channel)
        self._companies.forget(channel)
