"""Connections, and what is said when none can be had."""

import time
from collections.abc import Awaitable, Callable

import pytest
from psycopg.conninfo import make_conninfo

from knowledge.errors import DatabaseUnavailable, DatabaseUnfit
from knowledge.store.migrate import migrate
from knowledge.store.pool import HNSW_EF_SEARCH, Pool, check_server, connect, open_pool

QUICKLY_S = 5.0
SECRET = "canary"


@pytest.mark.parametrize(
    "conninfo",
    ["host=/nonexistent dbname=x", "postgresql://127.0.0.1:1/x", "postgresql://127.0.0.1:1/x?sslmode=disable"],
)
async def test_without_a_server_the_remedy_comes_quickly(conninfo: str) -> None:
    started = time.perf_counter()

    with pytest.raises(DatabaseUnavailable, match="check DATABASE_URL and that the server runs"):
        async with open_pool(conninfo):
            pytest.fail("there is no server")

    assert time.perf_counter() - started < QUICKLY_S


@pytest.mark.parametrize(
    "conninfo", [f"nonsense {SECRET}", f"postgres//u:{SECRET}@h/db", f"postgresql://u:{SECRET}%zz@h/db", "hsot=x"]
)
async def test_what_is_no_address_is_refused_without_repeating_it(conninfo: str) -> None:
    with pytest.raises(DatabaseUnfit, match="DATABASE_URL is not a PostgreSQL address") as raised:
        await connect(conninfo)

    assert SECRET not in str(raised.value)
    assert raised.value.__suppress_context__


@pytest.mark.parametrize("change", [{"dbname": "nowhere"}, {"user": "nobody-known"}, {"password": SECRET, "port": "1"}])
async def test_what_the_server_refuses_is_told_in_its_words(database_server: str, change: dict[str, str]) -> None:
    with pytest.raises(DatabaseUnavailable, match="the database does not answer") as raised:
        await connect(make_conninfo(database_server, **change))

    assert SECRET not in str(raised.value)


async def test_a_fit_server_tells_its_versions(database_server: str) -> None:
    assert (await check_server(database_server)).startswith("PostgreSQL 1")


async def test_every_connection_is_set_up(pool: Pool) -> None:
    async with pool.connection() as connection:
        settings = [
            (await (await connection.execute(f"show {name}".encode())).fetchone() or ("",))[0]
            for name in ("statement_timeout", "jit", "hnsw.ef_search", "hnsw.iterative_scan")
        ]

    assert settings == ["1min", "off", str(HNSW_EF_SEARCH), "relaxed_order"]


async def test_a_connection_that_died_is_replaced(pool: Pool, database_url: str) -> None:
    async with await connect(database_url) as other:
        await other.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'answerdesk'"
        )

    async with pool.connection() as connection:
        row = await (await connection.execute("select 1")).fetchone()

    assert row == (1,)


# The view that tells what could be installed, shadowed by one that knows nothing.
WITHOUT_EXTENSIONS = """
create schema bare;
create view bare.pg_available_extensions as select * from pg_catalog.pg_available_extensions where false;
"""


@pytest.mark.parametrize("use", [check_server, migrate])
async def test_a_server_without_pgvector_is_refused_with_the_remedy(
    empty_database: str, use: Callable[[str], Awaitable[object]]
) -> None:
    async with await connect(empty_database) as connection:
        await connection.execute(WITHOUT_EXTENSIONS)

    with pytest.raises(DatabaseUnfit, match="no pgvector; install it"):
        await use(make_conninfo(empty_database, options="-c search_path=bare,pg_catalog,public"))
