"""Wikis that the Confluence source reads."""

from collections.abc import Iterator

import pytest

from tests.unit.knowledge.sources.confluence_sites import Served, a_wiki
from tests.wire.confluence.site import Kind


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
