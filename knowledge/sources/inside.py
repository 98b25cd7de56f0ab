"""Files below a folder, reached by names only: no link on the way is followed, for it may lead anywhere."""

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from knowledge.errors import SourceProblem
from knowledge.sources.text_files import MEBIBYTE, too_large

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# A pipe does not block.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Inside:
    """A folder on this machine; paths start there and have forward slashes."""

    root: Path
    max_file_mb: float

    def read(self, path: str) -> tuple[bytes, os.stat_result]:
        """Return what a file holds and its state; raise OSError, or SourceProblem if it is no file or too large."""
        descriptor = self._open(path)
        with os.fdopen(descriptor, "rb") as file:
            state = os.fstat(descriptor)
            if not stat.S_ISREG(state.st_mode):
                raise SourceProblem("it is no longer a file; sync again")
            limit = int(self.max_file_mb * MEBIBYTE)
            content = file.read(limit + 1) if state.st_size <= limit else None
        if content is None or len(content) > limit:
            raise too_large(state.st_size, self.max_file_mb)
        return content, state

    def state(self, path: str) -> os.stat_result | None:
        """Return the state of a file; None where there is none that could be read."""
        with suppress(OSError, ValueError):
            descriptor = self._open(path)
            try:
                state = os.fstat(descriptor)
            finally:
                os.close(descriptor)
            return state if stat.S_ISREG(state.st_mode) else None
        return None

    def _open(self, path: str) -> int:
        *folders, name = path.split("/")
        descriptor = os.open(self.root, _FOLDER)
        try:
            for folder in folders:
                inner = os.open(folder, _FOLDER | os.O_NOFOLLOW, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
            return os.open(name, _FILE, dir_fd=descriptor)
        finally:
            os.close(descriptor)
