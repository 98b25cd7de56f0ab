"""Our copy of a repository: bare, thrown away when it is damaged, used by one process at a time when it changes."""

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from knowledge.errors import SourceProblem, SourceUnavailable
from knowledge.file_locks import try_exclusive
from knowledge.sources.git.remote import Remote
from knowledge.sources.text_files import MEBIBYTE

LOCK_POLL_S = 0.1
# More packs than this make git slow; each sync that finds changes adds one or two.
MAX_PACKS = 50
# What makes a folder a bare repository; our settings are given to each command.
_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
_LEFT_BEHIND = ("*.lock", "refs/**/*.lock", "objects/pack/tmp_*", "objects/pack/.tmp-*", "objects/pack/*.keep")


@dataclass(frozen=True, slots=True)
class Clone:
    """The folder of one remote's clone; sources with the same remote share it."""

    folder: Path
    max_bytes: int
    lock_timeout_s: float

    @classmethod
    def of(cls, remote: Remote, *, home: Path, max_mb: float, lock_timeout_s: float) -> "Clone":
        """Return the place of a remote's clone below our home; it need not exist."""
        name = sha256(remote.url.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        return cls(home / "git" / f"{name}.git", int(max_mb * MEBIBYTE), lock_timeout_s)

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Be the only one, in any process, who changes the clone; SourceUnavailable if another is too long at it."""
        with self._writing():
            self.folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = os.open(self.folder.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            await self._wait_for(lock)
            self._clean()
            try:
                yield
            finally:
                self._clean()
        finally:
            os.close(lock)

    async def _wait_for(self, lock: int) -> None:
        deadline = time.monotonic() + self.lock_timeout_s
        while not try_exclusive(lock):
            if time.monotonic() > deadline:
                raise SourceUnavailable("another process is still busy with the clone; try again when it is done")
            await asyncio.sleep(LOCK_POLL_S)

    def make(self) -> bool:
        """Make an empty repository unless a sound one is there, and tell whether it was."""
        if self._is_ours() and self.size() < self.max_bytes:
            return True
        self.discard()
        with self._writing():
            for part in ("objects/pack", "refs"):
                (self.folder / part).mkdir(parents=True, mode=0o700)
            (self.folder / "config").write_text(_CONFIG, encoding="ascii")
            # The last thing written: without it nobody takes the folder for a repository.
            (self.folder / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
        return False

    def discard(self) -> None:
        """Throw the clone away; all that it holds can be had again."""
        with self._writing():
            if self.folder.is_symlink() or self.folder.is_file():
                self.folder.unlink()
            # First the file without which nobody takes what is left for a repository, should we be killed meanwhile.
            (self.folder / "HEAD").unlink(missing_ok=True)
            shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def is_whole(self) -> bool:
        """Tell whether it is to hold the contents of all files of all times."""
        return self._whole.exists()

    def want_whole(self) -> None:
        """Remember that the remote gives no file by itself."""
        self._whole.touch()

    @property
    def _whole(self) -> Path:
        return self.folder / "whole"

    def size(self) -> int:
        """Return the bytes of all packs and loose objects."""
        files = (Path(folder, name) for folder, _, names in os.walk(self.folder / "objects") for name in names)
        return sum(file.lstat().st_size for file in files)

    @property
    def has_many_packs(self) -> bool:
        """Tell whether it is time to put packs together."""
        return len(list((self.folder / "objects/pack").glob("*.pack"))) > MAX_PACKS

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as exc:
            raise SourceProblem(
                f"the clone {str(self.folder)!r} cannot be changed ({exc.strerror}); let this user write there,"
                " and make room if there is none"
            ) from exc

    def _is_ours(self) -> bool:
        """Tell whether nobody gave the clone settings, or objects of another repository."""
        config = self.folder / "config"
        has_config = config.is_file() and config.read_bytes() == _CONFIG.encode()
        return (
            has_config and (self.folder / "HEAD").is_file() and not (self.folder / "objects/info/alternates").exists()
        )

    def _clean(self) -> None:
        """Remove what a command left that did not come to its end."""
        for pattern in _LEFT_BEHIND:
            for left in self.folder.glob(pattern):
                left.unlink(missing_ok=True)
