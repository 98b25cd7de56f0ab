"""Wikis and repositories that sources read."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.knowledge.sources.confluence_sites import Served, a_wiki
from tests.wire.confluence.site import Kind
from tests.wire.git import make_remote
from tests.wire.git_server import GitServer


@pytest.fixture(params=["cloud", "data_center"])
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    """Both kinds of site."""
    kind: Kind = request.param
    with a_wiki(kind) as both:
        yield both


@pytest.fixture
def cloud() -> Iterator[Served]:
    with a_wiki() as both:
        yield both


@pytest.fixture
def data_center() -> Iterator[Served]:
    with a_wiki("data_center") as both:
        yield both


@pytest.fixture
def git_server(tmp_path: Path) -> Iterator[GitServer]:
    make_remote(tmp_path / "repositories/team/docs.git", {"a.md": "Text.", "b.md": "Another text."})
    with GitServer(tmp_path / "repositories") as server:
        yield server
