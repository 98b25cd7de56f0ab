"""Files, wherever a source finds them: which of them are documents, and what an operator says of them."""

from collections.abc import Callable, Mapping
from functools import cached_property
from hashlib import sha256

from pydantic import BaseModel, ConfigDict, Field, field_validator
from wcmatch.glob import GLOBSTAR, compile

from knowledge.errors import SourceProblem
from knowledge.parse.templates import Rules
from knowledge.sources.audience_tags import AudienceTags
from knowledge.sources.formats import checked_format, media_type
from knowledge.types import PUBLIC

MEBIBYTE = 1024 * 1024
# Which files are documents unless the settings say otherwise; code is not.
DOCUMENTS = (
    *("**/*.md", "**/*.markdown", "**/*.txt", "**/*.html", "**/*.htm"),
    *("**/*.csv", "**/*.pdf", "**/*.docx", "**/*.pptx", "**/*.xlsx"),
    *(f"**/{name}*.{suffix}" for name in ("openapi", "swagger") for suffix in ("yaml", "yml", "json")),
)
# In a link, it stands for the file's path.
PLACE = "{path}"


class FileSettings(BaseModel):
    """What an operator says about any source of files."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    include: tuple[str, ...] = DOCUMENTS
    exclude: tuple[str, ...] = ()
    audience: AudienceTags = Field(default=(PUBLIC,), min_length=1)
    # Where a reader can open a file, for instance "https://wiki.example/{path}".
    link: str | None = Field(default=None, pattern=r"^https?://")
    max_file_mb: float = Field(default=10.0, gt=0, le=1_000)
    # Short names of formats by pattern, where a file's name says another one or none.
    formats: Mapping[str, str] = {}
    # What templates are resolved with: values of {var(...)}, and what {ifdef(...)} may ask for.
    variables: Mapping[str, str] = {}
    flags: frozenset[str] = frozenset({PUBLIC})

    @field_validator("link")
    @classmethod
    def _has_a_place(cls, link: str | None) -> str | None:
        if link is not None and PLACE not in link:
            raise ValueError(f"has no {PLACE}; write it where the file's path belongs")
        return link

    @field_validator("formats")
    @classmethod
    def _are_formats(cls, formats: Mapping[str, str]) -> Mapping[str, str]:
        return {pattern: checked_format(name) for pattern, name in formats.items()}

    def choose(self, path: str) -> bool:
        """Tell whether the file at a path, relative and with forward slashes, is a document."""
        return self._is_chosen(path)

    @cached_property
    def _is_chosen(self) -> Callable[[str], bool]:
        return compile(self.include, flags=GLOBSTAR, exclude=self.exclude or None).match

    def media_type(self, path: str) -> str:
        """Return how the file at a path is read."""
        return media_type(path, self.formats)

    def rules(self, *roots: str) -> Rules:
        """Return how templates are resolved; a path from the root is looked for below each of `roots`."""
        return Rules(self.variables, self.flags, roots, max_characters=int(self.max_file_mb * MEBIBYTE))

    def told_of(self, path: str, *others: str | None) -> str:
        """Return a short hash of what a file's document depends on besides its content."""
        rules = (sorted(self.variables.items()), sorted(self.flags))
        return sha256(repr((self.media_type(path), rules, others)).encode()).hexdigest()[:8]


def too_large(size_bytes: int, limit_mb: float) -> SourceProblem:
    """Return what is said of a file over the limit."""
    return SourceProblem(
        f"{size_bytes / MEBIBYTE:.0f} MB is over the limit of {limit_mb:g} MB;"
        " split the file, raise `max_file_mb` or exclude it"
    )
