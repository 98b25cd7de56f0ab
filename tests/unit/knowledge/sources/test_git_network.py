"""Which addresses git connects to: those that were checked, and no others."""

import asyncio
import os
import shlex
import socket
from pathlib import Path
from typing import Any

import pytest

from knowledge.errors import SourceProblem, SourceUnavailable
from knowledge.sources.git.access import Access, open_access
from knowledge.sources.git.clone import Clone
from knowledge.sources.git.program import Git
from knowledge.sources.git.remote import parse_remote
from knowledge.sources.git.repository import Repository
from knowledge.sources.git.settings import GitSettings
from tests.wire.git import make_source
from tests.wire.git_server import GitServer


class PublicNames(asyncio.SelectorEventLoop):
    """A loop in which every name leads to the same two public addresses."""

    async def getaddrinfo(self, host: object, port: object, **_: Any) -> list[Any]:
        addresses = ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", "93.184.216.34")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]


def access_to(url: str) -> Access:
    settings = GitSettings(name="docs", url=url)
    with asyncio.Runner(loop_factory=PublicNames) as runner:
        return runner.run(open_access(settings, parse_remote(url), {}))


@pytest.mark.parametrize("status", [301, 302, 307])
async def test_a_redirect_is_not_followed(tmp_path: Path, git_server: GitServer, status: int) -> None:
    """S37."""
    with GitServer(tmp_path) as elsewhere:
        git_server.behaviour.status, git_server.behaviour.location = status, f"{elsewhere.url}/team/docs.git/info/refs"

        with pytest.raises(SourceProblem, match=r"answers with a redirect.*into `url`"):
            await make_source(f"{git_server.url}/team/docs.git", tmp_path, allow_private=True).discover({})

        assert elsewhere.behaviour.seen == []


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "169.254.169.254", "10.0.0.1"]
)
async def test_a_private_address_is_refused_unasked(tmp_path: Path, git_server: GitServer, host: str) -> None:
    """S37."""
    url = f"http://{host}:{git_server.port}/team/docs.git"

    with pytest.raises(SourceProblem, match=r"not on the public internet.*allow_private"):
        await make_source(url, tmp_path).discover({})

    assert git_server.behaviour.seen == []


def test_git_is_told_the_addresses_that_were_checked() -> None:
    """S37: a name that leads elsewhere at the second look-up changes nothing."""
    access = access_to("https://git.example:8443/o/r.git")

    expected = "git.example:8443:[2606:2800:21f:cb07:6820:80da:af6b:8b2c],93.184.216.34"
    assert access.config["http.curloptResolve"] == expected


@pytest.mark.parametrize(
    ("url", "alias"), [("git@git.example:o/r.git", "git.example"), ("ssh://git.example:2222/r", "[git.example]:2222")]
)
def test_ssh_is_told_the_address_that_was_checked(url: str, alias: str) -> None:
    """S37: the host's key is still looked up under its name."""
    told = shlex.split(access_to(url).variables["GIT_SSH_COMMAND"])

    assert {"HostName=93.184.216.34", f"HostKeyAlias={alias}"} <= set(told)


async def test_git_connects_where_it_is_told_to(tmp_path: Path, git_server: GitServer) -> None:
    source = make_source(f"http://git.invalid:{git_server.port}/team/docs.git", tmp_path, allow_private=True)
    remote = parse_remote(f"http://git.invalid:{git_server.port}/team/docs.git")
    pinned = {"remote.origin.url": remote.url, "http.curloptResolve": f"git.invalid:{git_server.port}:127.0.0.1"}
    clone = Clone.of(remote, home=tmp_path, max_mb=1, lock_timeout_s=1)
    repository = Repository(remote, clone, Git(clone.folder, 10, {"PATH": os.environ["PATH"]}))
    async with repository.clone.alone():
        repository.clone.make()

    head = await repository.head(Access({"GIT_ALLOW_PROTOCOL": "http"}, pinned), None)

    assert head is not None
    with pytest.raises(SourceUnavailable, match="does not answer"):
        await source.discover({})


async def test_behind_a_proxy_names_are_the_proxys_affair() -> None:
    settings = GitSettings(name="docs", url="https://git.invalid/o/r.git")

    access = await open_access(settings, parse_remote(settings.url), {"https_proxy": "http://proxy.example:3128"})

    assert "http.curloptResolve" not in access.config
    for excepted in ("git.invalid", ".invalid", "*", "x.example, git.invalid"):
        with pytest.raises(SourceUnavailable):
            await open_access(
                settings, parse_remote(settings.url), {"https_proxy": "http://proxy.example", "no_proxy": excepted}
            )


async def test_git_trusts_the_authorities_that_other_programs_trust() -> None:
    settings = GitSettings(name="docs", url="https://93.184.216.34/o/r.git")

    access = await open_access(settings, parse_remote(settings.url), {"SSL_CERT_FILE": "/etc/ours.pem"})

    assert access.config["http.sslCAInfo"] == "/etc/ours.pem"
