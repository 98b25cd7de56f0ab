"""An office file is checked before a library opens it: bombs, passwords and declared entities never reach one."""

import zipfile
from io import BytesIO

import pytest

from knowledge.errors import SourceProblem
from knowledge.parse.office import package

ZEROS = b"\0" * package.MEBIBYTE


def archive(*members: tuple[str, bytes]) -> bytes:
    written = BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members:
            file.writestr(name, content)
    return written.getvalue()


def lying(content: bytes) -> bytes:
    """Return an archive with one member whose directory tells one byte as its size."""
    place = content.rindex(b"PK\x01\x02") + 24
    return content[:place] + (1).to_bytes(4, "little") + content[place + 4 :]


def encrypted(content: bytes) -> bytes:
    place = content.rindex(b"PK\x01\x02") + 8
    return content[:place] + b"\x01" + content[place + 1 :]


def doctype(encoding: str) -> bytes:
    bomb = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>'
    return archive(("word/document.xml", bomb.encode(encoding)))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (archive(*((f"{number}.xml", ZEROS * 21) for number in range(10))), "inflates to more than 200 MB"),
        (archive(("a.xml", ZEROS * 40)), "inflates more than 200-fold"),
        (lying(archive(("a.xml", ZEROS * 40))), "no whole office file|inflates more than"),
        (archive(*((f"{number}", b"") for number in range(10_001))), "10,001 parts, the limit is 10,000"),
        (encrypted(archive(("a.xml", b"<a/>"))), "protected by a password"),
        (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "protected by a password or of the format of before 2007"),
        (doctype("utf-8"), "declares a document type"),
        (doctype("utf-16"), "declares a document type"),
        (doctype("utf-16-be"), "declares a document type"),
        (archive(("a.xml", b" " * (package.MEBIBYTE - 4) + b"<!DOCTYPE a>")), "declares a document type"),
        (archive(("a.xml", b"<a/>"))[:-30], "no whole office file"),
        (b"PK\x03\x04", "no whole office file"),
        (b"<html>", "no whole office file"),
    ],
    ids=["size", "ratio", "lie", "parts", "member", "file", "utf-8", "utf-16", "be", "border", "cut", "head", "html"],
)
def test_what_is_unsafe_is_refused_with_a_reason(content: bytes, says: str) -> None:
    with pytest.raises(SourceProblem, match=says):
        package.opened(content)


def test_an_archive_inside_is_a_part_that_nobody_opens() -> None:
    bomb = archive(("a.xml", ZEROS * 40))

    content = archive(("word/embedded.zip", bomb), ("word/document.xml", b"<a/>"))

    assert package.opened(content).getvalue() == content


def test_pictures_may_hold_any_bytes() -> None:
    content = archive(("word/media/a.png", b"<!DOCTYPE"))

    assert package.opened(content).getvalue() == content
