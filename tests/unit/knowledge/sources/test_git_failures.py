"""What is said when a remote cannot be read, and who has to act then."""

import asyncio
import socket
from base64 import b64encode
from pathlib import Path

import pytest

from knowledge.errors import SourceProblem, SourceUnavailable
from tests.wire.git import command_lines, fake_program, make_remote, make_source
from tests.wire.git_server import GitServer

TOKEN = "ghp_CanaryToken0123456789"
ENCODED = b64encode(f"x-access-token:{TOKEN}".encode()).decode()


@pytest.mark.parametrize(
    ("status", "error", "problem"),
    [
        (500, SourceUnavailable, "does not answer"),
        (503, SourceUnavailable, "does not answer"),
        (429, SourceUnavailable, "does not answer"),
        (403, SourceProblem, "access was denied"),
        (404, SourceProblem, "there is no such repository"),
    ],
)
async def test_what_a_server_answers_decides_who_acts(
    tmp_path: Path, git_server: GitServer, status: int, error: type[Exception], problem: str
) -> None:
    git_server.behaviour.status = status

    with pytest.raises(error, match=f"source 'docs': .*{problem}"):
        await make_source(f"{git_server.url}/team/docs.git", tmp_path, allow_private=True).discover({})


async def test_a_server_that_is_not_there_is_tried_later(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    with pytest.raises(SourceUnavailable, match="does not answer"):
        await make_source(f"http://127.0.0.1:{port}/docs.git", tmp_path, allow_private=True).discover({})


async def until_no_process_names(url: str) -> None:
    """Wait for processes that were killed: the last of them is no child of ours."""
    for _ in range(50):
        if url not in command_lines():
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"a process still works on {url}")


async def test_a_server_that_is_silent_is_given_up(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/docs.git"
        source = make_source(url, tmp_path, allow_private=True, timeout_minutes=0.01)

        with pytest.raises(SourceUnavailable, match=r"`git ls-remote` was not done within 0\.01 minutes"):
            await source.discover({})

    await until_no_process_names(url)


async def test_a_listing_that_is_cancelled_leaves_no_process(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/docs.git"
        listing = asyncio.create_task(make_source(url, tmp_path, allow_private=True).discover({}))
        connection, _ = await asyncio.to_thread(silent.accept)
        listing.cancel()

        with pytest.raises(asyncio.CancelledError):
            await listing
        connection.close()

    await until_no_process_names(url)


async def test_a_folder_that_is_missing_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(SourceProblem, match=r"nowhere\.git' does not exist; correct `url`"):
        await make_source("nowhere.git", tmp_path).discover({})


async def test_a_folder_that_is_no_repository_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()

    with pytest.raises(SourceProblem, match=r"there is no such repository.*correct `url`"):
        await make_source("folder", tmp_path).discover({})


async def test_a_machine_without_git_says_so(tmp_path: Path) -> None:
    make_remote(tmp_path / "remote.git", {"a.md": "Text."})

    with pytest.raises(SourceProblem, match="`git` is not installed"):
        await make_source("remote.git", tmp_path, environment={"PATH": str(tmp_path)}).discover({})


async def test_a_git_that_is_too_old_says_so(tmp_path: Path) -> None:
    make_remote(tmp_path / "remote.git", {"a.md": "Text."})
    environment = fake_program(tmp_path, "git", "echo git version 2.34.1")

    with pytest.raises(SourceProblem, match=r"git version 2\.34\.1 is too old; install git 2\.39 or newer"):
        await make_source("remote.git", tmp_path, environment=environment).discover({})


@pytest.mark.parametrize(
    ("says", "error", "problem"),
    [
        ("Host key verification failed.", SourceProblem, r"its host key is not known.*ssh-keyscan.*`known_hosts`"),
        ("git@h: Permission denied (publickey).", SourceProblem, r"the SSH key was refused: `ssh_key_env`"),
        ("ERROR: Repository not found.", SourceProblem, r"there is no such repository"),
        ("ssh: connect to host h port 22: Connection refused", SourceUnavailable, "does not answer"),
        ("ssh: connect to host h port 22: Connection timed out", SourceUnavailable, "does not answer"),
        ("kex_exchange_identification: read: Connection reset by peer", SourceUnavailable, "does not answer"),
        ("something nobody has heard of", SourceProblem, "git failed: something nobody"),
    ],
)
async def test_what_ssh_says_decides_who_acts(tmp_path: Path, says: str, error: type[Exception], problem: str) -> None:
    environment = fake_program(tmp_path, "ssh", f"echo '{says}' >&2; exit 255")
    source = make_source("git@127.0.0.1:o/r.git", tmp_path, environment=environment, allow_private=True)

    with pytest.raises(error, match=problem):
        await source.discover({})


async def test_what_a_server_says_is_shown_on_one_line_without_secrets_or_controls(tmp_path: Path) -> None:
    says = f"printf 'remote: https://me:{TOKEN}@h/ \\033[31mno\\nsecond' >&2; exit 255"
    source = make_source(
        "git@127.0.0.1:o/r.git", tmp_path, environment=fake_program(tmp_path, "ssh", says), allow_private=True
    )

    with pytest.raises(SourceProblem) as caught:
        await source.discover({})

    assert str(caught.value).isprintable()
    assert "https://***@h/" in str(caught.value)
    assert TOKEN not in str(caught.value)
