"""The database of the tests: one embedded server a session, one migrated template, one clone a test."""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from knowledge.store.embedded import acquire, remove_cluster
from knowledge.store.migrate import migrate
from knowledge.store.pool import Pool, open_pool
from tests.databases import fresh_database


@contextmanager
def new_home() -> Iterator[Path]:
    """Make a home with a path short enough for a socket; its database is removed with it."""
    home = Path(tempfile.mkdtemp(prefix="answerdesk-test-", dir="/tmp"))
    yield home
    remove_cluster(home)
    shutil.rmtree(home)


@pytest.fixture
def home() -> Iterator[Path]:
    """A home for this test alone."""
    with new_home() as home:
        yield home


@pytest.fixture(scope="session")
def embedded_home() -> Iterator[Path]:
    """A home whose embedded server runs during the whole session: no command has to start it."""
    with new_home() as home:
        lease = acquire(home)
        yield home
        lease.release()


@pytest.fixture(scope="session")
def database_server(embedded_home: Path) -> Iterator[str]:
    """The address of that server."""
    lease = acquire(embedded_home)
    yield lease.conninfo
    lease.release()


@pytest.fixture(scope="session")
def database_template(database_server: str) -> Iterator[str]:
    """The name of a migrated, empty database to make clones of."""
    with fresh_database(database_server) as conninfo:
        asyncio.run(migrate(conninfo))
        yield str(conninfo_to_dict(conninfo)["dbname"])


@pytest.fixture
def empty_database(database_server: str) -> Iterator[str]:
    """The address of a database without any table, for this test alone."""
    with fresh_database(database_server) as conninfo:
        yield conninfo


@pytest.fixture
def database_url(database_server: str, database_template: str) -> Iterator[str]:
    """The address (key=value form) of a migrated database without rows, for this test alone."""
    with fresh_database(database_server, template=database_template) as conninfo:
        yield conninfo


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """Connections to the database of this test."""
    async with open_pool(database_url) as opened:
        yield opened
