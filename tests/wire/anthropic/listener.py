"""HTTP on loopback that streams: every step of an answer is flushed by itself."""

import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event as Flag
from threading import Thread
from urllib.parse import unquote, urlsplit

POLL_S = 0.005


@dataclass(frozen=True, slots=True)
class Raw:
    """A call as it came over the wire; header names in lower case, `at_s` seconds of a steady clock."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    at_s: float


@dataclass(frozen=True, slots=True)
class Step:
    """Bytes to flush after a wait; `sent` is called right after that. None instead of bytes: nothing more comes."""

    data: bytes | None
    wait_s: float = 0.0
    sent: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent back: `steps` one by one, or `body` at once.

    With `is_cut` the connection ends behind it without an end of the message.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    steps: Iterator[Step] | None = None
    wait_s: float = 0.0
    is_cut: bool = False
    is_silent: bool = False


class Listener(ThreadingHTTPServer):
    """A port of its own on 127.0.0.1; one thread for each connection.

    `hang_ups` are the times at which clients left before their answer was complete; `left` is set by the first.
    """

    daemon_threads = False
    request_queue_size = 64

    def __init__(self, answer: Callable[[Raw], Answer]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.failures: list[Exception] = []
        self.hang_ups: list[float] = []
        self.left = Flag()
        self.closing = Flag()
        self._connections: set[socket.socket] = set()

    @property
    def url(self) -> str:
        """The address of its root."""
        return f"http://127.0.0.1:{self.server_port}"

    def get_request(self) -> tuple[socket.socket, object]:
        """Accept a connection and remember it."""
        connection, address = super().get_request()
        self._connections.add(connection)
        return connection, address

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        """Close a connection and forget it."""
        if isinstance(request, socket.socket):
            self._connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client may hang up, and the handler keeps its own failures."""

    def hang_up(self) -> None:
        """End all connections, so that no thread waits for another call."""
        self.closing.set()
        for connection in list(self._connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Serve until the block ends; then raise what the answering function raised, if anything."""
    thread = Thread(target=listener.serve_forever, args=(POLL_S,))
    thread.start()
    try:
        yield
    finally:
        listener.shutdown()
        listener.hang_up()
        listener.server_close()
        thread.join()
    for failure in listener.failures:
        raise failure


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def answer(self) -> None:
        assert isinstance(self.server, Listener)
        try:
            reply = self.server.answer(self._call())
        except Exception as error:  # noqa: BLE001  # kept and raised when the server stops
            self.server.failures.append(error)
            reply = Answer(500)
        try:
            self._send(reply)
        except ConnectionError:
            self.server.hang_ups.append(time.monotonic())
            self.server.left.set()
            self.close_connection = True

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = answer  # names of the base class

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""

    def _call(self) -> Raw:
        return Raw(
            method=self.command,
            path=unquote(urlsplit(self.path).path),
            headers={name.lower(): value for name, value in self.headers.items()},
            body=self.rfile.read(int(self.headers.get("Content-Length", 0))),
            at_s=time.monotonic(),
        )

    def _send(self, reply: Answer) -> None:
        assert isinstance(self.server, Listener)
        if reply.is_silent:
            self._wait_for_the_end()
            return
        if reply.wait_s:
            self.server.closing.wait(reply.wait_s)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.steps is None:
            self.send_header("Content-Length", str(len(reply.body) + reply.is_cut))
            self.end_headers()
            self.wfile.write(reply.body)
        else:
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self._send_steps(reply)
        self.close_connection = self.close_connection or reply.is_cut

    def _send_steps(self, reply: Answer) -> None:
        assert isinstance(self.server, Listener)
        for step in reply.steps or ():
            if step.wait_s and self.server.closing.wait(step.wait_s):
                return
            if step.data is None:
                self._wait_for_the_end()
                return
            self.wfile.write(b"%x\r\n%b\r\n" % (len(step.data), step.data))
            if step.sent is not None:
                step.sent()
        if not reply.is_cut:
            self.wfile.write(b"0\r\n\r\n")

    def _wait_for_the_end(self) -> None:
        """Hold the connection until the client or the server ends it."""
        self.close_connection = True
        with suppress(OSError):
            self.rfile.read(1)
