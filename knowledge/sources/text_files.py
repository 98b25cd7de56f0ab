"""Files of text, wherever a source finds them: their bytes become a document's text and its media type."""

from pathlib import PurePosixPath

from knowledge.errors import SourceProblem

MEBIBYTE = 1024 * 1024
# Which files are documents unless the settings say otherwise.
TEXT_FILES = ("**/*.md", "**/*.markdown", "**/*.txt")
_PLAIN_TEXT = frozenset({".txt", ".text", ".log"})


def decoded(content: bytes) -> str:
    r"""Return a file's text with `\n` line ends and without a byte order mark; raise SourceProblem if it is none."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise SourceProblem(f"byte {exc.start} is not UTF-8; save the file as UTF-8 or exclude it") from exc
    if "\0" in text:
        raise SourceProblem("it holds a NUL byte, so it is not text; exclude it")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def media_type(path: str) -> str:
    """Return what a file's name says of its format; whatever is not known to be plain text is Markdown."""
    return "text/plain" if PurePosixPath(path).suffix.lower() in _PLAIN_TEXT else "text/markdown"


def too_large(size_bytes: int, limit_mb: float) -> SourceProblem:
    """Return what is said of a file over the limit."""
    return SourceProblem(
        f"{size_bytes / MEBIBYTE:.0f} MB is over the limit of {limit_mb:g} MB;"
        " split the file, raise `max_file_mb` or exclude it"
    )
