"""A server on loopback that gives repositories over http."""

import subprocess
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Self

from tests.wire.git import ENVIRONMENT


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
            **ENVIRONMENT,
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
