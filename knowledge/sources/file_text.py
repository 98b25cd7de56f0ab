"""What a file becomes: its text as readers see it, its title, and which other files it took."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from knowledge.errors import SourceProblem
from knowledge.parse.templates import Rules, resolve
from knowledge.sources.encodings import decode
from knowledge.sources.formats import MARKDOWN, is_in_bytes, may_refer
from knowledge.sources.references import referenced

MAX_TITLE_CHARACTERS = 500
_SIDECAR = ".meta.json"

Neighbour = Callable[[str], bytes | None]
"""Returns what a file of the same source holds, by its path from the root; None if there is none to be read."""


@dataclass(frozen=True, slots=True)
class FileText:
    """What a document is made of; `asked` are the files that it depends on, with those that are missing."""

    text: str = ""
    content: bytes = b""
    title: str | None = None
    remark: str | None = None
    keeps_lines: bool = True
    files: Mapping[str, str] = field(default_factory=dict)
    asked: tuple[str, ...] = ()


def sidecar_of(path: str) -> str:
    """Return the path of the file beside another one that may say its title: `vpn.meta.json` beside `vpn.md`."""
    return path.removesuffix(PurePosixPath(path).suffix) + _SIDECAR


def is_sidecar(path: str) -> bool:
    """Tell whether a file may say the title of the one beside it."""
    return path.endswith(_SIDECAR)


def read_file(content: bytes, path: str, kind: str, rules: Rules, neighbour: Neighbour) -> FileText:
    """Return what the file at `path`, of a media type, becomes; raise SourceProblem if it is not what it should be."""
    if is_in_bytes(kind):
        return FileText(content=content, keeps_lines=False)
    decoded = decode(content)
    neighbours = _Neighbours(neighbour)
    if may_refer(kind):
        files = referenced(decoded.text, path, neighbours.read)
        return FileText(decoded.text, remark=decoded.remark, files=files, asked=tuple(neighbours.asked))
    if kind != MARKDOWN:
        return FileText(decoded.text, remark=decoded.remark)
    resolved = resolve(decoded.text, path, rules, neighbours.read)
    remarks = [decoded.remark, *resolved.problems]
    return FileText(
        resolved.text,
        remark="; ".join(filter(None, remarks)) or None,
        keeps_lines=resolved.keeps_lines,
        asked=tuple(neighbours.asked),
    )


class _Neighbours:
    """Reads neighbours as text, and remembers which were asked for."""

    def __init__(self, neighbour: Neighbour) -> None:
        self.asked: dict[str, str | None] = {}
        self._neighbour = neighbour

    def read(self, path: str) -> str | None:
        """Return a file's text; None if it is missing or no text."""
        if path not in self.asked:
            self.asked[path] = self._text(path)
        return self.asked[path]

    def _text(self, path: str) -> str | None:
        content = self._neighbour(path)
        try:
            return None if content is None else decode(content).text
        except SourceProblem:
            return None


def with_title(file: FileText, sidecar: bytes, rules: Rules) -> FileText:
    """Return the same with the title that its sidecar file gives, variables resolved."""
    try:
        told = json.loads(decode(sidecar).text)
    except (ValueError, RecursionError, SourceProblem):
        remarks = [file.remark, f"the {_SIDECAR} file beside it is no JSON; correct or remove it"]
        return replace(file, remark="; ".join(filter(None, remarks)))
    title = told.get("title") if isinstance(told, dict) else None
    if not isinstance(title, str):
        return file
    shown = " ".join(resolve(title, "", rules, lambda path: None).text.split())
    return replace(file, title=shown[:MAX_TITLE_CHARACTERS].strip() or None)
