"""Real repositories on this machine, made by the real git, and a server on loopback that gives them over http."""

import os
import subprocess
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Self

from knowledge.sources.git.settings import GitSettings
from knowledge.sources.git.source import GitSource
from knowledge.types import Document

NOON = 1_700_000_000
_ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "LC_ALL": "C",
}


def run_git(*arguments: str, folder: Path, stdin: bytes = b"") -> str:
    """Run git in a folder, with no settings of this machine."""
    done = subprocess.run(["git", *arguments], cwd=folder, env=_ENVIRONMENT, input=stdin, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return done.stdout.decode("utf-8", "replace").strip()


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link in a repository."""

    target: str


@dataclass(frozen=True, slots=True)
class Submodule:
    """A commit of another repository in a repository."""

    commit: str


Content = str | bytes | Link | Submodule | None


@dataclass(frozen=True, slots=True)
class Remote:
    """A bare repository that a source reads."""

    folder: Path

    @property
    def url(self) -> str:
        return str(self.folder)

    def git(self, *arguments: str) -> str:
        return run_git(*arguments, folder=self.folder)

    def commit(
        self,
        files: Mapping[str | bytes, Content],
        *,
        branch: str = "main",
        author: str = "Ann",
        at: int = NOON,
        from_scratch: bool = False,
    ) -> str:
        """Change files (None removes one) in a new commit, or in a history that knows nothing of the one before."""
        person = f"{author} <ann@example.org> {at} +0000\n"
        lines = [f"commit refs/heads/{branch}\nauthor {person}committer {person}data 7\nChange.\n".encode()]
        if not from_scratch and self.git("for-each-ref", f"refs/heads/{branch}"):
            lines.append(f"from refs/heads/{branch}^0\n".encode())
        lines += [_change(path if isinstance(path, bytes) else path.encode(), content) for path, content in files.items()]
        run_git("fast-import", "--quiet", "--force", folder=self.folder, stdin=b"".join(lines))
        return self.git("rev-parse", branch)


def make_remote(folder: Path, files: Mapping[str | bytes, Content] | None = None, *, has_filters: bool = True) -> Remote:
    """Make a bare repository; without files it has no commit."""
    folder.mkdir(parents=True)
    run_git("init", "--quiet", "--bare", "--initial-branch=main", folder=folder)
    run_git("config", "uploadpack.allowFilter", str(has_filters).lower(), folder=folder)
    remote = Remote(folder)
    if files is not None:
        remote.commit(files)
    return remote


def _change(path: bytes, content: Content) -> bytes:
    if content is None:
        return b"D " + path + b"\n"
    if isinstance(content, Submodule):
        return b"M 160000 " + content.commit.encode() + b" " + path + b"\n"
    mode, data = (b"120000", content.target) if isinstance(content, Link) else (b"100644", content)
    data = data.encode() if isinstance(data, str) else data
    return b"M " + mode + b" inline " + path + b"\ndata " + str(len(data)).encode() + b"\n" + data + b"\n"


def make_source(
    url: str, home: Path, *, environment: Mapping[str, str] | None = None, **settings: object
) -> GitSource:
    """Open a source; unlike a real one it has only the given environment, and PATH."""
    table = {"name": "docs", "url": url, **settings}
    given = {"PATH": os.environ["PATH"], **(environment or {})}
    return GitSource(GitSettings.model_validate(table), base=home, home=home, environment=given)


async def read_new(source: GitSource, stored: Mapping[str, str]) -> tuple[dict[str, str], dict[str, Document]]:
    """List, and read what is not stored yet, as a sync does; return what is stored then, and what was read."""
    listing = await source.discover(stored)
    stale = [entry for entry in listing.entries if stored.get(entry.path) != entry.revision]
    documents = {entry.path: await source.fetch(entry) for entry in stale}
    return {entry.path: entry.revision for entry in listing.entries}, documents


def watched_git(folder: Path) -> tuple[dict[str, str], Callable[[], list[str]]]:
    """Return an environment in which each call of git is noted, and what shows the notes: arguments, a line a call."""
    program, notes = folder / "git", folder / "calls"
    folder.mkdir()
    real = subprocess.run(["which", "git"], capture_output=True, check=True, text=True).stdout.strip()
    program.write_text(f'#!/bin/sh\necho "$@" >>{notes}\nexec {real} "$@"\n', encoding="utf-8")
    program.chmod(0o700)
    environment = {"PATH": f"{folder}:{os.environ['PATH']}"}
    return environment, lambda: notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []


@dataclass(slots=True)
class Behaviour:
    """How the server answers: with a fixed status, or to those only who bring the user name and password."""

    status: int | None = None
    location: str | None = None
    credentials: str | None = None
    speaks_version_2: bool = True
    on_request: Callable[[], None] = lambda: None
    seen: list[str] = field(default_factory=list)
    authorizations: list[str | None] = field(default_factory=list)


class GitServer:
    """Gives the repositories below a folder through `git http-backend`."""

    def __init__(self, root: Path, behaviour: Behaviour | None = None) -> None:
        self.behaviour = behaviour or Behaviour()
        handler = type("Handler", (_Handler,), {"root": root, "behaviour": self.behaviour})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = False
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    root: Path
    behaviour: Behaviour

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])))

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _answer(self, body: bytes) -> None:
        behaviour = self.behaviour
        behaviour.seen.append(self.path)
        behaviour.authorizations.append(self.headers["Authorization"])
        behaviour.on_request()
        if behaviour.status is not None:
            self._send(behaviour.status, [("Location", behaviour.location)] if behaviour.location else [])
        elif not self._may_enter():
            self._send(401, [("WWW-Authenticate", 'Basic realm="git"')])
        else:
            self._send(*self._from_backend(body))

    def _may_enter(self) -> bool:
        wanted = self.behaviour.credentials
        return wanted is None or self.headers["Authorization"] == f"Basic {b64encode(wanted.encode()).decode()}"

    def _from_backend(self, body: bytes) -> tuple[int, Sequence[tuple[str, str]], bytes]:
        path, _, query = self.path.partition("?")
        variables = {
            **_ENVIRONMENT,
            "GIT_PROJECT_ROOT": str(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers["Content-Type"] or "",
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers["Content-Encoding"] or "",
        }
        if self.behaviour.speaks_version_2:
            variables["GIT_PROTOCOL"] = self.headers["Git-Protocol"] or ""
        done = subprocess.run(["git", "http-backend"], env=variables, input=body, capture_output=True, check=False)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = [tuple(line.split(": ", 1)) for line in head.decode("ascii").split("\r\n")]
        status = next((int(value[:3]) for name, value in headers if name == "Status"), 200)
        return status, [(name, value) for name, value in headers if name != "Status"], content

    def _send(self, status: int, headers: Sequence[tuple[str, str]], content: bytes = b"") -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
