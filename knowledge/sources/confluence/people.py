"""Those whom the site names become those whom a search admits: e-mail addresses and groups."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import chain

from knowledge.sources.confluence.api import together
from knowledge.sources.confluence.model import Account, Group, NotUnderstood, Subjects
from knowledge.sources.confluence.notes import Notes
from knowledge.sources.confluence.settings import ConfluenceSettings
from knowledge.sources.confluence.site import Site
from knowledge.sources.web import Refused
from knowledge.types import NOBODY, PUBLIC, Audience

NO_EMAIL_ON_CLOUD = (
    "accounts whose e-mail address the token's account may not see, so they find nothing restricted to them;"
    " let them show it in their profiles, or manage their accounts in your organisation"
)
NO_EMAIL_ON_DATA_CENTER = (
    "accounts without an e-mail address, which Data Center does not tell; set `user_emails`,"
    ' for instance "{username}@example.org", or they find nothing restricted to them'
)
NO_PERSON = "accounts named in permissions that are closed, unknown, guests or apps; they find nothing by their name"
NO_MEMBERS = "groups whose members cannot be read, so that nobody is in them; let the token's account see them"
NO_ACCOUNTS = (
    "accounts cannot be looked up (the token may not), so those without a known status find nothing restricted"
)


class People:
    """The accounts and groups of one run."""

    def __init__(self, site: Site, settings: ConfluenceSettings, notes: Notes) -> None:
        self._site = site
        self._settings = settings
        self._notes = notes
        self._accounts: dict[str, Account] = {}
        self._members: dict[str, list[str]] = {}

    async def meet(self, named: Iterable[Subjects], authors: Collection[str]) -> None:
        """Look up everybody who is named, the members of the groups, and authors by their ids."""
        named = list(named)
        groups = [group for group in dict.fromkeys(chain(*(one.groups for one in named))) if not self._is_public(group)]
        members = await together(self._read_members(group) for group in groups)
        for account in chain(*members, *(subjects.users for subjects in named)):
            before = self._accounts.get(account.id)
            # Who is known to be closed stays so, wherever else they are named without saying it.
            if before is None or account.is_person is False:
                self._accounts[account.id] = account
        unknown = {one.id for one in self._accounts.values() if one.is_person is None or self._hides_email(one)}
        await self._look_up(sorted(unknown | {author for author in authors if author not in self._accounts}))
        self._members = {
            self._tag(group): sorted({self._email(one.id, in_group=True) for one in of_group} - {""})
            for group, of_group in zip(groups, members, strict=True)
        }

    def audience(self, subjects: Subjects) -> Audience:
        """Return those who are named; a restriction that names only strangers admits nobody."""
        if subjects.is_anyone or any(map(self._is_public, subjects.groups)):
            return Audience.of([PUBLIC])
        emails = filter(None, (self._email(account.id) for account in subjects.users))
        tags = [*(f"user:{email}" for email in emails), *map(self._tag, subjects.groups)]
        return Audience.of(tags) if tags else NOBODY

    @property
    def members(self) -> Mapping[str, Collection[str]]:
        """The e-mail addresses behind each group's tag."""
        return self._members

    def name(self, account: str) -> str | None:
        """Return the name that an account shows."""
        return self._accounts[account].name or None if account in self._accounts else None

    async def _read_members(self, group: Group) -> list[Account]:
        try:
            return await self._site.members(group)
        except (Refused, NotUnderstood):
            self._notes.add(NO_MEMBERS, group.name or group.id)
            return []

    async def _look_up(self, ids: list[str]) -> None:
        try:
            found = {account.id: account for account in await self._site.accounts(ids)}
        except (Refused, NotUnderstood):
            self._notes.add(NO_ACCOUNTS)
            found = {}
        for account in found.values():
            before = self._accounts.get(account.id)
            email = account.email or (before.email if before else "")
            self._accounts[account.id] = replace(account, email=email)

    def _hides_email(self, account: Account) -> bool:
        return self._settings.is_cloud and account.is_person is True and not account.email

    def _email(self, account_id: str, *, in_group: bool = False) -> str:
        """Return the address of an active person; closed accounts in groups are nothing to speak of."""
        account = self._accounts[account_id]
        if not account.is_person:
            if not in_group:
                self._notes.add(NO_PERSON, account_id)
            return ""
        email = account.email or self._settings.email_of(account.username)
        if not email or not email.isprintable():
            self._notes.add(NO_EMAIL_ON_CLOUD if self._settings.is_cloud else NO_EMAIL_ON_DATA_CENTER, account_id)
            return ""
        return email

    def _is_public(self, group: Group) -> bool:
        return bool({group.id, group.name}.intersection(self._settings.public_groups))

    def _tag(self, group: Group) -> str:
        return f"group:{self._settings.name}/{group.id}"
