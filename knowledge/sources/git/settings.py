"""What an operator says about a Git source."""

import re
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from knowledge.sources.audience_tags import AudienceTags
from knowledge.sources.git.remote import is_branch, parse_remote
from knowledge.sources.text_files import TEXT_FILES
from knowledge.sources.variables import VariableName
from knowledge.types import PUBLIC

DEFAULT_TOKEN_ENV = "GIT_TOKEN"
Host = Literal["github", "gitlab", "bitbucket", "gitea"]
_PLACE = "{path}"
_BEFORE_HOST = re.compile(r"^(.*?//)?.*@", re.DOTALL)


class GitSettings(BaseModel):
    """One `[[sources]]` table of kind "git"."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    url: str
    branch: str | None = None
    # A folder of the repository; the patterns start from it.
    path: str = ""
    include: tuple[str, ...] = TEXT_FILES
    exclude: tuple[str, ...] = ()
    audience: AudienceTags = Field(default=(PUBLIC,), min_length=1)
    host: Host | None = None
    # Instead of the host's own form, for instance "https://docs.example/{path}#L{start_line}".
    link: str | None = Field(default=None, pattern=r"^https?://")
    token_env: VariableName | None = None
    username: str | None = Field(default=None, pattern=r"^[^\s:]+$")
    ssh_key_env: VariableName | None = None
    known_hosts: Path | None = None
    allow_private: bool = False
    max_file_mb: float = Field(default=10.0, gt=0, le=1_000)
    max_repository_mb: float = Field(default=2_000.0, gt=0, le=1_000_000)
    max_files: int = Field(default=100_000, gt=0, le=2_000_000)
    timeout_minutes: float = Field(default=30.0, gt=0, le=1_440)

    @model_validator(mode="before")
    @classmethod
    def _without_credentials(cls, table: Any) -> Any:
        """Problems of a setting are shown with its value; this value may hold a password."""
        if isinstance(table, dict) and isinstance(table.get("url"), str) and not _is_address(table["url"]):
            shown = _BEFORE_HOST.sub(r"\1***@", table["url"].partition("?")[0])
            return {**table, "url": shown + ("?***" if "?" in table["url"] else "")}
        return table

    @field_validator("url")
    @classmethod
    def _is_an_address(cls, url: str) -> str:
        parse_remote(url)
        return url

    @field_validator("branch")
    @classmethod
    def _is_a_branch(cls, branch: str | None) -> str | None:
        if branch is not None and not is_branch(branch):
            raise ValueError("is no name of a branch; write it as `git branch` shows it, for instance main")
        return branch

    @field_validator("path")
    @classmethod
    def _is_inside(cls, path: str) -> str:
        parts = PurePosixPath(path).parts
        if path.startswith("/") or ".." in parts or not path.isprintable():
            raise ValueError("is no folder of the repository; write it from the repository's root, for instance docs")
        return "/".join(parts)

    @field_validator("link")
    @classmethod
    def _has_a_place(cls, link: str | None) -> str | None:
        if link is not None and _PLACE not in link:
            raise ValueError(f"has no {_PLACE}; write it where the file's path belongs")
        return link


def _is_address(url: str) -> bool:
    try:
        parse_remote(url)
    except ValueError:
        return False
    return True
