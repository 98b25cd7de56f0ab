"""With whose token or key a remote is reached, and that nobody else sees it."""

import logging
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from knowledge.errors import SourceProblem
from knowledge.sources.git.access import open_access
from knowledge.sources.git.remote import parse_remote
from knowledge.sources.git.settings import GitSettings
from tests.wire.git import command_lines, fake_program, make_remote, make_source, read_new
from tests.wire.git_server import GitServer

TOKEN = "ghp_CanaryToken0123456789"
ENCODED = b64encode(f"x-access-token:{TOKEN}".encode()).decode()


async def test_a_repository_is_read_over_http(tmp_path: Path, git_server: GitServer) -> None:
    source = make_source(f"{git_server.url}/team/docs.git", tmp_path, allow_private=True)

    stored, documents = await read_new(source, {})
    requests = len(git_server.behaviour.seen)
    await read_new(source, stored)

    assert {path: document.text for path, document in documents.items()} == {"a.md": "Text.", "b.md": "Another text."}
    # To ask for a branch costs two requests, whatever the repository holds.
    assert len(git_server.behaviour.seen) - requests == 2
    await source.close()


async def test_a_server_that_gives_no_single_files_is_read_whole(tmp_path: Path, git_server: GitServer) -> None:
    git_server.behaviour.speaks_version_2 = False
    source = make_source(f"{git_server.url}/team/docs.git", tmp_path, allow_private=True)

    _, documents = await read_new(source, {})

    assert {path: document.text for path, document in documents.items()} == {"a.md": "Text.", "b.md": "Another text."}
    await source.close()


async def test_the_token_opens_a_private_repository(tmp_path: Path, git_server: GitServer) -> None:
    git_server.behaviour.credentials = f"x-access-token:{TOKEN}"
    source = make_source(
        f"{git_server.url}/team/docs.git", tmp_path, environment={"GIT_TOKEN": TOKEN}, allow_private=True, host="github"
    )

    _, documents = await read_new(source, {})

    assert sorted(documents) == ["a.md", "b.md"]
    await source.close()


@pytest.mark.parametrize(
    ("host", "table", "username"),
    [
        ("github", {}, "x-access-token"),
        ("gitlab", {}, "oauth2"),
        ("bitbucket", {}, "x-token-auth"),
        ("gitea", {}, "x-access-token"),
        ("gitlab", {"username": "gitlab+deploy-token-7"}, "gitlab+deploy-token-7"),
    ],
)
async def test_each_host_gets_the_user_name_it_wants(
    tmp_path: Path, git_server: GitServer, host: str, table: dict[str, Any], username: str
) -> None:
    git_server.behaviour.credentials = f"{username}:{TOKEN}"
    url, environment = f"{git_server.url}/team/docs.git", {"WIKI_TOKEN": TOKEN}
    settings = {"allow_private": True, "host": host, "token_env": "WIKI_TOKEN", **table}

    listing = await make_source(url, tmp_path, environment=environment, **settings).discover({})

    assert len(listing.entries) == 2


@pytest.mark.parametrize("environment", [{}, {"GIT_TOKEN": TOKEN}])
async def test_without_the_right_token_the_problem_names_the_setting(
    tmp_path: Path, git_server: GitServer, environment: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    """S34-S36: the message says what to do; the token is in it as little as in the log or among the processes."""
    caplog.set_level(logging.DEBUG)
    seen: list[str] = []
    git_server.behaviour.credentials = "x-access-token:another"
    git_server.behaviour.on_request = lambda: seen.append(command_lines())
    source = make_source(
        f"{git_server.url}/team/docs.git", tmp_path, environment=environment, allow_private=True, host="github"
    )

    with pytest.raises(SourceProblem, match=r"access was denied: put a token .* GIT_TOKEN") as caught:
        await source.discover({})

    told = f"{caught.value!r} {caught.value.__cause__!r} {caplog.text}"
    assert "docs.git" in seen[0]
    for secret in (TOKEN, ENCODED):
        assert secret not in told + "".join(seen)


async def test_no_secret_is_written_to_the_clone(tmp_path: Path, git_server: GitServer) -> None:
    git_server.behaviour.credentials = f"x-access-token:{TOKEN}"
    source = make_source(
        f"{git_server.url}/team/docs.git", tmp_path, environment={"GIT_TOKEN": TOKEN}, allow_private=True, host="github"
    )
    await read_new(source, {})
    await source.close()

    written = b"".join(file.read_bytes() for file in (tmp_path / "git").rglob("*") if file.is_file())

    assert TOKEN.encode() not in written
    assert ENCODED.encode() not in written


async def test_a_token_is_not_sent_in_the_clear_unless_the_network_is_ones_own() -> None:
    settings = GitSettings(name="docs", url="http://93.184.216.34/o/r.git")

    with pytest.raises(SourceProblem, match="use https:// in `url`"):
        await open_access(settings, parse_remote(settings.url), {"GIT_TOKEN": TOKEN})


@pytest.mark.parametrize(
    ("environment", "problem"),
    [
        ({}, "WIKI_TOKEN of `token_env` is not set"),
        ({"WIKI_TOKEN": " "}, "WIKI_TOKEN of `token_env` is not set"),
        ({"WIKI_TOKEN": f"{TOKEN}\r\nX-Header: y"}, "WIKI_TOKEN holds more than a token"),
    ],
)
async def test_a_token_that_is_none_is_a_problem(environment: dict[str, str], problem: str) -> None:
    settings = GitSettings(name="docs", url="https://93.184.216.34/o/r.git", token_env="WIKI_TOKEN")

    with pytest.raises(SourceProblem, match=problem) as caught:
        await open_access(settings, parse_remote(settings.url), environment)

    assert TOKEN not in str(caught.value)


async def test_a_relative_path_starts_at_the_configuration(tmp_path: Path) -> None:
    make_remote(tmp_path / "remote.git", {"a.md": "Text."})

    assert len((await make_source("./remote.git", tmp_path).discover({})).entries) == 1


# Notes its arguments, and runs the last of them as the server would.
FAKE_SSH = 'printf "%s\\n" "$@" >"{notes}"; for last; do :; done; exec sh -c "$last"'


async def test_a_repository_is_read_over_ssh_with_a_key_and_a_known_host(tmp_path: Path) -> None:
    remote = make_remote(tmp_path / "remote.git", {"a.md": "Text."})
    key, hosts, notes = tmp_path / "deploy key", tmp_path / "known hosts", tmp_path / "arguments"
    key.touch()
    hosts.touch()
    environment = {**fake_program(tmp_path, "ssh", FAKE_SSH.format(notes=notes)), "DEPLOY_KEY": str(key)}
    source = make_source(
        f"ssh://git@127.0.0.1:2222{remote.url}",
        tmp_path,
        environment=environment,
        allow_private=True,
        ssh_key_env="DEPLOY_KEY",
        known_hosts="known hosts",
    )

    _, documents = await read_new(source, {})

    told = notes.read_text(encoding="utf-8").splitlines()
    assert documents["a.md"].text == "Text."
    assert told[told.index("-i") + 1] == str(key)
    assert {"StrictHostKeyChecking=yes", "BatchMode=yes", f'UserKnownHostsFile="{hosts}"'} <= set(told)
    assert (told[told.index("-p") + 1], told[-2]) == ("2222", "git@127.0.0.1")
    await source.close()


@pytest.mark.parametrize(
    ("environment", "problem"),
    [
        ({}, "DEPLOY_KEY of `ssh_key_env` is not set"),
        ({"DEPLOY_KEY": "/nowhere/key"}, "'/nowhere/key' of the environment variable DEPLOY_KEY does not exist"),
        ({"DEPLOY_KEY": "-----BEGIN OPENSSH PRIVATE KEY-----\nsecret"}, "DEPLOY_KEY holds a key; save it to a file"),
    ],
)
async def test_a_key_that_is_none_is_a_problem(environment: dict[str, str], problem: str) -> None:
    settings = GitSettings(name="docs", url="git@127.0.0.1:o/r.git", allow_private=True, ssh_key_env="DEPLOY_KEY")

    with pytest.raises(SourceProblem, match=problem) as caught:
        await open_access(settings, parse_remote(settings.url), environment)

    assert "secret" not in str(caught.value)
