"""A listener that nobody may call."""

import socket
from threading import Event, Thread
from types import TracebackType
from typing import Self

ACCEPT_PAUSE_S = 0.05


class Canary:
    """Counts the connections to a port of its own, so that a test sees a request that went where it must not."""

    def __init__(self) -> None:
        self.connections = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.settimeout(ACCEPT_PAUSE_S)
        self._stopping = Event()
        self._thread = Thread(target=self._listen)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._thread.join()
        self._socket.close()

    def _listen(self) -> None:
        while not self._stopping.is_set():
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            self.connections += 1
            connection.close()
