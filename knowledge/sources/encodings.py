"""The text that a file's bytes stand for, and what an operator should know of how it was read."""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass

from charset_normalizer import from_bytes

from knowledge.errors import SourceProblem

# A file in UTF-8 may have this share of bytes that are none; more of them are another encoding's.
MAX_STRAY_SHARE = 0.001
# As many bytes are looked at to tell an encoding: the first ones that are not all ASCII.
SAMPLE_BYTES = 64 * 1024
# How much a text must look like one of a known language, in [0, 1]: of 1,074 pages in Russian, Ukrainian and Spanish,
# in nine encodings, 1,050 reach it and are read rightly, none wrongly. Fewer letters outside of ASCII can be anything.
MIN_COHERENCE = 0.4
MIN_LETTERS = 24
STRAY = "\ufffd"
# KOI8 has capitals where windows-1251 has small letters, and the other way round; few texts are mostly in capitals.
MAX_CAPITAL_SHARE = 0.5
_CAPITAL = re.compile("[А-ЯЁІЇЄҐ]")
_ASCII = re.compile(r"[\x00-\x7f]+")
_NO_WORD = re.compile(rb"[^A-Za-z\x80-\xff.,\n]+")
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
# Where windows-1252 has these, other languages' encodings have their commonest letters.
_DOUBTFUL = re.compile("[ÐÝÞðýþ]")
# What files without a byte order mark are written in where they are not UTF-8, and how each is called.
_LEGACY: Mapping[str, str] = {
    "cp1251": "windows-1251",
    "koi8_r": "KOI8-R",
    "koi8_u": "KOI8-U",
    "cp866": "IBM866",
    "iso8859_5": "ISO-8859-5",
    "cp1252": "windows-1252",
}
# The longer ones first: a mark of UTF-32 begins like one of UTF-16.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Decoded:
    r"""A text with `\n` line ends and without a byte order mark; the remark is for an operator."""

    text: str
    remark: str | None = None


def decode(content: bytes) -> Decoded:
    """Return the text of a file in UTF-8, in UTF-16 or UTF-32 with a mark, or surely in a known older encoding.

    Raise SourceProblem for what is no text, or cannot be told.
    """
    decoded = _marked(content) or _unmarked(content)
    if "\0" in decoded.text:
        raise SourceProblem("it holds a NUL byte, so it is not text; exclude it")
    return Decoded(decoded.text.replace("\r\n", "\n").replace("\r", "\n"), decoded.remark)


def _marked(content: bytes) -> Decoded | None:
    name = next((name for mark, name in _MARKS if content.startswith(mark)), None)
    if name is None:
        return None
    if name == "utf-8-sig":
        return _unmarked(content[len(codecs.BOM_UTF8) :])
    try:
        return Decoded(content.decode(name))
    except UnicodeDecodeError as exc:
        raise SourceProblem(
            f"it begins like {name.upper()}, but byte {exc.start} is none; save the file as UTF-8 or exclude it"
        ) from exc


def _unmarked(content: bytes) -> Decoded:
    try:
        return Decoded(content.decode())
    except UnicodeDecodeError as exc:
        if b"\0" in content:
            raise SourceProblem("it holds a NUL byte, so it is not text; exclude it") from exc
        found = _with_strays(content) or _legacy(content)
        if found is None:
            raise SourceProblem(f"byte {exc.start} is not UTF-8; save the file as UTF-8 or exclude it") from exc
        return found


def _with_strays(content: bytes) -> Decoded | None:
    """Return a text that is UTF-8 but for a few bytes; None where the bytes speak for another encoding."""
    text = content.decode(errors="replace")
    strays = text.count(STRAY) - content.count(STRAY.encode())
    letters = len(_ASCII.sub("", text)) - strays
    if strays > len(content) * MAX_STRAY_SHARE or letters <= strays:
        return None
    return Decoded(text, f"bytes that are not UTF-8 are shown as {STRAY}; correct them and save the file as UTF-8")


def _legacy(content: bytes) -> Decoded | None:
    first = _HIGH_BYTE.search(content)
    # Markup and code look like no language.
    sample = _NO_WORD.sub(b" ", content[first.start() if first else 0 :][:SAMPLE_BYTES])
    guess = from_bytes(sample, cp_isolation=list(_LEGACY), enable_fallback=False).best()
    if guess is None or guess.encoding not in _LEGACY or guess.coherence < MIN_COHERENCE:
        return None
    try:
        text = content.decode(guess.encoding)
    except UnicodeDecodeError:
        return None
    is_doubtful = guess.encoding == "cp1252" and _DOUBTFUL.search(text) is not None
    letters = len(_HIGH_BYTE.findall(sample))
    capitals = len(_CAPITAL.findall(sample.decode(guess.encoding, "replace")))
    if is_doubtful or letters < MIN_LETTERS or capitals > letters * MAX_CAPITAL_SHARE:
        return None
    return Decoded(text, f"read as {_LEGACY[guess.encoding]}; save the file as UTF-8 to be sure")
