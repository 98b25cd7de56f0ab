"""Migrations run once, alone, and whole."""

import asyncio
from importlib import resources

import psycopg
import pytest
from procrastinate.schema import SchemaManager
from psycopg.conninfo import conninfo_to_dict

from knowledge.errors import DatabaseUnavailable, DatabaseUnfit
from knowledge.store.migrate import migrate, migration_names
from tests.databases import on_database


def run(conninfo: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


TABLES = "select table_name from information_schema.tables where table_schema = 'public' and table_name !~ 'yoyo'"


async def test_an_empty_database_gets_every_migration(empty_database: str) -> None:
    assert await migrate(empty_database) == migration_names()
    assert ("passage",) in run(empty_database, TABLES)


def test_the_queue_has_the_schema_that_its_library_expects() -> None:
    ours = resources.files("migrations").joinpath("0003.jobs.sql").read_text(encoding="utf-8")

    assert ours.endswith(SchemaManager.get_schema())


async def test_the_second_time_nothing_is_left_to_do(empty_database: str) -> None:
    await migrate(empty_database)
    before = run(empty_database, TABLES)

    assert await migrate(empty_database) == []
    assert run(empty_database, TABLES) == before


async def test_several_at_once_apply_each_migration_once(empty_database: str) -> None:
    done = await asyncio.gather(*(migrate(empty_database) for _ in range(4)))

    assert sorted(name for names in done for name in names) == migration_names()
    assert len(run(empty_database, "select * from _yoyo_migration")) == len(migration_names())


LOCK_OF_THE_DEAD = """
create table yoyo_lock (locked int default 1, ctime timestamp, pid int not null, primary key (locked));
insert into yoyo_lock (locked, ctime, pid) values (1, now(), 99999)
"""


async def test_a_lock_that_a_killed_process_left_does_not_stop_the_next(empty_database: str) -> None:
    run(empty_database, LOCK_OF_THE_DEAD)

    assert await migrate(empty_database) == migration_names()


async def test_a_migration_that_fails_is_rolled_back_whole_and_can_be_repeated(empty_database: str) -> None:
    run(empty_database, "create table passage (id int)")

    with pytest.raises(DatabaseUnfit, match=r"rolled back.*passage"):
        await migrate(empty_database)

    assert run(empty_database, TABLES) == [("passage",)]
    run(empty_database, "drop table passage")
    assert await migrate(empty_database) == migration_names()


RECORDED_BEFORE = """
insert into source (name, kind) values ('docs', 'folder');
insert into answer (question, language, text, relevance, threshold, answerer, fingerprint, reader)
values ('What?', 'en', 'Said. [1]', 0.65, 0.5, 'extractive', 'f', '{public}');
insert into citation (answer_id, marker, source, path, title, quote, start_line, end_line)
values (1, 1, 'docs', 'a.md', 'Title', 'Said.', 1, 1);
insert into ticket (question, language, reason, threshold, candidates, fingerprint)
values ('Why?', 'en', 'no_source', 0.5, '[]', 'f')
"""
KEPT = """
select answer.relevance, sentences, notes, answer.calls, is_cached, cache_key, marker, ticket.calls, generation
from answer join citation on answer_id = answer.id, ticket, source
"""


async def test_what_was_recorded_before_the_answers_had_sentences_is_kept(empty_database: str) -> None:
    for name in migration_names():
        if name.startswith("0004"):
            run(empty_database, RECORDED_BEFORE)
        run(empty_database, resources.files("migrations").joinpath(f"{name}.sql").read_text(encoding="utf-8"))

    assert run(empty_database, KEPT) == [(0.65, None, [], [], False, None, 1, [], 0)]


async def test_the_address_may_be_a_url(empty_database: str) -> None:
    parts = conninfo_to_dict(empty_database)
    host = str(parts["host"]).replace("/", "%2F")

    applied = await migrate(f"postgresql://{parts['user']}@{host}:{parts['port']}/{parts['dbname']}")

    assert applied == migration_names()


async def test_a_database_that_is_not_there_is_unavailable(database_server: str) -> None:
    with pytest.raises(DatabaseUnavailable, match="no such database"):
        await migrate(on_database(database_server, "no such database"))
