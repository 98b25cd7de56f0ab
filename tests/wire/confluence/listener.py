"""HTTP on loopback: every call is recorded and answered by one function."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.wire.confluence.answers import Answer, Request

POLL_S = 0.005


class Listener(ThreadingHTTPServer):
    """A port of its own on 127.0.0.1; one thread for each connection."""

    daemon_threads = False
    request_queue_size = 64

    def __init__(self, answer: Callable[[Request], Answer]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.failures: list[Exception] = []
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
        for connection in list(self._connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def _joined(pairs: list[tuple[str, str]]) -> dict[str, str]:
    query: dict[str, str] = {}
    for name, value in pairs:
        query[name] = f"{query[name]},{value}" if name in query else value
    return query


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
    wbufsize = -1

    def answer(self) -> None:
        assert isinstance(self.server, Listener)
        try:
            reply = self.server.answer(self._request())
        except Exception as error:  # noqa: BLE001  # kept and raised when the server stops
            self.server.failures.append(error)
            reply = Answer(500)
        self._send(reply)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = answer  # names of the base class

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""

    def _request(self) -> Request:
        address = urlsplit(self.path)
        return Request(
            method=self.command,
            path=unquote(address.path),
            query=_joined(parse_qsl(address.query, keep_blank_values=True)),
            raw_query=address.query,
            headers={name.lower(): value for name, value in self.headers.items()},
            body=self.rfile.read(int(self.headers.get("Content-Length", 0))),
            at_s=time.monotonic(),
        )

    def _send(self, reply: Answer) -> None:
        if reply.cut_after_bytes == 0:
            self.close_connection = True
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body[: reply.cut_after_bytes])
        self.close_connection = self.close_connection or reply.cut_after_bytes is not None
