"""What holds for the embedded database when its users or its server die, or start and leave at once."""

import asyncio
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest

from knowledge.errors import DatabaseUnavailable, DatabaseUnfit
from knowledge.store.embedded import acquire, cluster_folder, embedded_server, remove_cluster

DEADLINE_S = 90.0
REPOSITORY = Path(__file__).parents[2]
# Another process that uses the database: it runs each line it reads and leaves at the end.
SCRIPT = """
import sys
from pathlib import Path
import psycopg
from knowledge.store.embedded import acquire
lease = acquire(Path(sys.argv[1]))
with psycopg.connect(lease.conninfo, autocommit=True) as connection:
    print("ready", flush=True)
    for statement in sys.stdin:
        rows = connection.execute(statement)
        print(rows.fetchall() if rows.description else "done", flush=True)
lease.release()
"""
User = subprocess.Popen[str]


@contextmanager
def user(home: Path) -> Iterator[User]:
    command = [sys.executable, "-c", SCRIPT, str(home)]
    with subprocess.Popen(
        command, cwd=REPOSITORY, text=True, bufsize=1, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def hear(process: User) -> str:
    assert process.stdout is not None
    assert select.select([process.stdout], [], [], DEADLINE_S)[0], "no word from the other process"
    return process.stdout.readline().strip()


def ask(process: User, statement: str) -> str:
    assert process.stdin is not None
    process.stdin.write(statement + "\n")
    return hear(process)


def leave(process: User) -> None:
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(DEADLINE_S) == 0


def kill(process: User) -> None:
    process.kill()
    process.wait(DEADLINE_S)


def server(home: Path) -> psutil.Process:
    return psutil.Process(int((cluster_folder(home) / "postmaster.pid").read_text().split()[0]))


def is_alive(process: psutil.Process) -> bool:
    # Nobody collects orphans in some containers: a zombie is gone.
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not is_so():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


def rows(conninfo: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        return connection.execute(query.encode()).fetchall()


def write_a_row(home: Path) -> psutil.Process:
    """Leave one committed row behind, in an orderly way."""
    with user(home) as writer:
        hear(writer)
        ask(writer, "CREATE TABLE kept AS SELECT 7 AS number")
        process = server(home)
        leave(writer)
    return process


def test_two_first_users_at_once_share_one_server(home: Path) -> None:
    with user(home) as one, user(home) as other:
        assert [hear(one), hear(other)] == ["ready", "ready"]

        ask(one, "CREATE TABLE shared AS SELECT 1 AS number")
        ask(other, "INSERT INTO shared VALUES (2)")

        assert ask(one, "SELECT * FROM shared ORDER BY 1") == "[(1,), (2,)]"
        assert ask(other, "SELECT * FROM shared ORDER BY 1") == "[(1,), (2,)]"


def test_killing_one_user_leaves_the_other_at_work(home: Path) -> None:
    with user(home) as victim, user(home) as survivor:
        hear(victim), hear(survivor)
        ask(victim, "CREATE TABLE kept AS SELECT 7 AS number")
        process = server(home)

        kill(victim)

        assert ask(survivor, "SELECT * FROM kept") == "[(7,)]"
        leave(survivor)
        assert not is_alive(process)


def test_the_next_user_finds_the_server_of_a_killed_one_and_stops_it(home: Path) -> None:
    with user(home) as victim:
        hear(victim)
        ask(victim, "CREATE TABLE kept AS SELECT 7 AS number")
        process = server(home)
        kill(victim)

    lease = acquire(home)

    assert server(home) == process
    assert rows(lease.conninfo, "SELECT * FROM kept") == [(7,)]
    lease.release()
    assert not is_alive(process)


def test_the_first_of_two_out_leaves_the_server_running(home: Path) -> None:
    first, second = acquire(home), acquire(home)

    first.release()
    first.release()

    assert rows(second.conninfo, "SELECT 1") == [(1,)]
    second.release()


def test_a_killed_server_starts_again_with_all_committed_rows(home: Path) -> None:
    with user(home) as writer:
        hear(writer)
        ask(writer, "CREATE TABLE kept AS SELECT 7 AS number")
        killed = server(home)
        killed.kill()

        lease = acquire(home)

        assert rows(lease.conninfo, "SELECT * FROM kept") == [(7,)]
        assert server(home) != killed
        lease.release()


@pytest.mark.parametrize("content", ["{pid}\n{data}\n1\n5432\n{data}\n\n0 0\nready\n", "{pid}\n", "", "nonsense\n"])
def test_a_process_id_file_of_another_program_does_not_stop_the_start(home: Path, content: str) -> None:
    write_a_row(home)
    data = cluster_folder(home)
    with subprocess.Popen(["sleep", "600"]) as stranger:
        for name in ("postmaster.pid", ".s.PGSQL.5432.lock"):
            (data / name).write_text(content.format(pid=stranger.pid, data=data))

        lease = acquire(home)

        assert rows(lease.conninfo, "SELECT * FROM kept") == [(7,)]
        assert stranger.poll() is None
        lease.release()
        stranger.kill()


def test_a_first_start_killed_half_way_heals(home: Path) -> None:
    data = cluster_folder(home)
    with user(home) as victim:
        wait_until(lambda: any(data.parent.glob(f"{data.name}.new-*/base")))
        tools = psutil.Process(victim.pid).children(recursive=True)
        kill(victim)
        for tool in tools:
            if tool.is_running():
                tool.kill()

    lease = acquire(home)

    assert rows(lease.conninfo, "SELECT 1") == [(1,)]
    assert not list(data.parent.glob(f"{data.name}.new-*"))
    lease.release()


def test_a_server_that_cannot_start_says_why(home: Path) -> None:
    write_a_row(home)
    settings = cluster_folder(home) / "postgresql.auto.conf"
    with settings.open("a") as file:
        file.write("nonsense = on\n")

    with pytest.raises(DatabaseUnfit, match=r"does not start.*DATABASE_URL(?s:.*)nonsense"):
        acquire(home)


def test_removing_is_refused_while_in_use(home: Path) -> None:
    with user(home) as reader:
        hear(reader)

        with pytest.raises(DatabaseUnavailable, match="in use"):
            remove_cluster(home)

        assert ask(reader, "SELECT 1") == "[(1,)]"


def test_removing_also_ends_the_server_of_a_killed_user(home: Path) -> None:
    with user(home) as victim:
        hear(victim)
        process, data = server(home), cluster_folder(home)
        kill(victim)

    remove_cluster(home)

    assert not is_alive(process)
    assert not data.exists()


async def test_a_cancelled_start_is_given_back(home: Path) -> None:
    async def use() -> None:
        async with embedded_server(home):
            pytest.fail("the start was cancelled")

    starting = asyncio.create_task(use())
    await asyncio.sleep(0.2)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting

    await asyncio.to_thread(wait_until, lambda: cluster_folder(home).exists())
    await asyncio.to_thread(wait_until, lambda: not (cluster_folder(home) / "postmaster.pid").exists())


async def test_users_in_one_process_share_the_server(home: Path) -> None:
    async with embedded_server(home) as outer:
        async with embedded_server(home) as inner:
            assert inner == outer
        assert await asyncio.to_thread(rows, outer, "SELECT 1") == [(1,)]
        process = server(home)

    assert not is_alive(process)
