"""What an operator says about a Git source."""

import re
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from knowledge.sources.git.remote import is_branch, parse_remote
from knowledge.sources.text_files import FileSettings
from knowledge.sources.variables import VariableName

DEFAULT_TOKEN_ENV = "GIT_TOKEN"
Host = Literal["github", "gitlab", "bitbucket", "gitea"]
_BEFORE_HOST = re.compile(r"^(.*?//)?.*@", re.DOTALL)


class GitSettings(FileSettings):
    """One `[[sources]]` table of kind "git"."""

    url: str
    branch: str | None = None
    # A folder of the repository; the patterns start from it.
    path: str = ""
    # Whose form of links it is; `link` instead is for instance "https://docs.example/{path}#L{start_line}".
    host: Host | None = None
    token_env: VariableName | None = None
    username: str | None = Field(default=None, pattern=r"^[^\s:]+$")
    ssh_key_env: VariableName | None = None
    known_hosts: Path | None = None
    allow_private: bool = False
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


def _is_address(url: str) -> bool:
    try:
        parse_remote(url)
    except ValueError:
        return False
    return True
