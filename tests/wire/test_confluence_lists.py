"""The loopback Confluence, served as Cloud: lists, cursors and searches."""

import time
from typing import Any

import httpx
import pytest

from tests.wire.confluence import ConfluenceServer, Wiki

SEARCH = "/rest/api/content/search"
SUBJECTS = "restrictions.read.restrictions.user,restrictions.read.restrictions.group"


def pages_path(wiki: Wiki, query: str = "status=current") -> str:
    """Return the address of the list of pages of the space."""
    return f"/api/v2/spaces/{wiki.spaces['DOCS'].id}/pages?{query}"


def walk(client: httpx.Client, server: ConfluenceServer, first: str) -> list[str]:
    """Follow a v2 list from its first address to the end and return the ids, in order."""
    ids, address = [], server.url + first
    while address:
        answer = client.get(address).json()
        ids += [item["id"] for item in answer["results"]]
        following = answer["_links"].get("next", "")
        address = following and server.site_url + following
    return ids


def search(client: httpx.Client, kind: str, expand: str = "version", limit: int = 25) -> Any:
    """Search the space for one type and return the first page."""
    query = {"cql": f'space="DOCS" and type={kind}', "expand": expand, "limit": str(limit)}
    return client.get(SEARCH, params=query).raise_for_status().json()


@pytest.mark.parametrize(
    "query",
    [
        "limit=251",
        "limit=0",
        "limit=ten",
        "cursor=made-up",
        "status=gone",
        "body-format=view",
        "bodyformat=storage",
    ],
)
def test_refuses_bad_parameters_of_a_v2_list(client: httpx.Client, wiki: Wiki, query: str) -> None:
    answer = client.get(pages_path(wiki, query))

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"] == "INVALID_REQUEST_PARAMETER"


def test_refuses_a_cursor_of_another_list(client: httpx.Client, wiki: Wiki) -> None:
    for title in ("A", "B"):
        wiki.add_page("DOCS", title)
    following = client.get(pages_path(wiki, "status=current&limit=1")).json()["_links"]["next"]
    cursor = httpx.URL(following).params["cursor"]

    assert client.get(pages_path(wiki, f"status=archived&cursor={cursor}")).status_code == 400


def test_next_is_a_path_from_the_root_and_comes_as_a_header_too(client: httpx.Client, wiki: Wiki) -> None:
    for title in ("A", "B"):
        wiki.add_page("DOCS", title)

    answer = client.get(pages_path(wiki, "status=current&limit=1"))

    following = answer.json()["_links"]["next"]
    assert following.startswith("/wiki/api/v2/spaces/")
    assert answer.links["next"]["url"] == following


def test_a_list_survives_changes_between_two_pages(client: httpx.Client, wiki: Wiki) -> None:
    first, second, third = (wiki.add_page("DOCS", title) for title in ("A", "B", "C"))
    answer = client.get(pages_path(wiki, "status=current&limit=2")).json()
    wiki.purge(first)

    rest = client.get(f"{client.base_url.join(answer['_links']['next'])}").json()

    assert [page["id"] for page in answer["results"] + rest["results"]] == [first, second, third]


def test_lists_two_thousand_pages_within_a_second(client: httpx.Client, server: ConfluenceServer, wiki: Wiki) -> None:
    ids = [wiki.add_page("DOCS", f"Page {number}") for number in range(2000)]
    started = time.monotonic()

    assert walk(client, server, pages_path(wiki, "status=current&limit=250")) == ids
    assert time.monotonic() - started < 1.0
    assert server.count(r"/spaces/\d+/pages") == 8


@pytest.mark.parametrize(
    "cql",
    [
        "",
        "type=page",
        'space="DOCS" and type=blogpost',
        'space=DOCS and type=page or space="HR"',
        'space="DOCS" and type=page and lastmodified > "2026-01-01"',
        'space="NONE" and type=page',
        'space="DO\\"CS" and type=page',
    ],
)
def test_refuses_searches_it_does_not_know(client: httpx.Client, cql: str) -> None:
    answer = client.get(SEARCH, params={"cql": cql})

    assert answer.status_code == 400
    assert answer.json()["data"]["successful"] is False


def test_a_search_lowers_the_limit_by_what_is_expanded(client: httpx.Client, wiki: Wiki) -> None:
    for number in range(60):
        wiki.add_page("DOCS", f"Page {number}")

    answers = [search(client, "page", expand, limit=500) for expand in ("", "version", SUBJECTS, "body.storage")]

    assert [(answer["limit"], answer["size"]) for answer in answers] == [(500, 60), (200, 60), (50, 50), (50, 50)]


def test_next_of_a_search_is_relative_to_the_base(client: httpx.Client, wiki: Wiki) -> None:
    pages = [wiki.add_page("DOCS", title) for title in ("A", "B")]

    links = search(client, "page", limit=1)["_links"]
    second = client.get(links["base"] + links["next"]).json()

    assert links["next"].startswith("/rest/api/content/search?")
    assert second["results"][0]["id"] == pages[1]
    assert "next" not in second["_links"]


def test_a_search_refuses_a_made_up_cursor(client: httpx.Client) -> None:
    cql = 'space="DOCS" and type=page order by created desc'

    assert client.get(SEARCH, params={"cql": cql, "cursor": "made-up"}).status_code == 400


def test_a_search_leaves_out_what_the_index_misses(client: httpx.Client, server: ConfluenceServer, wiki: Wiki) -> None:
    page = wiki.add_page("DOCS", "Page")
    wiki.search_index_misses.add(page)

    assert search(client, "page")["results"] == []
    assert walk(client, server, f"/api/v2/pages?id={page}&status=current") == [page]
