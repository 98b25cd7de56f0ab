"""What a Confluence source lists, and that it never takes a part for the whole."""

import pytest

from knowledge.errors import RateLimited, SourceProblem, SourceUnavailable
from tests.unit.knowledge.sources.confluence_sites import Served, a_wiki, audience, listed, paths, revisions
from tests.wire.confluence import Fault

LISTING = r"/spaces/\d+/pages"


async def test_lists_current_pages_files_and_comments(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")
    for status in ("archived", "trashed", "draft"):
        wiki.set_status(wiki.add_page("DOCS", status), status)
    file, comment = wiki.attach(page, "notes.MD", b"x"), wiki.comment(page, "<p>x</p>")
    wiki.attach(page, "picture.png", b"x")
    wiki.comment(page, "<p>done</p>", place="inline", resolved=True)

    assert paths(await listed(server)) == {page, file}
    assert paths(await listed(server, comments=True, attachments=False)) == {page, comment}


async def test_an_unchanged_site_is_listed_alike(served: Served) -> None:
    wiki, server = served
    wiki.attach(wiki.add_page("DOCS", "Page", labels=["a"]), "notes.md", b"x")
    before = await listed(server)

    assert await listed(server, revisions(before)) == before


async def test_whatever_is_stored_of_a_page_changes_its_revision(served: Served) -> None:
    wiki, server = served
    wiki.add_space("MORE", groups=["g-staff"])
    edited, renamed, moved, same = (wiki.add_page("DOCS", title) for title in ("a", "b", "c", "d"))
    before = revisions(await listed(server, spaces=["DOCS", "MORE"]))

    wiki.edit(edited, "<p>New.</p>")
    wiki.rename(renamed, "e", new_version=False)
    wiki.move(moved, space="MORE")
    wiki.label(same, "label")
    wiki.restrict(same, users=["ann"])
    after = revisions(await listed(server, before, spaces=["DOCS", "MORE"]))

    changed = {path for path in before if after[path] != before[path]}
    assert changed == ({edited, renamed, moved} if server.kind == "cloud" else {edited, renamed})


async def test_a_new_version_of_a_file_changes_its_revision(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")
    file = wiki.attach(page, "notes.md", b"x")
    before = revisions(await listed(server))
    wiki.attach(page, "notes.md", b"y")
    after = revisions(await listed(server, before))

    assert {path for path in after if after[path] != before[path]} == {file}


async def test_pages_that_leave_are_gone_and_come_back(served: Served) -> None:
    wiki, server = served
    wiki.add_space("AWAY", groups=["g-staff"])
    kept, trashed, archived, moved, purged, denied = (wiki.add_page("DOCS", title) for title in "abcdef")
    wiki.attach(trashed, "notes.md", b"x")
    stored = revisions(await listed(server))

    wiki.trash(trashed)
    wiki.archive(archived)
    wiki.move(moved, space="AWAY")
    wiki.purge(purged)
    wiki.deny(denied)
    assert paths(await listed(server, stored)) == {kept}

    wiki.restore(trashed)
    wiki.restore(archived)
    wiki.move(moved, space="DOCS")
    wiki.allow(denied)
    assert paths(await listed(server)) == stored.keys() - {purged}


async def test_comments_are_not_taken_for_pages(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")
    comment = wiki.comment(page, "<p>x</p>")
    stored = revisions(await listed(server, comments=True))

    assert paths(await listed(server, stored)) == {page}
    assert comment in stored


async def test_items_that_come_twice_are_listed_once(served: Served) -> None:
    wiki, server = served
    pages = {wiki.add_page("DOCS", f"Page {number}") for number in range(7)}
    server.behaviour.repeat_items, server.behaviour.largest_page = True, 3

    listing = await listed(server)

    assert sorted(entry.path for entry in listing.entries) == sorted(pages)


async def test_short_and_empty_pages_of_a_list_do_not_end_it(served: Served) -> None:
    wiki, server = served
    hidden = [wiki.add_page("DOCS", f"Hidden {number}") for number in range(5)]
    shown = {wiki.add_page("DOCS", f"Shown {number}") for number in range(5)}
    for page in hidden:
        wiki.deny(page)
    server.behaviour.largest_page = 2

    assert paths(await listed(server)) == shown


async def test_f33_a_cursor_that_ends_early_deletes_nothing(cloud: Served) -> None:
    wiki, server = cloud
    pages = [wiki.add_page("DOCS", f"Page {number}") for number in range(9)]
    gone = wiki.add_page("DOCS", "Gone")
    before = await listed(server)
    wiki.trash(gone)
    server.behaviour.largest_page, server.behaviour.listing_ends_after = 5, 1

    after = await listed(server, revisions(before))

    assert revisions(after) == {page: revisions(before)[page] for page in pages}
    assert [audience(after, page) for page in pages] == [audience(before, page) for page in pages]
    assert server.count(r"/pages\?id=") == 1


async def test_f33_pages_that_moved_between_two_pages_of_a_listing_are_asked_for(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")
    before = await listed(server)
    nothing = Fault(status=200, headers={"Content-Type": "application/json"}, body=b'{"results": []}')
    server.inject(rf"{LISTING}|/rest/api/content\?spaceKey", nothing)

    after = await listed(server, revisions(before))

    assert revisions(after) == revisions(before)
    assert audience(after, page) == audience(before, page)


async def test_f33_a_listing_that_breaks_in_the_middle_is_none(served: Served) -> None:
    wiki, server = served
    for number in range(7):
        wiki.add_page("DOCS", f"Page {number}")
    server.behaviour.largest_page = 2
    server.inject(r"GET \S+/content\?.*start=2|/spaces/\d+/pages.*cursor", Fault.server_error(), times=None)

    with pytest.raises(SourceUnavailable, match="answered 500"):
        await listed(server)


@pytest.mark.parametrize(
    "call", ["/restriction/", r"/pages\?id=", "cql=", r"expand=permissions", "membersByGroupId", "users-bulk"]
)
async def test_f33_a_fault_of_any_call_ends_the_listing(cloud: Served, call: str) -> None:
    wiki, server = cloud
    page = wiki.add_page("DOCS", "Page")
    wiki.search_index_misses.add(page)
    server.inject(call, Fault.server_error(), times=None)

    with pytest.raises(SourceUnavailable):
        await listed(server, {"999": "1"})


async def test_a_size_that_the_server_fails_at_is_lowered(cloud: Served) -> None:
    wiki, server = cloud
    page = wiki.add_page("DOCS", "Page")
    server.inject(LISTING + r".*limit=250", Fault.server_error(), times=None)

    assert paths(await listed(server)) == {page}
    assert server.count(LISTING + r".*limit=50") == 1


async def test_a_list_that_goes_on_elsewhere_is_not_followed(cloud: Served) -> None:
    _, server = cloud
    body = b'{"results": [], "_links": {"next": "https://evil.example/wiki/api/v2/pages?cursor=1"}}'
    server.inject(LISTING, Fault(status=200, headers={"Content-Type": "application/json"}, body=body))

    with pytest.raises(SourceProblem, match=r"goes on at 'evil\.example'"):
        await listed(server)


async def test_a_list_that_goes_in_circles_ends(cloud: Served) -> None:
    _, server = cloud
    body = b'{"results": [], "_links": {"next": "/wiki/api/v2/pages?cursor=1"}}'
    server.inject("/pages", Fault(status=200, headers={"Content-Type": "application/json"}, body=body), times=None)

    with pytest.raises(SourceProblem, match="round in circles"):
        await listed(server)


async def test_an_answer_of_another_shape_is_not_guessed_at(cloud: Served) -> None:
    _, server = cloud
    server.inject(LISTING, Fault(status=200, headers={"Content-Type": "application/json"}, body=b'{"results": [{}]}'))

    with pytest.raises(SourceProblem, match=r"not understood \(id: field required\)"):
        await listed(server)


async def test_a_busy_site_is_waited_for(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")
    server.inject("page", Fault.rate_limited(retry_after_s=0), times=2)

    assert paths(await listed(server)) == {page}


async def test_a_site_that_is_busy_for_long_ends_the_listing(served: Served) -> None:
    _, server = served
    server.inject("page", Fault.rate_limited(retry_after_s=60), times=None)

    with pytest.raises(RateLimited):
        await listed(server)


async def test_s36_refused_credentials_name_their_settings(served: Served) -> None:
    _, server = served
    names = "CONFLUENCE_EMAIL and CONFLUENCE_TOKEN" if server.kind == "cloud" else "renew CONFLUENCE_TOKEN"

    with pytest.raises(SourceProblem, match=names) as caught:
        await listed(server, token="canary")

    assert "canary" not in str(caught.value)
    assert len(server.requests) == 1


async def test_a_login_page_is_explained(served: Served) -> None:
    _, server = served
    server.inject("", Fault.html())

    with pytest.raises(SourceProblem, match=r"source 'wiki': .* a web page instead of data"):
        await listed(server)


async def test_a_space_that_is_not_there_is_named_and_the_others_are_listed(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")

    listing = await listed(server, spaces=["DOCS", "NONE"])

    assert "space 'NONE' is not there, or the token's account may not view it" in str(listing.problem)
    assert paths(listing) == {page}
    with pytest.raises(SourceProblem, match="space 'NONE' is not there"):
        await listed(server, spaces=["NONE"])


async def test_an_archived_space_lists_nothing_and_says_so(served: Served) -> None:
    wiki, server = served
    wiki.add_page("DOCS", "Page")
    wiki.set_space_status("DOCS", "archived")

    listing = await listed(server)

    assert paths(listing) == set()
    assert "archived" in listing.notes[0]
    assert "1 (DOCS)" in listing.notes[0]


async def test_labels_choose_and_leave_out(served: Served) -> None:
    wiki, server = served
    wanted = wiki.add_page("DOCS", "a", labels=["handbook"])
    wiki.add_page("DOCS", "b", labels=["handbook", "draft"])
    wiki.add_page("DOCS", "c")

    assert paths(await listed(server, labels=["Handbook"], exclude_labels=["draft"])) == {wanted}


async def test_labels_of_a_page_that_the_search_misses_are_read(cloud: Served) -> None:
    wiki, server = cloud
    wanted = wiki.add_page("DOCS", "a", labels=["handbook"])
    unwanted = wiki.add_page("DOCS", "b", labels=["draft"])
    wiki.search_index_misses.update({wanted, unwanted})

    assert paths(await listed(server, exclude_labels=["draft"])) == {wanted}


async def test_trees_choose_and_leave_out(served: Served) -> None:
    wiki, server = served
    root = wiki.add_page("DOCS", "Root")
    child = wiki.add_page("DOCS", "Child", parent=root)
    left_out = wiki.add_page("DOCS", "Left out", parent=root)
    wiki.attach(wiki.add_page("DOCS", "Below", parent=left_out), "notes.md", b"x")
    wiki.add_page("DOCS", "Other")

    listing = await listed(server, roots=[root, "999"], exclude=[left_out])

    assert paths(listing) == {root, child}
    assert any("`roots`" in note and "1 (999)" in note for note in listing.notes)


async def test_a_page_that_moves_into_a_tree_is_listed(served: Served) -> None:
    wiki, server = served
    root, other = wiki.add_page("DOCS", "Root"), wiki.add_page("DOCS", "Other")
    before = await listed(server, roots=[root])
    wiki.move(other, parent=root)

    assert paths(before) == {root}
    assert paths(await listed(server, roots=[root])) == {root, other}


async def test_requests_grow_with_pages_of_lists_and_not_with_documents(cloud: Served) -> None:
    wiki, server = cloud
    for number in range(2_000):
        wiki.add_page("DOCS", f"Page {number}")
    before = revisions(await listed(server))
    server.requests.clear()
    unchanged = revisions(await listed(server, before))
    requests = len(server.requests)
    wiki.edit(next(iter(before)), "<p>New.</p>")
    changed = revisions(await listed(server, before))

    assert unchanged == before
    # 8 lists of 250 pages, 40 searches of 50 with restrictions, and the space, its viewers, files, members and authors.
    assert requests == 8 + 40 + 5
    assert sum(changed[path] != before[path] for path in before) == 1


async def test_requests_of_data_center_grow_with_pages_of_lists() -> None:
    with a_wiki("data_center") as (wiki, server):
        for number in range(200):
            wiki.add_page("DOCS", f"Page {number}")
        await listed(server)

    # 4 lists of 50 pages with restrictions, and the space, its viewers, files and members.
    assert len(server.requests) == 4 + 4
