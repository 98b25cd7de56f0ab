"""A folder of Markdown and text files on this machine."""

import asyncio
import os
import stat
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from wcmatch.glob import GLOBSTAR, globmatch

from knowledge.errors import SourceProblem
from knowledge.listing import Entry, Listing
from knowledge.sources.text_files import MEBIBYTE, PLACE, FileSettings, decoded, media_type, too_large
from knowledge.types import Audience, Document

# Stands for the state of a file whose name is no text, so that it can be listed as failed but not be read.
_NAME_IS_NO_TEXT = "name is not UTF-8"


class FolderSettings(FileSettings):
    """One `[[sources]]` table of kind "folder"; `path` is relative to the configuration file."""

    kind: str = "folder"
    path: Path


@asynccontextmanager
async def build(settings: FolderSettings, *, base: Path) -> AsyncIterator["FolderSource"]:
    """Open one folder; a relative path is looked up from `base`, the configuration's folder."""
    yield FolderSource(settings, root=base / settings.path.expanduser())


class FolderSource:
    """The `Source` port over files; a document's id is its path below the folder, with forward slashes."""

    kind = "folder"

    def __init__(self, settings: FolderSettings, *, root: Path) -> None:
        self.name = settings.name
        self._settings = settings
        self._root = root

    async def discover(self, stored: Mapping[str, str]) -> Listing:
        return Listing(await asyncio.to_thread(self._list))

    async def fetch(self, entry: Entry) -> Document:
        return await asyncio.to_thread(self._read, entry)

    def _list(self) -> list[Entry]:
        if not self._root.is_dir():
            raise SourceProblem(
                f"source {self.name!r}: the folder {str(self._root)!r} does not exist;"
                " correct `path` in answerdesk.toml (nothing already indexed was changed)"
            )
        return [entry for path in self._files() for entry in self._entry(path)]

    def _entry(self, path: str) -> Iterator[Entry]:
        """Yield the entry of a file: none for a link, a pipe, a device, or what has just gone."""
        try:
            state = (self._root / path).lstat()
        except FileNotFoundError:
            return
        except OSError as exc:
            raise self._unlisted(path, exc) from exc
        if not stat.S_ISREG(state.st_mode):
            return
        # A name that is no text is shown with its bytes escaped.
        name = os.fsencode(path).decode("utf-8", "backslashreplace")
        revision = self._revision(state) if name == path else _NAME_IS_NO_TEXT
        yield Entry(name, revision, Audience.of(self._settings.audience))

    def _files(self) -> Iterator[str]:
        """Yield the chosen files in order; links are not followed, for they may lead out of the folder."""
        for folder, folders, files in os.walk(self._root, onerror=self._refuse_part):
            folders[:] = sorted(
                name for name in folders if not name.startswith(".") and not self._is_left_out(folder, name)
            )
            for name in sorted(files):
                relative = Path(folder, name).relative_to(self._root).as_posix()
                if self._settings.choose(relative):
                    yield relative

    def _is_left_out(self, folder: str, name: str) -> bool:
        """Tell whether a whole folder is excluded: then it need not even be readable."""
        inside = (Path(folder, name).relative_to(self._root) / "any").as_posix()
        return globmatch(inside, self._settings.exclude, flags=GLOBSTAR) if self._settings.exclude else False

    def _refuse_part(self, error: OSError) -> None:
        raise self._unlisted(error.filename, error) from error

    def _unlisted(self, path: str, error: OSError) -> SourceProblem:
        return SourceProblem(
            f"source {self.name!r}: {path!r} cannot be listed ({error.strerror});"
            " allow this user to read it, or exclude it (nothing already indexed was changed)"
        )

    def _read(self, entry: Entry) -> Document:
        if entry.revision == _NAME_IS_NO_TEXT:
            raise SourceProblem("its name is not UTF-8; rename the file or exclude it")
        try:
            content, state = self._content(entry.path)
        except OSError as exc:
            raise SourceProblem(f"cannot be read ({exc.strerror}); allow this user to read it or exclude it") from exc
        return Document(
            source=self.name,
            path=entry.path,
            text=decoded(content),
            # What was read may be newer than what was listed.
            revision=self._revision(state),
            url=self._settings.link.replace(PLACE, quote(entry.path)) if self._settings.link else None,
            media_type=media_type(entry.path),
            updated_at=datetime.fromtimestamp(state.st_mtime, UTC),
        )

    def _revision(self, state: os.stat_result) -> str:
        """Return what changes with the file, and with the setting that is stored with each document."""
        link = sha256(repr(self._settings.link).encode()).hexdigest()[:8]
        return f"{state.st_mtime_ns}-{state.st_size}-{link}"

    def _content(self, path: str) -> tuple[bytes, os.stat_result]:
        """Read a file that may have been exchanged since it was listed: by a link, or by a pipe that would block."""
        descriptor = os.open(self._root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            state = os.fstat(descriptor)
            if not stat.S_ISREG(state.st_mode):
                raise SourceProblem("it is no longer a file; sync again")
            limit = int(self._settings.max_file_mb * MEBIBYTE)
            content = file.read(limit + 1) if state.st_size <= limit else None
        if content is None or len(content) > limit:
            raise too_large(state.st_size, self._settings.max_file_mb)
        return content, state
