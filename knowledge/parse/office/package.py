"""Office files are ZIP archives of XML: what is checked of one before a library opens it."""

import zlib
from io import BytesIO
from zipfile import BadZipFile, ZipFile, ZipInfo

from knowledge.errors import SourceProblem
from knowledge.parse.office.confined import REMEDY

MEBIBYTE = 1024 * 1024
# A real office file inflates 5- to 30-fold; long sheets of equal cells up to 100-fold.
MAX_INFLATED_BYTES = 200 * MEBIBYTE
MAX_MEMBERS = 10_000
MAX_RATIO = 200
# Parts up to this size cost little, and repetition may shrink them by more.
_RATIO_FROM_BYTES = 32 * MEBIBYTE
_CHUNK_BYTES = MEBIBYTE
_ENCRYPTED = 0x1
# Where a password protects a file, or the format is that of before 2007, it is no archive but a "compound file".
_COMPOUND = b"\xd0\xcf\x11\xe0"
_XML = (".xml", ".rels", ".vml")
# No part of a package may declare entities (ECMA-376 part 2, 6.2.5); in both encodings that XML readers must know.
_DECLARATIONS = tuple(
    text.encode(encoding) for text in ("<!DOCTYPE", "<!ENTITY") for encoding in ("utf-8", "utf-16-le")
)
_LONGEST_DECLARATION = max(map(len, _DECLARATIONS))


def opened(content: bytes) -> BytesIO:
    """Return an office file to be opened by a library; raise SourceProblem for what is unsafe or no such file.

    Archives inside are parts like any other: nothing opens them.
    """
    if content.startswith(_COMPOUND):
        raise SourceProblem(
            "it is protected by a password or of the format of before 2007; save it without, as .docx, .pptx or .xlsx"
        )
    try:
        with ZipFile(BytesIO(content)) as archive:
            _check(archive)
    except (BadZipFile, EOFError, NotImplementedError, OSError, RuntimeError, ValueError, zlib.error) as exc:
        raise SourceProblem(f"it is no whole office file ({exc}); {REMEDY}") from exc
    return BytesIO(content)


def _check(archive: ZipFile) -> None:
    members = archive.infolist()
    if len(members) > MAX_MEMBERS:
        raise SourceProblem(f"it holds {len(members):,} parts, the limit is {MAX_MEMBERS:,}; {REMEDY}")
    if sum(member.file_size for member in members) > MAX_INFLATED_BYTES:
        raise _too_large()
    left = MAX_INFLATED_BYTES
    for member in members:
        if member.flag_bits & _ENCRYPTED:
            raise SourceProblem("a part of it is protected by a password; save it without one")
        left -= _inflated_size(archive, member, left)


def _inflated_size(archive: ZipFile, member: ZipInfo, limit: int) -> int:
    """Return how large a part really is, whatever it declares."""
    size, end = 0, b""
    is_xml = member.filename.lower().endswith(_XML)
    with archive.open(member) as part:
        while chunk := part.read(_CHUNK_BYTES):
            size += len(chunk)
            if size > limit:
                raise _too_large()
            if size > max(MAX_RATIO * member.compress_size, _RATIO_FROM_BYTES):
                raise SourceProblem(f"a part of it inflates more than {MAX_RATIO}-fold; {REMEDY}")
            if is_xml and any(declaration in end + chunk for declaration in _DECLARATIONS):
                raise SourceProblem(f"a part of it declares a document type, which office files may not; {REMEDY}")
            end = chunk[-_LONGEST_DECLARATION:]
    return size


def _too_large() -> SourceProblem:
    return SourceProblem(f"it inflates to more than {MAX_INFLATED_BYTES // MEBIBYTE} MB; {REMEDY}")
