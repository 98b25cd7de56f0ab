"""Which files are read, and whether their content is what their names promise."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import NamedTuple

from knowledge.errors import SourceProblem
from knowledge.parse.formats import PDF
from knowledge.sources import formats
from knowledge.sources.encodings import decode

_WEB = "text/html"
_PDF_SIGNATURE = b"%PDF-"
# Readers of PDF accept a few lines before it.
_PDF_HEAD_BYTES = 1024
# Office files are ZIP archives; those with a password are what office files were before 2007, as their parser tells.
_OFFICE_SIGNATURES = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
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


class Content(NamedTuple):
    """What a file holds: its text, or its bytes where its format is no text."""

    media_type: str
    text: str = ""
    bytes: bytes = b""
    remark: str | None = None


def content_of(content: bytes, name: str) -> Content:
    r"""Return what a file holds, text with plain line ends; raise SourceProblem when it is not what its name says."""
    kind = formats.media_type(name)
    if not formats.is_in_bytes(kind):
        return _text(content, name, kind)
    if not (_is_pdf(content) if kind == PDF else content.startswith(_OFFICE_SIGNATURES)):
        raise SourceProblem(f"{name!r} is {_what(content)}, not what its name says; upload it again, or {_REMEDY}")
    return Content(kind, bytes=content)


def _is_pdf(content: bytes) -> bool:
    return _PDF_SIGNATURE in content[:_PDF_HEAD_BYTES]


def _what(content: bytes) -> str:
    known = next((what for signature, what in _SIGNATURES if content.startswith(signature)), None)
    return known or ("a web page, perhaps a login page" if _is_web_page(content) else "of another format")


def _is_web_page(content: bytes) -> bool:
    return content[:512].lstrip().lower().startswith(_WEB_PAGE)


def _text(content: bytes, name: str, kind: str) -> Content:
    for signature, what in _SIGNATURES:
        if content.startswith(signature):
            raise SourceProblem(f"{name!r} is {what}, not text; {_REMEDY}")
    if kind != _WEB and _is_web_page(content):
        raise SourceProblem(f"{name!r} is a web page, perhaps a login page, not the text that was expected; {_REMEDY}")
    try:
        decoded = decode(content)
    except SourceProblem as exc:
        raise SourceProblem(f"{name!r}: {exc}") from exc
    return Content(kind, decoded.text, remark=decoded.remark)
