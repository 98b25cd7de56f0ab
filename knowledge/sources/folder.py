"""A folder of documents on this machine."""

import asyncio
import os
import stat
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from wcmatch.glob import GLOBSTAR, globmatch

from knowledge.errors import SourceProblem
from knowledge.links import without_lines
from knowledge.listing import Entry, Listing
from knowledge.sources.file_text import read_file, sidecar_of, with_title
from knowledge.sources.inside import Inside
from knowledge.sources.text_files import PLACE, FileSettings
from knowledge.sources.watched import own_part, watched_by, watching
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
        self._inside = Inside(root, settings.max_file_mb)

    async def discover(self, stored: Mapping[str, str]) -> Listing:
        return Listing(await asyncio.to_thread(self._list, stored))

    async def fetch(self, entry: Entry) -> Document:
        return await asyncio.to_thread(self._read, entry)

    def _list(self, stored: Mapping[str, str]) -> list[Entry]:
        if not self._root.is_dir():
            raise SourceProblem(
                f"source {self.name!r}: the folder {str(self._root)!r} does not exist;"
                " correct `path` in answerdesk.toml (nothing already indexed was changed)"
            )
        listed = [entry for path, sidecar in self._files() for entry in self._entry(path, sidecar)]
        watched = {entry.path: watched_by(stored.get(entry.path, "")) for entry in listed}
        states = {path: _told(self._inside.state(path)) for paths in watched.values() for path in paths}
        return [
            replace(entry, revision=watching(entry.revision, {path: states[path] for path in watched[entry.path]}))
            for entry in listed
        ]

    def _entry(self, path: str, sidecar: str | None) -> Iterator[Entry]:
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
        beside = _told(self._inside.state(sidecar)) if sidecar else None
        revision = self._revision(path, state, beside) if name == path else _NAME_IS_NO_TEXT
        yield Entry(name, revision, Audience.of(self._settings.audience))

    def _files(self) -> Iterator[tuple[str, str | None]]:
        """Yield the chosen files in order, each with its sidecar file if it has one.

        Links are not followed, for they may lead out of the folder.
        """
        for folder, folders, files in os.walk(self._root, onerror=self._refuse_part):
            folders[:] = sorted(
                name for name in folders if not name.startswith(".") and not self._is_left_out(folder, name)
            )
            names = set(files)
            for name in sorted(files):
                relative = Path(folder, name).relative_to(self._root).as_posix()
                if self._settings.choose(relative):
                    yield relative, sidecar_of(relative) if sidecar_of(name) in names else None

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
        if own_part(entry.revision) == _NAME_IS_NO_TEXT:
            raise SourceProblem("its name is not UTF-8; rename the file or exclude it")
        try:
            content, state = self._inside.read(entry.path)
        except OSError as exc:
            raise SourceProblem(f"cannot be read ({exc.strerror}); allow this user to read it or exclude it") from exc
        kind, rules = self._settings.media_type(entry.path), self._settings.rules("")
        # What was read may be newer than what was listed.
        neighbours = _Neighbours(self._inside)
        file = read_file(content, entry.path, kind, rules, neighbours.read)
        sidecar_path = sidecar_of(entry.path)
        sidecar = neighbours.read(sidecar_path)
        if sidecar is not None:
            file = with_title(file, sidecar, rules)
        own = self._revision(entry.path, state, neighbours.states[sidecar_path])
        url = self._settings.link.replace(PLACE, quote(entry.path)) if self._settings.link else None
        return Document(
            source=self.name,
            path=entry.path,
            text=file.text,
            content=file.content,
            files=file.files,
            revision=watching(own, {path: neighbours.states[path] for path in file.asked}),
            title=file.title,
            url=url if file.keeps_lines else without_lines(url),
            media_type=kind,
            updated_at=datetime.fromtimestamp(state.st_mtime, UTC),
            remark=file.remark,
        )

    def _revision(self, path: str, state: os.stat_result, sidecar: str | None) -> str:
        """Return what changes with the file and its sidecar, and with the settings that its document depends on."""
        return f"{_told(state)}-{self._settings.told_of(path, self._settings.link, sidecar)}"


class _Neighbours:
    """Reads files beside a document, and remembers their states."""

    def __init__(self, inside: Inside) -> None:
        self.states: dict[str, str | None] = {}
        self._inside = inside

    def read(self, path: str) -> bytes | None:
        """Return what a file holds; None where there is none that can be read."""
        self.states[path] = None
        try:
            content, state = self._inside.read(path)
        except (OSError, ValueError):
            return None
        except SourceProblem:
            self.states[path] = _told(self._inside.state(path))
            return None
        self.states[path] = _told(state)
        return content


def _told(state: os.stat_result | None) -> str | None:
    return f"{state.st_mtime_ns}-{state.st_size}" if state else None
