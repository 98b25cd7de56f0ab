"""Which files are read, and whether their content is the text that their names promise."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from knowledge.errors import SourceProblem
from knowledge.sources import text_files

_WEB = "text/html"
# What files begin with that are no text, whatever they are called.
_SIGNATURES = (
    (b"PK\x03\x04", "a ZIP archive or office document"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"%PDF-", "a PDF document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\xfd7zXZ\x00", "an XZ archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\xd0\xcf\x11\xe0", "an office document"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"\x7fELF", "a program"),
)
# A login page is sent in the place of a file, too.
_WEB_PAGE = (b"<!doctype html", b"<html")
_REMEDY = "convert it, or leave it out with `attachment_types`"


def is_chosen(name: str, patterns: Iterable[str]) -> bool:
    """Tell whether a file's name matches one of the patterns, in upper or lower case."""
    return any(fnmatchcase(name.lower(), pattern.lower()) for pattern in patterns)


def media_type(name: str) -> str:
    """Return how a file is read."""
    return _WEB if PurePosixPath(name).suffix.lower() in {".html", ".htm"} else text_files.media_type(name)


def text_of(content: bytes, name: str) -> str:
    r"""Return a file's text with plain line ends; raise SourceProblem when it is none, whatever its name says."""
    for signature, what in _SIGNATURES:
        if content.startswith(signature):
            raise SourceProblem(f"{name!r} is {what}, not text; {_REMEDY}")
    if media_type(name) != _WEB and content[:512].lstrip().lower().startswith(_WEB_PAGE):
        raise SourceProblem(f"{name!r} is a web page, perhaps a login page, not the text that was expected; {_REMEDY}")
    try:
        return text_files.decoded(content)
    except SourceProblem as exc:
        raise SourceProblem(f"{name!r}: {exc}") from exc
