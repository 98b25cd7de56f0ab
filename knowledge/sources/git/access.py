"""How git reaches a remote: over which transport, to which address, with whose key or token.

All of it goes to git in its environment, never in its arguments, which every user of the machine can read.
"""

import shlex
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from knowledge.errors import SourceProblem
from knowledge.sources.addresses import public_addresses
from knowledge.sources.git.links import host_of
from knowledge.sources.git.remote import Remote
from knowledge.sources.git.settings import DEFAULT_TOKEN_ENV, GitSettings, Host

SSH_CONNECT_TIMEOUT_S = 30
SSH_ALIVE_INTERVAL_S = 15
# The user name that a host wants beside a token.
_USERNAMES: Mapping[Host | None, str] = {
    "github": "x-access-token",
    "gitlab": "oauth2",
    "bitbucket": "x-token-auth",
    "gitea": "x-access-token",
    None: "git",
}


@dataclass(frozen=True, slots=True)
class Access:
    """What git is given to reach the remote; `secrets` must appear nowhere else."""

    variables: Mapping[str, str]
    config: Mapping[str, str]
    secrets: tuple[str, ...] = field(default=(), repr=False)


async def open_access(settings: GitSettings, remote: Remote, environment: Mapping[str, str]) -> Access:
    """Look up the host and the credentials as they are now; raise SourceProblem naming the setting that is wrong.

    Raise SourceUnavailable when the host's name leads nowhere.
    """
    config = {"remote.origin.url": remote.url, **_authorities(environment)}
    allowed = {"GIT_ALLOW_PROTOCOL": remote.scheme}
    if remote.scheme == "file":
        return Access(allowed, config)
    addresses = await _checked_addresses(settings, remote, environment)
    if remote.scheme == "ssh":
        command = _ssh_command(settings, remote, addresses, environment)
        return Access({**allowed, "GIT_SSH_COMMAND": command, "GIT_SSH_VARIANT": "ssh"}, config)
    if addresses:
        places = ",".join(f"[{address}]" if ":" in address else address for address in addresses)
        config["http.curloptResolve"] = f"{remote.bare_host}:{remote.port}:{places}"
    token = _token(settings, environment)
    if token is None:
        return Access(allowed, config)
    if remote.scheme == "http" and not settings.allow_private:
        raise SourceProblem("a token is not sent over http://, where anybody could read it; use https:// in `url`")
    username = settings.username or _USERNAMES[host_of(settings, remote)]
    encoded = b64encode(f"{username}:{token}".encode()).decode()
    # Git sends the header to addresses below this one only.
    config[f"http.{remote.url}.extraHeader"] = f"Authorization: Basic {encoded}"
    return Access(allowed, config, (token, encoded))


async def _checked_addresses(settings: GitSettings, remote: Remote, environment: Mapping[str, str]) -> list[str]:
    """Return the addresses to connect to; none when any will do.

    Behind a proxy names are resolved by the proxy, and what it may reach is its own affair.
    """
    if settings.allow_private or (remote.scheme != "ssh" and _uses_proxy(remote, environment)):
        return []
    addresses = await public_addresses(remote.bare_host, remote.port, allow_private=False)
    return [] if remote.bare_host in addresses else addresses


def _uses_proxy(remote: Remote, environment: Mapping[str, str]) -> bool:
    # Curl reads HTTP_PROXY in small letters only.
    names = (f"{remote.scheme}_proxy", "all_proxy", "ALL_PROXY") + (
        ("HTTPS_PROXY",) if remote.scheme == "https" else ()
    )
    excepted = (environment.get("no_proxy") or environment.get("NO_PROXY") or "").split(",")
    ends = [end.strip().lstrip(".") for end in excepted if end.strip()]
    is_excepted = any(end == "*" or f".{remote.bare_host}".endswith(f".{end}") for end in ends)
    return any(environment.get(name) for name in names) and not is_excepted


def _authorities(environment: Mapping[str, str]) -> dict[str, str]:
    """Return where git finds the authorities of certificates; only other programs look at these variables."""
    settings = {"SSL_CERT_FILE": "http.sslCAInfo", "SSL_CERT_DIR": "http.sslCAPath"}
    return {setting: environment[name] for name, setting in settings.items() if environment.get(name)}


def _token(settings: GitSettings, environment: Mapping[str, str]) -> str | None:
    name = settings.token_env or DEFAULT_TOKEN_ENV
    token = environment.get(name, "").strip()
    if not token and settings.token_env:
        raise SourceProblem(f"the environment variable {name} of `token_env` is not set; put the token into it")
    if not token.isprintable() or not token.isascii() or " " in token:
        raise SourceProblem(f"the environment variable {name} holds more than a token; correct it")
    return token or None


def _ssh_command(
    settings: GitSettings, remote: Remote, addresses: Sequence[str], environment: Mapping[str, str]
) -> str:
    options = {
        "BatchMode": "yes",
        "StrictHostKeyChecking": "yes",
        "CheckHostIP": "no",
        "ConnectTimeout": str(SSH_CONNECT_TIMEOUT_S),
        "ServerAliveInterval": str(SSH_ALIVE_INTERVAL_S),
        "ForwardAgent": "no",
        "ClearAllForwardings": "yes",
        "PermitLocalCommand": "no",
    }
    if addresses:
        alias = remote.bare_host if remote.port == 22 else f"[{remote.bare_host}]:{remote.port}"
        # A machine without IPv6 often sees names with addresses of both kinds, and ssh is told one only.
        options |= {"HostName": min(addresses, key=lambda address: ":" in address), "HostKeyAlias": alias}
    if settings.known_hosts is not None:
        path = _existing(settings.known_hosts, "`known_hosts`").replace("%", "%%")
        options |= {"UserKnownHostsFile": f'"{path}"', "GlobalKnownHostsFile": "/dev/null"}
    arguments = ["ssh", "-F", "none", *(part for name, value in options.items() for part in ("-o", f"{name}={value}"))]
    if settings.ssh_key_env is not None:
        arguments += ["-o", "IdentitiesOnly=yes", "-i", _key(settings.ssh_key_env, environment)]
    return shlex.join(arguments)


def _key(variable: str, environment: Mapping[str, str]) -> str:
    path = environment.get(variable, "").strip()
    if not path:
        raise SourceProblem(
            f"the environment variable {variable} of `ssh_key_env` is not set; put the path of the private key into it"
        )
    if "\n" in path or "PRIVATE KEY" in path:
        raise SourceProblem(
            f"the environment variable {variable} holds a key; save it to a file of its own, and put the path there"
        )
    return _existing(Path(path), f"the environment variable {variable}")


def _existing(path: Path, setting: str) -> str:
    path = path.expanduser()
    if not path.is_file():
        raise SourceProblem(f"the file {str(path)!r} of {setting} does not exist; correct the path")
    return str(path.absolute())
