"""The loopback Confluence, served as Cloud: permissions, people, files, comments and rendered pages."""

from typing import Any

import httpx
import pytest

from tests.wire.confluence import Canary, ConfluenceServer, Wiki

EXCERPT = (
    '<ac:structured-macro ac:name="excerpt"><ac:rich-text-body><p>Thirty days.</p></ac:rich-text-body>'
    "</ac:structured-macro><p>More.</p>"
)
INCLUDE = (
    '<ac:structured-macro ac:name="{}"><ac:parameter ac:name=""><ac:link><ri:page ri:content-title="Leave"/></ac:link>'
    "</ac:parameter></ac:structured-macro>"
)


@pytest.fixture
def wiki() -> Wiki:
    """A wiki with one space."""
    wiki = Wiki()
    wiki.add_user("u-anna", email="anna@example.com")
    wiki.add_user("u-hidden")
    wiki.add_group("g-staff", "staff", ["u-anna", "u-hidden", "u-author"])
    wiki.add_space("DOCS", users=["u-anna"], groups=["g-staff"])
    return wiki


def readers(client: httpx.Client) -> list[Any]:
    """Return the entries for reading the space."""
    entries = client.get("/rest/api/space/DOCS?expand=permissions").json()["permissions"]
    return [entry for entry in entries if entry["operation"] == {"operation": "read", "targetType": "space"}]


def found(client: httpx.Client, kind: str, expand: str) -> list[Any]:
    """Search the space for one type."""
    query = {"cql": f'space="DOCS" and type={kind}', "expand": expand}
    results: list[Any] = client.get("/rest/api/content/search", params=query).json()["results"]
    return results


def test_permissions_come_only_when_expanded(client: httpx.Client) -> None:
    assert "permissions" not in client.get("/rest/api/space/DOCS").json()
    assert [entry.get("subjects", {}).keys() for entry in readers(client)] == [{"user"}, {"group"}]


def test_only_the_reading_entry_tells_whether_anyone_may_view(client: httpx.Client, wiki: Wiki) -> None:
    entries = client.get("/rest/api/space/DOCS?expand=permissions").json()["permissions"]
    wiki.set_viewers("DOCS", anonymous=True)

    assert [entry["anonymousAccess"] for entry in entries] == [False, False, True]
    assert [(entry["anonymousAccess"], "subjects" in entry) for entry in readers(client)] == [(True, False)]


def test_hidden_permissions_look_like_none(client: httpx.Client, wiki: Wiki) -> None:
    wiki.hide_permissions("DOCS")

    assert client.get("/rest/api/space/DOCS?expand=permissions").json()["permissions"] == []


def test_members_are_paged_and_hide_their_e_mail(client: httpx.Client) -> None:
    first = client.get("/rest/api/group/g-staff/membersByGroupId?limit=2").json()
    second = client.get(first["_links"]["base"] + first["_links"]["next"]).json()

    assert [user["email"] for user in first["results"]] == ["anna@example.com", ""]
    assert [user["accountId"] for user in second["results"]] == ["u-author"]
    assert client.get("/rest/api/group/staff/membersByGroupId").status_code == 404


def test_the_bulk_lookup_tells_closed_accounts_and_leaves_unknown_ones_out(client: httpx.Client, wiki: Wiki) -> None:
    wiki.deactivate("u-anna")

    answer = client.post("/api/v2/users-bulk", json={"accountIds": ["u-anna", "u-nobody"]}).json()

    assert [(user["accountId"], user["accountStatus"]) for user in answer["results"]] == [("u-anna", "inactive")]


@pytest.mark.parametrize(
    "body", [b"", b"[]", b'{"accountIds": []}', b'{"accountIds": "u-anna"}', b'{"ids": ["u-anna"]}']
)
def test_refuses_a_bulk_lookup_without_ids(client: httpx.Client, body: bytes) -> None:
    assert client.post("/api/v2/users-bulk", content=body).status_code == 400


def test_a_file_has_its_page_type_and_version(client: httpx.Client, wiki: Wiki) -> None:
    page = wiki.add_page("DOCS", "Page")
    wiki.attach(page, "plan b.txt", b"old", "text/plain")
    file = wiki.attach(page, "plan b.txt", b"newer", "text/plain")

    (written,) = found(client, "attachment", "version,container,extensions,metadata")

    assert (written["id"], written["title"], written["version"]["number"]) == (file, "plan b.txt", 2)
    assert (written["container"]["id"], written["extensions"]["fileSize"]) == (page, 5)
    assert "container" not in found(client, "attachment", "")[0]


def test_a_download_goes_to_another_host_that_wants_no_credentials(
    client: httpx.Client, server: ConfluenceServer, wiki: Wiki
) -> None:
    wiki.attach(wiki.add_page("DOCS", "Page"), "plan b.txt", b"text", "text/plain")
    (written,) = found(client, "attachment", "version")

    redirect = client.get(server.url + written["_links"]["download"])
    location = redirect.headers["location"]

    assert redirect.status_code == 302
    assert httpx.get(location).content == b"text"
    assert httpx.get(location, headers=server.headers).status_code == 400
    assert httpx.get(location.replace("signed", "forged")).status_code == 404
    assert len(server.media_requests) == 3


@pytest.mark.parametrize("path", ["{}/none.txt", "{}/a.txt?version=2", "{}/a.txt?version=x", "1/a.txt"])
def test_refuses_to_download_what_is_not_there(client: httpx.Client, wiki: Wiki, path: str) -> None:
    page = wiki.add_page("DOCS", "Page")
    wiki.attach(page, "a.txt", b"a")

    assert client.get(f"/download/attachments/{path.format(page)}").status_code == 404


def test_a_download_can_be_sent_to_a_canary_that_counts(
    client: httpx.Client, server: ConfluenceServer, wiki: Wiki
) -> None:
    page = wiki.add_page("DOCS", "Page")
    wiki.attach(page, "a.txt", b"a")
    with Canary() as canary:
        server.behaviour.download_location = f"{canary.url}/secret"
        location = client.get(f"/download/attachments/{page}/a.txt").headers["location"]
        with pytest.raises(httpx.HTTPError):
            httpx.get(location)

    assert canary.connections == 1


def test_a_comment_tells_where_it_stands(client: httpx.Client, wiki: Wiki) -> None:
    page = wiki.add_page("DOCS", "Page")
    comment = wiki.comment(page, "<p>Why?</p>", place="inline", resolved=True)

    (written,) = found(client, "comment", "container,body.storage,extensions")

    assert (written["id"], written["container"]["id"]) == (comment, page)
    assert written["body"]["storage"]["value"] == "<p>Why?</p>"
    assert written["extensions"]["location"] == "inline"


@pytest.mark.parametrize(
    ("macro", "shown", "hidden"), [("include", "More.", "ac:"), ("excerpt-include", "Thirty days.", "More.")]
)
def test_the_view_shows_what_a_page_includes(
    client: httpx.Client, wiki: Wiki, macro: str, shown: str, hidden: str
) -> None:
    wiki.add_page("DOCS", "Leave", EXCERPT)
    page = wiki.add_page("DOCS", "Handbook", INCLUDE.format(macro))

    view = client.get(f"/api/v2/pages/{page}?body-format=view").json()["body"]["view"]["value"]

    assert shown in view
    assert hidden not in view


def test_the_view_shows_an_error_for_what_the_caller_may_not_see(client: httpx.Client, wiki: Wiki) -> None:
    wiki.deny(wiki.add_page("DOCS", "Leave", EXCERPT))
    page = wiki.add_page("DOCS", "Handbook", INCLUDE.format("include"))

    view = client.get(f"/api/v2/pages/{page}?body-format=view").json()["body"]["view"]["value"]

    assert "Unable to render" in view


def test_a_page_may_carry_its_own_view(client: httpx.Client, wiki: Wiki) -> None:
    page = wiki.add_page("DOCS", "Page", view="<p>Rendered.</p>")

    answer = client.get(f"/api/v2/pages/{page}?body-format=view").json()

    assert answer["body"]["view"]["value"] == "<p>Rendered.</p>"
