"""The loopback Confluence, served as Cloud: it refuses what the real one refuses and changes as that does."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.wire.confluence import ConfluenceServer, Wiki, fixture_wiki, serve

SEARCH = "/rest/api/content/search"
SUBJECTS = "restrictions.read.restrictions.user,restrictions.read.restrictions.group"


def pages_path(wiki: Wiki, query: str = "status=current") -> str:
    """Return the address of the list of pages of the space."""
    return f"/api/v2/spaces/{wiki.spaces['DOCS'].id}/pages?{query}"


def search(client: httpx.Client, kind: str, expand: str = "version", limit: int = 25) -> Any:
    """Search the space for one type and return the first page."""
    query = {"cql": f'space="DOCS" and type={kind}', "expand": expand, "limit": str(limit)}
    return client.get(SEARCH, params=query).raise_for_status().json()


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer token-of-the-bot"}, {"Authorization": "Basic YTpi"}])
def test_lets_nobody_in_without_e_mail_and_token(server: ConfluenceServer, headers: dict[str, str]) -> None:
    answer = httpx.get(f"{server.url}/api/v2/spaces", headers=headers)

    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v2/nothing", 404),
        ("GET", "/rest/api/content/1/version", 404),
        ("GET", "/", 404),
        ("DELETE", "/api/v2/spaces", 405),
        ("GET", "/api/v2/users-bulk", 405),
        ("HEAD", "/api/v2/spaces", 405),
    ],
)
def test_refuses_unknown_calls_with_an_error_body(client: httpx.Client, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)

    assert answer.status_code == status
    assert method == "HEAD" or answer.json().keys() <= {"errors", "statusCode", "data", "message"}


def test_answers_nothing_outside_its_context_path(server: ConfluenceServer) -> None:
    answer = httpx.get(f"{server.site_url}/api/v2/spaces", headers=server.headers)

    assert answer.status_code == 404


@pytest.mark.parametrize("path", ["/api/v2/pages/first", "/api/v2/pages?id=1,x", "/api/v2/spaces/DOCS/pages"])
def test_refuses_ids_that_are_no_numbers(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 400


def test_refuses_more_than_250_ids(client: httpx.Client) -> None:
    ids = ",".join(str(number) for number in range(251))

    assert client.get(f"/api/v2/pages?id={ids}").status_code == 400


def test_a_list_shows_current_and_archived_pages_unless_told(client: httpx.Client, wiki: Wiki) -> None:
    current, archived, trashed, draft = (wiki.add_page("DOCS", title) for title in ("A", "B", "C", "D"))
    wiki.archive(archived)
    wiki.trash(trashed)
    wiki.set_status(draft, "draft")

    shown = client.get(pages_path(wiki, "limit=250")).json()["results"]

    assert [page["id"] for page in shown] == [current, archived]
    assert client.get(f"/api/v2/pages/{trashed}").json()["status"] == "trashed"
    assert client.get(f"/api/v2/pages/{draft}").status_code == 404


def test_a_denied_page_and_all_below_it_are_gone_everywhere(client: httpx.Client, wiki: Wiki) -> None:
    parent = wiki.add_page("DOCS", "Parent")
    child = wiki.add_page("DOCS", "Child", parent=parent)
    wiki.attach(child, "a.txt", b"a", "text/plain")
    wiki.deny(parent)

    assert client.get(pages_path(wiki)).json()["results"] == []
    assert search(client, "page")["results"] == search(client, "attachment")["results"] == []
    for path in (f"/api/v2/pages/{child}", f"/rest/api/content/{child}/restriction/byOperation/read"):
        assert client.get(path).status_code == 404
    assert client.get(f"/download/attachments/{child}/a.txt").status_code == 404


def test_a_denied_space_is_gone(client: httpx.Client, wiki: Wiki) -> None:
    space = wiki.spaces["DOCS"].id
    wiki.deny_space("DOCS")

    assert client.get("/api/v2/spaces?keys=DOCS").json()["results"] == []
    assert client.get(f"/api/v2/spaces/{space}/pages").status_code == 404
    assert client.get("/rest/api/space/DOCS?expand=permissions").status_code == 404


def test_a_move_and_a_restriction_leave_the_version_alone(client: httpx.Client, wiki: Wiki) -> None:
    folder = wiki.add_folder("DOCS", "Folder")
    page = wiki.add_page("DOCS", "Page")
    wiki.move(page, parent=folder)
    wiki.restrict(page, users=["u-anna"])
    wiki.rename(page, "Renamed", new_version=False)

    answer = client.get(f"/api/v2/pages/{page}?body-format=storage").json()

    assert (answer["version"]["number"], answer["title"]) == (1, "Renamed")
    assert (answer["parentId"], answer["parentType"]) == (folder, "folder")
    assert client.get(f"/api/v2/folders/{folder}").json()["parentId"] is None


def test_a_page_moves_to_another_space_with_all_below_it(client: httpx.Client, wiki: Wiki) -> None:
    other = wiki.add_space("HR")
    parent = wiki.add_page("DOCS", "Parent")
    child = wiki.add_page("DOCS", "Child", parent=parent)

    wiki.move(parent, space=other)

    assert client.get(f"/api/v2/pages/{child}").json()["spaceId"] == wiki.spaces[other].id


def test_a_trashed_page_comes_back_and_a_purged_one_does_not(client: httpx.Client, wiki: Wiki) -> None:
    page = wiki.add_page("DOCS", "Page")
    wiki.trash(page)
    wiki.restore(page)
    restored = client.get(f"/api/v2/pages/{page}").json()["status"]
    wiki.purge(page)

    assert restored == "current"
    assert client.get(f"/api/v2/pages/{page}").status_code == 404


def test_restrictions_are_the_direct_ones_and_expanded_only_when_asked(client: httpx.Client, wiki: Wiki) -> None:
    parent = wiki.add_page("DOCS", "Parent")
    child = wiki.add_page("DOCS", "Child", parent=parent)
    wiki.restrict(parent, users=["u-anna"], groups=["g-staff"])

    plain = search(client, "page")["results"][0]
    expanded = {page["id"]: page["restrictions"]["read"] for page in search(client, "page", SUBJECTS)["results"]}

    assert "restrictions" not in plain
    assert expanded[parent]["restrictions"]["user"]["results"][0]["accountId"] == "u-anna"
    assert expanded[parent]["restrictions"]["group"]["results"][0]["id"] == "g-staff"
    assert expanded[child]["restrictions"]["user"]["size"] == 0


def test_many_restricted_users_are_cut_off_in_a_list_and_paged_alone(
    client: httpx.Client, server: ConfluenceServer, wiki: Wiki
) -> None:
    page = wiki.add_page("DOCS", "Page")
    wiki.restrict(page, users=[f"u-{number}" for number in range(5)])
    server.behaviour.embedded_subjects = 3
    path = f"/rest/api/content/{page}/restriction/byOperation/read"

    embedded = search(client, "page", SUBJECTS)["results"][0]["restrictions"]["read"]["restrictions"]["user"]
    expand = "expand=restrictions.user,restrictions.group"
    second = client.get(f"{path}?{expand}&start=3&limit=200").json()["restrictions"]["user"]

    assert embedded["size"] == 3
    assert second["limit"] == 200
    assert [user["accountId"] for user in second["results"]] == ["u-3", "u-4"]


def test_serves_the_bodies_of_fixtures_as_they_are(tmp_path: Path) -> None:
    body = "<p>Größe&nbsp;<ac:emoticon ac:name='tick' /></p>"
    (tmp_path / "one.storage.xml").write_text(body, encoding="utf-8")
    wiki = fixture_wiki(tmp_path)

    with serve(wiki) as server, httpx.Client(base_url=server.url, headers=server.headers) as client:
        answer = client.get(f"/api/v2/pages/{next(iter(wiki.pages))}?body-format=storage").json()

    assert (answer["title"], answer["body"]["storage"]["value"]) == ("one", body)
