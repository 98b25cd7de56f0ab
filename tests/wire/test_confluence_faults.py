"""The loopback Confluence goes wrong when told, and only then."""

import time
from collections.abc import Iterator

import httpx
import pytest

from tests.wire.confluence import ConfluenceServer, Fault, Wiki, serve


@pytest.fixture
def server() -> Iterator[ConfluenceServer]:
    """A wiki with four pages, served."""
    wiki = Wiki()
    wiki.add_space("DOCS")
    for title in ("A", "B", "C", "D"):
        wiki.add_page("DOCS", title)
    with serve(wiki) as server:
        yield server


def listed(client: httpx.Client, server: ConfluenceServer, limit: int) -> list[str]:
    """Follow the list of all pages and return the titles."""
    titles, address = [], f"{server.url}/api/v2/pages?status=current&limit={limit}"
    while address:
        answer = client.get(address).json()
        titles += [page["title"] for page in answer["results"]]
        following = answer["_links"].get("next", "")
        address = following and server.site_url + following
    return titles


@pytest.mark.parametrize(
    ("fault", "status", "retry_after"),
    [
        (Fault.rate_limited(retry_after_s=1), 429, "1"),
        (Fault.rate_limited(retry_after_s=None), 429, None),
        (Fault.unavailable(retry_after_s=1), 503, "1"),
        (Fault.server_error(), 500, None),
        (Fault.html(502), 502, None),
    ],
)
def test_the_nth_call_to_a_path_gets_the_fault(
    client: httpx.Client, server: ConfluenceServer, fault: Fault, status: int, retry_after: str | None
) -> None:
    server.inject(r"GET /wiki/api/v2/pages\?", fault, nth=2)

    answers = [client.get("/api/v2/pages?limit=1") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, status, 200]
    assert answers[1].headers.get("retry-after") == retry_after
    assert server.pending_faults == 0


def test_a_fault_can_hold_for_one_page_size_only(client: httpx.Client, server: ConfluenceServer) -> None:
    server.inject(r"/pages\?.*limit=250", Fault.server_error(), times=None)

    statuses = [client.get(f"/api/v2/pages?limit={limit}").status_code for limit in (250, 250, 100)]

    assert statuses == [500, 500, 200]


def test_a_broken_answer_is_no_json(client: httpx.Client, server: ConfluenceServer) -> None:
    server.inject("/pages", Fault.broken_json())

    answer = client.get("/api/v2/pages")

    with pytest.raises(ValueError, match="Unterminated string"):
        answer.json()


@pytest.mark.parametrize("after_bytes", [0, 20])
def test_a_cut_connection_is_an_error_of_the_transport(
    client: httpx.Client, server: ConfluenceServer, after_bytes: int
) -> None:
    server.inject("/pages", Fault.cut(after_bytes))

    with pytest.raises(httpx.RemoteProtocolError):
        client.get("/api/v2/pages")
    assert client.get("/api/v2/pages").status_code == 200


def test_a_slow_answer_comes_late(client: httpx.Client, server: ConfluenceServer) -> None:
    server.inject("/pages", Fault.slow(0.2))
    started = time.monotonic()

    client.get("/api/v2/pages")

    assert time.monotonic() - started >= 0.2


def test_refuses_to_be_slower_than_tests_may_be() -> None:
    with pytest.raises(ValueError, match="longer than"):
        Fault.slow(2.1)


def test_any_call_can_be_redirected(client: httpx.Client, server: ConfluenceServer) -> None:
    server.inject("/spaces", Fault.redirect("http://127.0.0.1:9/"))

    assert client.get("/api/v2/spaces").headers["location"] == "http://127.0.0.1:9/"


def test_an_item_can_come_twice(client: httpx.Client, server: ConfluenceServer) -> None:
    server.behaviour.repeat_items = True

    assert listed(client, server, limit=2) == ["A", "B", "B", "C", "C", "D"]


def test_a_list_can_end_early(client: httpx.Client, server: ConfluenceServer) -> None:
    server.behaviour.listing_ends_after = 1

    assert listed(client, server, limit=2) == ["A", "B"]


def test_pages_of_a_list_can_be_shorter_than_the_limit(client: httpx.Client, server: ConfluenceServer) -> None:
    server.behaviour.largest_page = 1

    assert listed(client, server, limit=250) == ["A", "B", "C", "D"]
    assert server.count("cursor=") == 3


def test_records_every_call_with_what_was_sent(client: httpx.Client, server: ConfluenceServer) -> None:
    client.get("/api/v2/pages", params={"id": "1,2"}, headers={"X-Mark": "7"})
    client.post("/api/v2/nothing", content=b"body")

    first, second = server.requests
    assert (first.method, first.path, first.query["id"]) == ("GET", "/wiki/api/v2/pages", "1,2")
    assert (first.headers["x-mark"], second.body) == ("7", b"body")
    assert first.at_s <= second.at_s
    assert server.count(r"pages\?id=1,2$") == 1


def test_stops_at_once_even_while_a_client_waits(server: ConfluenceServer) -> None:
    with serve(server.wiki) as other, httpx.Client(headers=other.headers) as waiting:
        waiting.get(f"{other.url}/api/v2/pages")
        started = time.monotonic()

    assert time.monotonic() - started < 0.5
