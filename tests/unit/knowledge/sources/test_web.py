"""The HTTP client of sources, against real sockets."""

import asyncio
import gzip
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime

import pytest

from knowledge.errors import RateLimited, SourceProblem, SourceUnavailable
from knowledge.sources.patience import Patience, ServerError, retry_after_s
from knowledge.sources.web import Credentials, Redirected, Refused, TooLarge, Web, WebOptions
from tests.unit.knowledge.sources.confluence_sites import QUICK
from tests.wire.confluence import Canary, ConfluenceServer, Fault, Wiki, serve

SPACES = "/api/v2/spaces"


@pytest.fixture
def server() -> Iterator[ConfluenceServer]:
    wiki = Wiki()
    wiki.add_space("DOCS")
    wiki.attach(wiki.add_page("DOCS", "Page", page_id="7"), "notes.txt", b"Text of the file.")
    with serve(wiki) as running:
        yield running


FILE = "/download/attachments/7/notes.txt"


@asynccontextmanager
async def web_of(
    server: ConfluenceServer,
    *,
    patience: Patience = QUICK,
    allow_private: bool = True,
    timeout_s: float = 2.0,
    calls_at_once: int = 4,
) -> AsyncIterator[Web]:
    credentials = Credentials(server.headers["Authorization"], (server.token,))
    options = WebOptions(
        allow_private=allow_private, timeout_s=timeout_s, calls_at_once=calls_at_once, patience=patience
    )
    async with aclosing(Web(server.url, credentials, options)) as web:
        yield web


async def test_passing_errors_of_the_server_are_tried_again(server: ConfluenceServer) -> None:
    server.inject("spaces", Fault.server_error(), times=2)

    async with web_of(server) as web:
        answer = await web.json(SPACES)

    assert isinstance(answer, dict)
    assert server.count("spaces") == 3


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (Fault.server_error(), "answered 500"),
        (Fault.broken_json(), "JSON that cannot be read"),
        (Fault(status=200, body=b"[" * 100_000), "JSON that cannot be read"),
        (Fault.cut(), "RemoteProtocolError"),
        (Fault.cut(20), "RemoteProtocolError"),
        (Fault(status=200, headers={"Content-Encoding": "gzip"}, body=gzip.compress(b"{}")[:-4]), "ends early"),
        (Fault(status=200, headers={"Content-Encoding": "gzip"}, body=b"no gzip"), "incorrect header"),
    ],
)
async def test_what_never_passes_is_given_up(server: ConfluenceServer, fault: Fault, says: str) -> None:
    server.inject("spaces", fault, times=None)

    async with web_of(server) as web:
        with pytest.raises(SourceUnavailable, match=says):
            await web.json(SPACES)

    assert server.count("spaces") == QUICK.attempts


async def test_a_host_that_is_not_there_is_unavailable(server: ConfluenceServer) -> None:
    web = Web("http://127.0.0.1:1/wiki", Credentials(), WebOptions(allow_private=True, patience=QUICK))

    async with aclosing(web):
        with pytest.raises(SourceUnavailable, match=r"127\.0\.0\.1/wiki/x: ConnectError"):
            await web.json("/x")


async def test_silence_ends_at_the_time_limit(server: ConfluenceServer) -> None:
    server.inject("spaces", Fault.slow(0.5), times=None)

    async with web_of(server, timeout_s=0.05) as web:
        with pytest.raises(SourceUnavailable, match="ReadTimeout"):
            await web.json(SPACES)


async def test_retry_after_is_honoured_by_all_calls_to_the_host(server: ConfluenceServer) -> None:
    server.inject("spaces", Fault.rate_limited(retry_after_s=1))

    async with web_of(server, calls_at_once=1) as web:
        await asyncio.gather(web.json(SPACES), web.json("/api/v2/pages"))

    refused, other, again = server.requests
    assert [request.path for request in (refused, other, again)] == [
        "/wiki" + SPACES,
        "/wiki/api/v2/pages",
        "/wiki" + SPACES,
    ]
    assert other.at_s - refused.at_s >= 0.95


async def test_a_busy_host_that_names_no_time_is_asked_again(server: ConfluenceServer) -> None:
    server.inject("spaces", Fault.rate_limited(retry_after_s=None), times=2)

    async with web_of(server) as web:
        await web.json(SPACES)

    assert server.count("spaces") == 3


async def test_a_host_that_asks_for_more_than_our_patience_is_left_alone(server: ConfluenceServer) -> None:
    server.inject("spaces", Fault.unavailable(retry_after_s=600))

    async with web_of(server) as web:
        with pytest.raises(RateLimited) as caught:
            await web.json(SPACES)

    assert caught.value.retry_after_s == 600
    assert server.count("spaces") == 1


async def test_a_host_that_asks_for_a_year_is_asked_again_within_the_hour(server: ConfluenceServer) -> None:
    server.inject("spaces", Fault.unavailable(retry_after_s=31_536_000))

    async with web_of(server) as web:
        for _ in range(2):
            with pytest.raises(RateLimited) as caught:
                await asyncio.wait_for(web.json(SPACES), timeout=5)

    assert caught.value.retry_after_s <= 3_600
    assert server.count("spaces") == 1


async def test_the_whole_time_of_a_call_is_bounded(server: ConfluenceServer) -> None:
    server.inject("spaces", Fault.server_error(), times=None)
    started = time.monotonic()

    async with web_of(server, patience=Patience(attempts=1_000, first_wait_s=0.2, total_s=0.3)) as web:
        with pytest.raises(ServerError):
            await web.json(SPACES)

    assert time.monotonic() - started < 1.0


async def test_few_calls_are_made_at_once(server: ConfluenceServer) -> None:
    server.inject("spaces", Fault.slow(0.1), times=None)
    started = time.monotonic()

    async with web_of(server, calls_at_once=2) as web:
        await asyncio.gather(*(web.json(SPACES) for _ in range(6)))

    assert time.monotonic() - started >= 0.3


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        ("Wed, 07 Jan 2026 12:00:30 GMT", 30.0),
        ("Wed, 07 Jan 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str | None, seconds: float | None) -> None:
    assert retry_after_s(value, now=datetime(2026, 1, 7, 12, tzinfo=UTC)) == seconds


async def test_a_refusal_is_not_repeated_and_has_its_status(server: ConfluenceServer) -> None:
    async with web_of(server) as web:
        with pytest.raises(Refused, match="/rest/api/space/NONE answered 404") as caught:
            await web.json("/rest/api/space/NONE", {"expand": "secret-of-the-query"})

    assert caught.value.status == 404
    assert "secret-of-the-query" not in str(caught.value)
    assert len(server.requests) == 1


async def test_a_web_page_in_the_place_of_data_is_explained(server: ConfluenceServer) -> None:
    server.inject("spaces", Fault.html())

    async with web_of(server) as web:
        with pytest.raises(SourceProblem, match="a web page instead of data"):
            await web.json(SPACES)


async def test_s35_credentials_are_masked_whoever_repeats_them(server: ConfluenceServer) -> None:
    echoed = f'{{"message": "no {server.token}, no {server.headers["Authorization"]}"}}'.encode()
    server.inject("spaces", Fault(status=403, headers={"Content-Type": "application/json"}, body=echoed))

    async with web_of(server) as web:
        with pytest.raises(Refused) as caught:
            await web.json(SPACES)

    assert "(no ***, no ***)" in str(caught.value)


def test_s35_credentials_do_not_show_in_a_trace() -> None:
    assert "canary" not in repr(Credentials("Bearer canary", ("canary",)))


async def test_s37_a_private_site_is_not_called(server: ConfluenceServer) -> None:
    async with web_of(server, allow_private=False) as web:
        with pytest.raises(SourceProblem, match="allow_private = true"):
            await web.json(SPACES)

    assert server.requests == []


async def test_s37_data_is_never_fetched_from_elsewhere(server: ConfluenceServer) -> None:
    with Canary() as canary:
        server.inject("spaces", Fault.redirect(canary.url))
        async with web_of(server) as web:
            with pytest.raises(Redirected, match="which was not followed"):
                await web.json(SPACES)

    assert canary.connections == 0


async def test_a_download_follows_without_our_credentials(server: ConfluenceServer) -> None:
    async with web_of(server) as web:
        content = await web.download(FILE, limit=100)

    assert content == b"Text of the file."
    assert "authorization" not in server.media_requests[0].headers


@pytest.mark.parametrize("host", ["localhost", "127.0.0.2", "[::ffff:127.0.0.1]", "0.0.0.0", "169.254.169.254"])
async def test_s37_a_redirect_to_another_private_machine_is_refused(server: ConfluenceServer, host: str) -> None:
    with Canary() as canary:
        port = canary.url.rpartition(":")[2]
        server.behaviour.download_location = f"http://{host}:{port}/x"
        async with web_of(server) as web:
            with pytest.raises(SourceProblem, match="not on the public internet"):
                await web.download(FILE, limit=100)

    assert canary.connections == 0


async def test_s37_every_hop_is_checked(server: ConfluenceServer) -> None:
    with Canary() as canary:
        port = canary.url.rpartition(":")[2]
        server.inject("attachments", Fault.redirect("/wiki/second/hop"))
        server.inject("second/hop", Fault.redirect(f"http://localhost:{port}/"))
        async with web_of(server) as web:
            with pytest.raises(SourceProblem, match="not on the public internet"):
                await web.download(FILE, limit=100)

    assert server.count("second/hop") == 1
    assert canary.connections == 0


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://example.com/", "gopher://127.0.0.1/", "//", ""])
async def test_s37_other_schemes_are_refused(server: ConfluenceServer, location: str) -> None:
    server.inject("attachments", Fault.redirect(location), times=None)

    async with web_of(server) as web:
        with pytest.raises(Redirected):
            await web.download(FILE, limit=100)


async def test_redirects_in_a_circle_end(server: ConfluenceServer) -> None:
    server.inject("attachments", Fault.redirect(f"/wiki{FILE}"), times=None)

    async with web_of(server) as web:
        with pytest.raises(Redirected, match="more than 5 redirects"):
            await web.download(FILE, limit=100)


async def test_a_declared_length_over_the_limit_is_refused_unread(server: ConfluenceServer) -> None:
    async with web_of(server) as web:
        with pytest.raises(TooLarge, match="over the limit"):
            await web.download(FILE, limit=10)


async def test_s43_unpacking_stops_at_the_limit(server: ConfluenceServer) -> None:
    bomb = gzip.compress(bytes(50 * 1024 * 1024))
    server.inject("attachments", Fault(status=200, headers={"Content-Encoding": "gzip"}, body=bomb))

    async with web_of(server) as web:
        with pytest.raises(TooLarge, match="over the limit of 1 MB"):
            await web.download(FILE, limit=1024 * 1024)


async def test_a_packed_answer_is_unpacked(server: ConfluenceServer) -> None:
    server.inject("spaces", Fault(status=200, headers={"Content-Encoding": "gzip"}, body=gzip.compress(b'{"a": 1}')))

    async with web_of(server) as web:
        assert await web.json(SPACES) == {"a": 1}


async def test_an_encoding_that_was_not_asked_for_is_refused(server: ConfluenceServer) -> None:
    server.inject("spaces", Fault(status=200, headers={"Content-Encoding": "gzip, gzip"}, body=b""))

    async with web_of(server) as web:
        with pytest.raises(SourceProblem, match="'gzip, gzip'"):
            await web.json(SPACES)
