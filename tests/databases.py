"""Databases for tests: a clone of one template each, on one embedded server."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo


def on_database(conninfo: str, name: str) -> str:
    """Return the same server's address with another database."""
    return make_conninfo(conninfo, dbname=name)


@contextmanager
def fresh_database(server: str, *, template: str = "template0") -> Iterator[str]:
    """Make a database of its own on a server, and drop it afterwards."""
    name = f"test_{secrets.token_hex(6)}"
    _run(server, sql.SQL("create database {} template {}").format(sql.Identifier(name), sql.Identifier(template)))
    yield on_database(server, name)
    _run(server, sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


def _run(server: str, statement: sql.Composed) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(statement)
