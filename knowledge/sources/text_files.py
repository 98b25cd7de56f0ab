"""Files of text, wherever a source finds them: which are documents, and what their bytes become."""

from pathlib import PurePosixPath

from pydantic import BaseModel, ConfigDict, Field, field_validator
from wcmatch.glob import GLOBSTAR, globmatch

from knowledge.errors import SourceProblem
from knowledge.sources.audience_tags import AudienceTags
from knowledge.types import PUBLIC

MEBIBYTE = 1024 * 1024
# Which files are documents unless the settings say otherwise.
TEXT_FILES = ("**/*.md", "**/*.markdown", "**/*.txt")
_PLAIN_TEXT = frozenset({".txt", ".text", ".log"})
# In a link, it stands for the file's path.
PLACE = "{path}"


class FileSettings(BaseModel):
    """What an operator says about any source of files."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    include: tuple[str, ...] = TEXT_FILES
    exclude: tuple[str, ...] = ()
    audience: AudienceTags = Field(default=(PUBLIC,), min_length=1)
    # Where a reader can open a file, for instance "https://wiki.example/{path}".
    link: str | None = Field(default=None, pattern=r"^https?://")
    max_file_mb: float = Field(default=10.0, gt=0, le=1_000)

    @field_validator("link")
    @classmethod
    def _has_a_place(cls, link: str | None) -> str | None:
        if link is not None and PLACE not in link:
            raise ValueError(f"has no {PLACE}; write it where the file's path belongs")
        return link

    def choose(self, path: str) -> bool:
        """Tell whether the file at a path, relative and with forward slashes, is a document."""
        return globmatch(path, self.include, flags=GLOBSTAR, exclude=self.exclude or None)


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
