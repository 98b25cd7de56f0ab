"""What a file's name says of its format, and what an operator may say instead."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from wcmatch.glob import GLOBSTAR, globmatch

from knowledge.parse.formats import DOCX, PDF, PPTX, XLSX

MARKDOWN = "text/markdown"
CODE = "text/x-code"

# The short names of the setting `formats`; "code:" may be followed by a language.
_NAMED: Mapping[str, str] = {
    "markdown": MARKDOWN,
    "text": "text/plain",
    "html": "text/html",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "pdf": PDF,
    "docx": DOCX,
    "pptx": PPTX,
    "xlsx": XLSX,
    "openapi": "text/x-openapi",
    "code": CODE,
}
_BY_SUFFIX: Mapping[str, Sequence[str]] = {
    MARKDOWN: (".md", ".markdown", ".mdown", ".mkd", ".mdx"),
    "text/plain": (".txt", ".text", ".log"),
    "text/html": (".html", ".htm", ".xhtml"),
    "text/csv": (".csv",),
    "text/tab-separated-values": (".tsv",),
    PDF: (".pdf",),
    DOCX: (".docx",),
    PPTX: (".pptx",),
    XLSX: (".xlsx",),
    "application/yaml": (".yaml", ".yml"),
    "application/json": (".json",),
    CODE: (".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".rb", ".kt", ".swift", ".sh"),
}
_LANGUAGES: Mapping[str, Sequence[str]] = {
    "python": (".py", ".pyi"),
    "typescript": (".ts", ".tsx"),
    "javascript": (".js", ".mjs", ".cjs", ".jsx"),
    "go": (".go",),
    "rust": (".rs",),
    "java": (".java",),
    "php": (".php",),
    "sql": (".sql",),
}
_MEDIA_TYPES = {suffix: kind for kind, suffixes in _BY_SUFFIX.items() for suffix in suffixes} | {
    suffix: f"{CODE};language={language}" for language, suffixes in _LANGUAGES.items() for suffix in suffixes
}
_IN_BYTES = frozenset({PDF, DOCX, PPTX, XLSX})
_OPENAPI = frozenset({"application/yaml", "application/json", _NAMED["openapi"]})


def media_type(path: str, formats: Mapping[str, str] | None = None) -> str:
    """Return how a file is read: by the first pattern of `formats` that its path matches, else by its name.

    A name that says nothing is Markdown's.
    """
    for pattern, name in (formats or {}).items():
        if globmatch(path, pattern, flags=GLOBSTAR):
            return _named(name)
    return _MEDIA_TYPES.get(PurePosixPath(path).suffix.lower(), MARKDOWN)


def checked_format(name: str) -> str:
    """Return the short name of a format; raise ValueError for one that does not exist."""
    kind, _, language = name.partition(":")
    if kind in _NAMED and (not language or (kind == "code" and language in _LANGUAGES)) and not name.endswith(":"):
        return name
    raise ValueError(
        f"{name!r} is no format; write one of {', '.join(_NAMED)}, or code:LANGUAGE with one of {', '.join(_LANGUAGES)}"
    )


def language_of(path: str) -> str:
    """Return the language that a file of code is written in, as its name says; "" when that says nothing."""
    return media_type(path).partition("language=")[2]


def is_in_bytes(kind: str) -> bool:
    """Tell whether documents of a media type are no text."""
    return kind in _IN_BYTES


def may_refer(kind: str) -> bool:
    """Tell whether documents of a media type may hold a `$ref` to other files."""
    return kind in _OPENAPI


def _named(name: str) -> str:
    kind, _, language = name.partition(":")
    return f"{_NAMED[kind]};language={language}" if language else _NAMED[kind]
