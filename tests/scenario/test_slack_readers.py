"""An answer for many holds only what each of them may read."""

from dataclasses import replace

import pytest

from bot.core.incoming import Company, Incoming, Place
from bot.core.outgoing import Readers
from tests.fakes.slack_sending import asked, readers_of
from tests.scenario.slack_office import Office, open_office
from tests.wire.slack.faults import Fault
from tests.wire.slack.workspace import User

GROUPS = {
    "anna@example.com": ["group:wiki/staff", "group:wiki/board"],
    "boris@example.com": ["group:wiki/staff"],
    "clara@example.com": ["group:wiki/staff"],
}
PUBLIC = frozenset({"public"})
STAFF = frozenset({"public", "group:wiki/staff"})
ANNA = frozenset({"public", "user:anna@example.com", "group:wiki/staff", "group:wiki/board"})


async def read(office: Office, channel: str, *, author: str = "U1", company: Company = "shared") -> Readers:
    return await office.channel.readers(asked(channel=channel, author=author, company=company).incoming)


async def test_each_kind_of_place_has_its_audience() -> None:
    async with open_office(reader_of=readers_of(GROUPS), workspace_tags=["group:wiki/handbook"]) as office:
        home = office.slack.workspaces["T1"]
        home.add_channel("G1", ["U1", "U2"], kind="private")
        home.add_channel("G2", ["U1", "U2"], kind="mpim")
        home.add_channel("C9", ["U1"]).is_ext_shared = True

        found = {channel: (await read(office, channel)).audience.tags for channel in ("C1", "G1", "G2", "C9")}
        direct = await read(office, "D1", company="direct")

    handbook = {"group:wiki/handbook"}
    assert found == {"C1": PUBLIC | handbook, "G1": STAFF | handbook, "G2": STAFF | handbook, "C9": PUBLIC}
    assert (direct.audience.tags, direct.asker.tags) == (ANNA | handbook, ANNA | handbook)


def _restricted(user: User) -> None:
    user.is_restricted = True


def _gone(user: User) -> None:
    user.deleted = True


def _of_elsewhere(user: User) -> None:
    user.team_id, user.is_stranger = "T2", True


LESS = {"a guest": _restricted, "somebody of elsewhere": _of_elsewhere, "somebody who left": _gone}


@pytest.mark.parametrize("make", LESS.values(), ids=LESS)
async def test_whoever_is_no_full_member_reads_what_is_public_and_so_do_all_beside_them(make: object) -> None:
    async with open_office(reader_of=readers_of(GROUPS), workspace_tags=["group:wiki/handbook"]) as office:
        home = office.slack.workspaces["T1"]
        assert callable(make)
        make(home.users["U2"])
        home.add_channel("G1", ["U1", "U2"], kind="private")

        theirs = await read(office, "D2", author="U2", company="direct")
        beside = await read(office, "G1")

    assert (theirs.audience.tags, theirs.asker.tags) == (PUBLIC, PUBLIC)
    assert beside.audience.tags == PUBLIC


async def test_a_bot_among_the_members_takes_nothing_away() -> None:
    async with open_office(reader_of=readers_of(GROUPS)) as office:
        office.slack.workspaces["T1"].add_bot("U9", "B9")
        office.slack.workspaces["T1"].add_channel("G1", ["U1", "U2", "U9"], kind="private")

        assert (await read(office, "G1")).audience.tags == STAFF


UNKNOWN = {
    "who the asker is": ("users.info", "D1", "direct"),
    "what the channel is": ("conversations.info", "G1", "private"),
    "who is in it": ("conversations.members", "G1", "private"),
}


@pytest.mark.parametrize("fault", [Fault.html(), Fault.error("missing_scope"), Fault.rate_limited(30)])
@pytest.mark.parametrize(("method", "channel", "company"), UNKNOWN.values(), ids=UNKNOWN)
async def test_what_cannot_be_found_out_is_public_knowledge_only(
    method: str, channel: str, company: Company, fault: Fault
) -> None:
    async with open_office(reader_of=readers_of(GROUPS), workspace_tags=["group:wiki/handbook"]) as office:
        office.slack.workspaces["T1"].add_channel("G1", ["U1", "U2"], kind="private")
        office.slack.inject(method, fault, times=None)

        found = await read(office, channel, company=company)

    assert found.audience.tags == PUBLIC


async def test_a_channel_that_is_called_public_but_is_not_has_its_members_as_audience() -> None:
    async with open_office(reader_of=readers_of(GROUPS), workspace_tags=["group:wiki/handbook"]) as office:
        office.slack.workspaces["T1"].add_channel("G1", ["U2"], kind="private")

        found = await read(office, "G1", author="U2", company="public")

    assert "user:boris@example.com" in found.audience.tags


async def test_people_and_members_are_asked_for_once_in_a_while_and_after_changes() -> None:
    async with open_office(reader_of=readers_of(GROUPS)) as office:
        home = office.slack.workspaces["T1"]
        home.add_channel("G1", ["U1", "U2"], kind="private")
        home.add_user("U3", email="clara@example.com")
        for _ in range(3):
            await read(office, "G1")
        asked_before = [office.called(method) for method in ("users.info", "conversations.members")]
        home.users["U4"] = replace(home.users["U3"], id="U4", email="stranger@example.com")
        home.channels["G1"].members.append("U4")

        stale = await read(office, "G1")
        office.channel.forget("G1")
        fresh = await read(office, "G1")

    assert asked_before == [3, 1]
    assert (stale.audience.tags, fresh.audience.tags) == (STAFF, PUBLIC)


async def test_a_large_private_channel_is_read_from_the_list_of_all_people() -> None:
    groups = {f"u{number}@example.com": ["group:wiki/staff"] for number in range(150)}
    async with open_office(reader_of=readers_of(groups)) as office:
        home = office.slack.workspaces["T1"]
        members = [home.add_user(f"UX{number}", email=f"u{number}@example.com").id for number in range(150)]
        home.add_channel("G1", members, kind="private")
        office.slack.enforce_limits = True

        found = await read(office, "G1", author="UX1")

    assert found.audience.tags == STAFF
    assert (office.called("users.info"), office.called("users.list")) == (1, 1)


async def test_in_a_channel_with_too_many_to_ask_it_is_as_for_everybody() -> None:
    async with open_office(reader_of=readers_of(GROUPS)) as office:
        home = office.slack.workspaces["T1"]
        members = [home.add_user(f"UX{number}", email="anna@example.com").id for number in range(201)]
        home.add_channel("G1", members, kind="private")

        found = await read(office, "G1", author="UX1")

    assert found.audience.tags == PUBLIC


async def test_the_language_is_that_of_the_askers_slack() -> None:
    async with open_office() as office:
        office.slack.workspaces["T1"].users["U1"].locale = "uk-UA"

        assert (await read(office, "C1")).language == "uk-UA"


async def test_nobody_known_reads_what_is_public() -> None:
    async with open_office(reader_of=readers_of(GROUPS)) as office:
        message: Incoming = asked(author="U404", company="direct").incoming

        found = await office.channel.readers(replace(message, place=Place("slack", "T1", "D404")))

    assert (found.audience.tags, found.asker.tags, found.language) == (PUBLIC, PUBLIC, None)
