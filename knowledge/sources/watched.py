"""Revisions that also tell the state of other files: of those that a document includes, and of those that it misses.

What is stored is the document's own revision, a digest of the others' states, and their paths, a line each. So the next
listing can tell whether one of them has changed without reading any document.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256

# No path in an include holds it, for an include that names a file is one line.
_SEPARATOR = "\n"
_DIGEST_CHARACTERS = 16


def watching(own: str, states: Mapping[str, str | None]) -> str:
    """Return the revision of a document that shows what is in other files; their states by path, None for no file."""
    if not states:
        return own
    told = "\0".join(f"{path}\0{state or ''}" for path, state in sorted(states.items()))
    digest = sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_CHARACTERS]
    return _SEPARATOR.join([own, digest, *sorted(states)])


def watched_by(revision: str) -> Sequence[str]:
    """Return the paths of the files whose state a revision tells."""
    return revision.split(_SEPARATOR)[2:]


def own_part(revision: str) -> str:
    """Return what a revision tells of the document itself."""
    return revision.partition(_SEPARATOR)[0]
