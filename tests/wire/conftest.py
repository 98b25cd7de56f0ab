"""A small wiki, served, and a client that is let in."""

from collections.abc import Iterator

import httpx
import pytest

from tests.wire.confluence import ConfluenceServer, Wiki, serve


@pytest.fixture
def wiki() -> Wiki:
    """A wiki with one space that one group may view."""
    wiki = Wiki()
    wiki.add_user("u-anna", name="Anna", email="anna@example.com")
    wiki.add_group("g-staff", "staff", ["u-anna", "u-author"])
    wiki.add_space("DOCS", groups=["g-staff"])
    return wiki


@pytest.fixture
def server(wiki: Wiki) -> Iterator[ConfluenceServer]:
    """That wiki, served."""
    with serve(wiki) as server:
        yield server


@pytest.fixture
def client(server: ConfluenceServer) -> Iterator[httpx.Client]:
    """A client that is let in, at the base address."""
    with httpx.Client(base_url=server.url, headers=server.headers) as client:
        yield client
