"""The loopback Confluence, served as Data Center."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.wire.confluence import ConfluenceServer, Wiki, serve

RESTRICTIONS = "restrictions.read.restrictions.user,restrictions.read.restrictions.group"


@pytest.fixture
def wiki() -> Wiki:
    """A wiki with one space."""
    wiki = Wiki()
    wiki.add_user("u-anna", name="Anna", email="anna@example.com", username="anna")
    wiki.add_group("g-staff", "staff", ["u-anna", "u-author"])
    wiki.add_space("DOCS", users=["u-anna"], groups=["g-staff"], anonymous=True)
    return wiki


@pytest.fixture
def server(wiki: Wiki) -> Iterator[ConfluenceServer]:
    """That wiki, served."""
    with serve(wiki, "data_center") as server:
        yield server


@pytest.fixture
def client(server: ConfluenceServer) -> Iterator[httpx.Client]:
    """A client that is let in, at the base address."""
    with httpx.Client(base_url=server.url, headers=server.headers) as client:
        yield client


def contents(client: httpx.Client, **query: str) -> Any:
    """Return one page of the list of pages."""
    return client.get("/rest/api/content", params={"spaceKey": "DOCS", "type": "page", **query}).json()


def test_takes_a_token_or_a_password(server: ConfluenceServer) -> None:
    address = f"{server.url}/rest/api/space/DOCS"
    password = httpx.BasicAuth(server.username, server.password)

    assert httpx.get(address, headers={"Authorization": f"Bearer {server.token}"}).status_code == 200
    assert httpx.get(address, auth=password).status_code == 200
    assert httpx.get(address, headers={"Authorization": "Bearer other"}).status_code == 401
    assert httpx.get(address).status_code == 401


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v2/spaces", 404),
        ("/rest/api/group/g-staff/membersByGroupId", 404),
        ("/rest/api/group/g-staff/member", 404),
        ("/rest/api/content?spaceKey=NONE", 404),
        ("/rest/api/content?spaceKey=DOCS&limit=x", 400),
        ("/rest/api/content?spaceKey=DOCS&start=-1", 400),
        ("/rest/api/content?spaceKey=DOCS&status=gone", 400),
        ("/rest/api/content?spaceKey=DOCS&cursor=1", 400),
        ("/rest/api/content/1", 404),
        ("/rest/api/user", 400),
        ("/rest/api/user?username=nobody", 404),
    ],
)
def test_refuses_what_it_does_not_know(client: httpx.Client, path: str, status: int) -> None:
    answer = client.get(path)

    assert answer.status_code == status
    assert answer.request.url.path.startswith("/confluence/")


def test_a_list_shows_ancestors_labels_and_restrictions(client: httpx.Client, wiki: Wiki) -> None:
    root = wiki.add_page("DOCS", "Root")
    child = wiki.add_page("DOCS", "Child", parent=root, labels=["howto"])
    wiki.add_page("DOCS", "Leaf", parent=child)
    wiki.restrict(child, users=["u-anna"], groups=["g-staff"])

    _, page, leaf = contents(client, expand=f"version,ancestors,space,metadata.labels,{RESTRICTIONS}")["results"]

    subjects = page["restrictions"]["read"]["restrictions"]
    assert [above["id"] for above in leaf["ancestors"]] == [root, child]
    assert [label["name"] for label in page["metadata"]["labels"]["results"]] == ["howto"]
    assert subjects["user"]["results"][0]["username"] == "anna"
    assert subjects["group"]["results"][0]["name"] == "staff"


def test_a_short_or_empty_page_is_not_the_end(client: httpx.Client, wiki: Wiki) -> None:
    for title in ("A", "B"):
        wiki.deny(wiki.add_page("DOCS", title))
    seen = wiki.add_page("DOCS", "C")

    first = contents(client, limit="2")
    second = client.get(first["_links"]["base"] + first["_links"]["next"]).json()

    assert (first["size"], first["results"]) == (0, [])
    assert [page["id"] for page in second["results"]] == [seen]
    assert "next" not in second["_links"]


def test_lists_current_pages_unless_told(client: httpx.Client, wiki: Wiki) -> None:
    current, trashed = wiki.add_page("DOCS", "A"), wiki.add_page("DOCS", "B")
    wiki.trash(trashed)

    assert [page["id"] for page in contents(client)["results"]] == [current]
    assert [page["id"] for page in contents(client, status="trashed")["results"]] == [trashed]
    assert client.get(f"/rest/api/content/{trashed}").status_code == 404


def test_a_page_has_a_body_only_when_expanded(client: httpx.Client, wiki: Wiki) -> None:
    page = wiki.add_page("DOCS", "Page", "<p>Old.</p>")
    wiki.edit(page, "<p>New.</p>")

    plain = client.get(f"/rest/api/content/{page}").json()
    expanded = client.get(f"/rest/api/content/{page}?expand=body.storage,version,history.lastUpdated").json()

    assert "body" not in plain
    assert expanded["body"]["storage"]["value"] == "<p>New.</p>"
    assert expanded["version"]["number"] == expanded["history"]["lastUpdated"]["number"] == 2


def test_people_come_without_e_mail(client: httpx.Client) -> None:
    members = client.get("/rest/api/group/staff/member").json()["results"]
    user = client.get("/rest/api/user", params={"key": members[0]["userKey"]}).json()

    assert members[0]["username"] == user["username"] == "anna"
    assert "email" not in members[0] | user


def test_restrictions_expand_groups_only_unless_told(client: httpx.Client, wiki: Wiki) -> None:
    page = wiki.add_page("DOCS", "Page")
    wiki.restrict(page, users=["u-anna"])
    path = f"/rest/api/content/{page}/restriction/byOperation/read"

    silent = client.get(path).json()["restrictions"]
    told = client.get(f"{path}?expand=restrictions.user,restrictions.group").json()["restrictions"]

    assert "user" not in silent
    assert told["user"]["results"][0]["userKey"] == "key-u-anna"


def test_grants_name_groups_keys_and_the_anonymous(client: httpx.Client) -> None:
    grants = client.get("/rest/api/space/DOCS/permissions").json()

    reading = [grant["subject"] for grant in grants if grant["operation"]["operationKey"] == "read"]
    assert [subject["type"] for subject in reading] == ["group", "user", "anonymous"]
    assert (reading[0]["name"], reading[1]["userKey"]) == ("staff", "key-u-anna")


def test_grants_do_not_exist_before_version_9_1(wiki: Wiki) -> None:
    with serve(wiki, "data_center", version=(8, 5)) as server:
        grants = httpx.get(f"{server.url}/rest/api/space/DOCS/permissions", headers=server.headers)
        space = httpx.get(f"{server.url}/rest/api/space/DOCS?expand=permissions", headers=server.headers)

    assert grants.status_code == 404
    assert "permissions" not in space.json()


def test_sends_the_bytes_of_a_file_itself(client: httpx.Client, wiki: Wiki) -> None:
    page = wiki.add_page("DOCS", "Page")
    wiki.attach(page, "a.txt", b"old", "text/plain")
    wiki.attach(page, "a.txt", b"new", "text/plain")

    answers = [client.get(f"/download/attachments/{page}/a.txt?version={version}") for version in (1, 2)]

    assert [answer.content for answer in answers] == [b"old", b"new"]
    assert answers[0].headers["content-type"] == "text/plain"
