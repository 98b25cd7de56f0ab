"""Who may read what a Confluence source lists: every restriction above a page counts, and what is unknown denies."""

import json
from collections.abc import Iterable
from typing import cast

import pytest

from knowledge.sources.confluence.model import Account, Group, Subjects
from knowledge.sources.confluence.notes import Notes
from knowledge.sources.confluence.people import People
from knowledge.sources.confluence.settings import ConfluenceSettings
from knowledge.sources.confluence.site import Site
from knowledge.sources.confluence.wire import WireUser
from knowledge.types import NOBODY, Audience
from tests.unit.knowledge.sources.confluence_sites import Served, a_wiki, audience, listed, readers
from tests.wire.confluence import Fault, Wiki


def listing_of(wiki: Wiki, *pages: dict[str, str]) -> Fault:
    """Answer a listing with pages as no wiki would make them."""
    told = {"title": "Page", "status": "current", "spaceId": wiki.spaces["DOCS"].id, "version": {"number": 1}}
    body = json.dumps({"results": [{**told, **page} for page in pages]}).encode()
    return Fault(status=200, headers={"Content-Type": "application/json"}, body=body)


async def test_an_unrestricted_page_is_for_those_who_may_view_its_space(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")

    listing = await listed(server)

    group = "g-staff" if server.kind == "cloud" else "staff"
    assert audience(listing, page) == Audience.of([f"group:wiki/{group}"])
    assert listing.members == {f"group:wiki/{group}": ["ann@example.com", "bob@example.com"]}
    assert listing.notes == []


async def test_s19_a_restriction_admits_only_whom_it_names(served: Served) -> None:
    wiki, server = served
    wiki.add_group("g-board", "board", ["bob", "cid"])
    by_user, by_group, by_both = (wiki.add_page("DOCS", title) for title in "abc")
    wiki.restrict(by_user, users=["ann"])
    wiki.restrict(by_group, groups=["g-board"])
    wiki.restrict(by_both, users=["ann"], groups=["g-board"])

    listing = await listed(server)

    assert readers(listing, by_user) == {"ann"}
    # Cid is on the board but may not view the space.
    assert readers(listing, by_group) == {"bob"}
    assert readers(listing, by_both) == {"ann", "bob"}


async def test_every_ancestor_counts_and_not_the_nearest_alone(served: Served) -> None:
    wiki, server = served
    top = wiki.add_page("DOCS", "Top")
    middle = wiki.add_page("DOCS", "Middle", parent=top)
    page = wiki.add_page("DOCS", "Page", parent=middle)
    file, comment = wiki.attach(page, "notes.md", b"x"), wiki.comment(page, "<p>x</p>")
    wiki.restrict(top, users=["ann"])
    wiki.restrict(middle, users=["ann", "bob"])

    listing = await listed(server, comments=True)

    assert [readers(listing, path) for path in (top, middle, page, file, comment)] == [{"ann"}] * 5


async def test_s20_access_that_is_taken_away_is_gone_in_the_next_listing(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")
    before = await listed(server)
    wiki.set_members("g-staff", ["bob"])
    fewer = await listed(server)
    wiki.restrict(page, users=["cid"])

    assert readers(before, page) == {"ann", "bob"}
    assert readers(fewer, page) == {"bob"}
    assert readers(await listed(server), page) == set()


async def test_s21_a_page_that_moves_takes_over_the_restrictions_above_it(served: Served) -> None:
    wiki, server = served
    closed = wiki.add_page("DOCS", "Closed")
    wiki.restrict(closed, users=["ann"])
    page = wiki.add_page("DOCS", "Page")
    before = await listed(server)
    wiki.move(page, parent=closed)

    assert readers(before, page) == {"ann", "bob"}
    assert readers(await listed(server), page) == {"ann"}


async def test_s21_a_page_that_moves_to_another_space_is_for_that_ones_viewers(served: Served) -> None:
    wiki, server = served
    wiki.add_space("HR", users=["cid"])
    page = wiki.add_page("DOCS", "Page")
    wiki.move(page, space="HR")

    assert readers(await listed(server, spaces=["DOCS", "HR"]), page) == {"cid"}


async def test_s21_restrictions_of_folders_count(cloud: Served) -> None:
    wiki, server = cloud
    folder = wiki.add_folder("DOCS", "Folder")
    board = wiki.add_folder("DOCS", "Board", parent=folder, kind="whiteboard")
    page = wiki.add_page("DOCS", "Page", parent=board)
    wiki.restrict(folder, users=["ann"])

    assert readers(await listed(server), page) == {"ann"}


async def test_what_is_above_many_pages_is_read_once(cloud: Served) -> None:
    wiki, server = cloud
    folder = wiki.add_folder("DOCS", "Folder")
    for number in range(30):
        wiki.add_page("DOCS", f"Page {number}", parent=folder)

    await listed(server)

    assert server.count("/folders/") == 1
    assert server.count("/restriction/") == 1


async def test_restrictions_of_an_archived_parent_count(cloud: Served) -> None:
    wiki, server = cloud
    parent = wiki.add_page("DOCS", "Parent")
    page = wiki.add_page("DOCS", "Page", parent=parent)
    wiki.restrict(parent, users=["ann"])
    wiki.archive(parent)

    assert readers(await listed(server), page) == {"ann"}


@pytest.mark.parametrize("call", ["/restriction/", "/folders/"])
async def test_what_cannot_be_seen_above_a_page_denies_it_and_says_so(cloud: Served, call: str) -> None:
    wiki, server = cloud
    folder = wiki.add_folder("DOCS", "Folder")
    page = wiki.add_page("DOCS", "Page", parent=folder)
    server.inject(call, Fault(status=403), times=None)

    listing = await listed(server)

    assert audience(listing, page) == NOBODY
    assert any(f"1 ({page})" in note and "view everything above them" in note for note in listing.notes)


async def test_pages_that_stand_in_a_circle_are_for_nobody(cloud: Served) -> None:
    wiki, server = cloud
    answer = listing_of(wiki, {"id": "1", "parentId": "2"}, {"id": "2", "parentId": "1"})
    server.inject(r"/spaces/\d+/pages", answer)

    listing = await listed(server)

    assert [audience(listing, page) for page in "12"] == [NOBODY, NOBODY]


async def test_an_unknown_kind_of_parent_denies(cloud: Served) -> None:
    wiki, server = cloud
    answer = listing_of(wiki, {"id": "1", "parentId": "2", "parentType": "novelty"})
    server.inject(r"/spaces/\d+/pages", answer)

    assert audience(await listed(server), "1") == NOBODY


async def test_restrictions_that_the_search_misses_are_read_one_by_one(cloud: Served) -> None:
    wiki, server = cloud
    page = wiki.add_page("DOCS", "Page")
    wiki.restrict(page, users=["ann"])
    wiki.search_index_misses.add(page)

    assert readers(await listed(server), page) == {"ann"}
    assert server.count("/restriction/") == 1


async def test_a_long_restriction_is_read_to_its_end(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")
    names = [wiki.add_user(f"u{number}", email=f"u{number}@example.com") for number in range(5)]
    wiki.restrict(page, users=[*names, "ann"])
    server.behaviour.embedded_subjects, server.behaviour.largest_page = 2, 2

    assert readers(await listed(server), page) == {"ann"}
    assert server.count("/restriction/") == 4


async def test_a_restriction_that_does_not_tell_groups_denies(cloud: Served) -> None:
    wiki, server = cloud
    page = wiki.add_page("DOCS", "Page")
    wiki.search_index_misses.add(page)
    body = b'{"restrictions": {"user": {"results": [], "start": 0, "limit": 200, "size": 0}}}'
    server.inject("/restriction/", Fault(status=200, headers={"Content-Type": "application/json"}, body=body))

    assert audience(await listed(server), page) == NOBODY


async def test_anonymous_access_to_a_space_is_public(served: Served) -> None:
    wiki, server = served
    wiki.set_viewers("DOCS", anonymous=True, users=["ann"])
    page = wiki.add_page("DOCS", "Page")

    assert audience(await listed(server), page) == Audience()


async def test_anonymous_rights_other_than_viewing_are_not(served: Served) -> None:
    wiki, server = served
    wiki.set_viewers("DOCS", users=["ann"])
    page = wiki.add_page("DOCS", "Page")

    assert readers(await listed(server), page) == {"ann"}


async def test_a_space_that_does_not_tell_its_viewers_denies_and_says_so(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")
    wiki.hide_permissions("DOCS")

    listing = await listed(server)

    assert audience(listing, page) == NOBODY
    assert any("`space_audience`" in note and "1 (DOCS)" in note for note in listing.notes)


async def test_settings_stand_in_the_place_of_a_spaces_permission(served: Served) -> None:
    wiki, server = served
    page, closed = wiki.add_page("DOCS", "Page"), wiki.add_page("DOCS", "Closed")
    wiki.restrict(closed, users=["ann"])
    wiki.hide_permissions("DOCS")

    listing = await listed(server, space_audience=["user:Cid@Example.com", "user:ann@example.com"])

    assert readers(listing, page) == {"ann", "cid"}
    assert readers(listing, closed) == {"ann"}
    assert listing.notes == []


async def test_groups_in_settings_have_members(cloud: Served) -> None:
    wiki, server = cloud
    page = wiki.add_page("DOCS", "Page")

    assert readers(await listed(server, space_audience=["group:wiki/g-staff"]), page) == {"ann", "bob"}


async def test_groups_of_everybody_are_public(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")

    listing = await listed(server, public_groups=["staff"])

    assert audience(listing, page) == Audience()
    assert listing.members == {}


@pytest.mark.parametrize(
    "stranger",
    [{"active": False}, {"account_type": "app"}, {"account_type": "customer"}, {"email": ""}],
)
async def test_s26_strangers_are_admitted_nowhere_by_their_name(cloud: Served, stranger: dict[str, str]) -> None:
    wiki, server = cloud
    options = {"email": "dan@example.com", **stranger}
    wiki.add_user("dan", **options)  # type: ignore[arg-type]  # a table of keyword arguments
    page = wiki.add_page("DOCS", "Page")
    wiki.restrict(page, users=["dan"])
    wiki.set_members("g-staff", ["ann", "dan"])

    listing = await listed(server)

    assert audience(listing, page) == NOBODY
    assert listing.members == {"group:wiki/g-staff": ["ann@example.com"]}
    assert any("1 (dan)" in note for note in listing.notes)


async def test_s26_an_account_that_is_gone_is_nobody(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")
    wiki.restrict(page, users=["gone", "ann"])

    assert readers(await listed(server), page) == {"ann"}


async def test_a_group_whose_members_are_hidden_admits_nobody_and_says_so(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")
    server.inject("/group/", Fault(status=403), times=None)

    listing = await listed(server)

    assert readers(listing, page) == set()
    assert any("members cannot be read" in note and "1 (staff)" in note for note in listing.notes)


async def test_data_center_tells_no_addresses_without_a_template(data_center: Served) -> None:
    wiki, server = data_center
    page = wiki.add_page("DOCS", "Page")
    wiki.restrict(page, users=["ann"])

    listing = await listed(server, user_emails=None)

    assert audience(listing, page) == NOBODY
    assert any("`user_emails`" in note and "2 (key-ann, key-bob)" in note for note in listing.notes)


async def test_data_center_tells_viewers_by_key_alone(data_center: Served) -> None:
    wiki, server = data_center
    wiki.set_viewers("DOCS", users=["ann", "gone"])
    page = wiki.add_page("DOCS", "Page")

    assert readers(await listed(server), page) == {"ann"}


async def test_data_center_before_9_1_does_not_tell_viewers() -> None:
    with a_wiki("data_center", version=(8, 5)) as (wiki, server):
        page = wiki.add_page("DOCS", "Page")
        listing = await listed(server)
        said = await listed(server, space_audience=["user:ann@example.com"])

    assert audience(listing, page) == NOBODY
    assert any("from version 9.1 on" in note for note in listing.notes)
    assert readers(said, page) == {"ann"}


async def test_a_closed_account_stays_closed_wherever_it_is_named() -> None:
    closed = WireUser.model_validate({"username": "dan", "userKey": "k1", "status": "deactivated"})
    named = WireUser.model_validate({"username": "dan", "userKey": "k1"})
    table = {"name": "wiki", "url": "http://wiki.example", "deployment": "data_center", "spaces": ["DOCS"]}
    settings = ConfluenceSettings.model_validate({**table, "user_emails": "{username}@example.com"})
    people = People(cast(Site, MembersOnly([closed.account])), settings, Notes())

    await people.meet([Subjects(users=(named.account,)), Subjects(groups=(Group("staff", "staff"),))], [])

    assert people.members == {"group:wiki/staff": []}
    assert people.audience(Subjects(users=(named.account,))) == NOBODY


class MembersOnly:
    """A site that knows the members of its groups and nothing else."""

    def __init__(self, members: list[Account]) -> None:
        self._members = members

    async def members(self, group: Group) -> list[Account]:
        return self._members

    async def accounts(self, ids: Iterable[str]) -> list[Account]:
        return []
