"""Files that people send along: only told here, and fetched where they lie when they are sent on."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

# What both platforms let a bot fetch (core.telegram.org/bots/api#getfile).
MAX_FILE_BYTES = 20 * 1024 * 1024
MAX_FILES = 10
# The key of `Incoming.wire` that holds them.
FILES = "files"


@dataclass(frozen=True, slots=True)
class File:
    """A file on a platform: `id` is what that platform fetches it by, `size` in bytes (0: not told)."""

    platform: str
    workspace: str
    id: str
    name: str
    size: int = 0
    media_type: str = ""


def dumped(files: Sequence[File]) -> str:
    """Return files as the text that a message's wire holds."""
    return json.dumps([asdict(file) for file in files[:MAX_FILES]])


def loaded(wire: Mapping[str, str]) -> tuple[File, ...]:
    """Return the files that a message's wire holds."""
    return tuple(File(**file) for file in json.loads(wire.get(FILES) or "[]"))
