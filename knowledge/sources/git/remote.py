"""The address of a repository, taken apart: what we do not know the meaning of is refused, so git never sees it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

Scheme = Literal["https", "http", "ssh", "file"]
_PORTS: Mapping[Scheme, int] = {"https": 443, "http": 80, "ssh": 22, "file": 0}
_SCHEMES: Mapping[str, Scheme] = {"https": "https", "http": "http", "ssh": "ssh"}
_HOST = r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?|\[[0-9A-Fa-f:.]+\]"
_USER = r"[A-Za-z0-9_][A-Za-z0-9_.+-]*"
# A path may not look like an option, nor hold what programs on the way would take apart once more.
_PATH = r"[^\s\x00-\x1f\x7f\\?#-][^\s\x00-\x1f\x7f\\?#]*"
# Before a colon may stand a user with a password behind it, which would be taken for a host and its path.
_SHORT_PATH = r"[^\s\x00-\x1f\x7f\\?#@-][^\s\x00-\x1f\x7f\\?#@]*"
_ADDRESS = re.compile(rf"([A-Za-z][A-Za-z0-9+.-]*)://(?:([^/]*)@)?({_HOST})(?::([0-9]{{1,5}}))?/({_PATH})")
_SHORT_SSH = re.compile(rf"(?:({_USER})@)?({_HOST}):(?!//)(/?{_SHORT_PATH})")
_COMMAND_TRANSPORT = re.compile(r"[A-Za-z0-9+.-]+::")
# What git allows in the name of a branch (git-check-ref-format), and no leading dash.
_NO_BRANCH = re.compile(r"^-|^/|/$|//|\.\.|@\{|\\|[\x00-\x20\x7f~^:?*\[]|\.$|(^|/)\.|\.lock(/|$)|^@$|^$")
_CREDENTIALS = re.compile(r"//[^/\s]*@")
# Names under which hosts answer on other ports than usual.
_SAME_HOST = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
_KNOWN = "write https://host/path, ssh://user@host/path, user@host:path or the path of a folder on this machine"


@dataclass(frozen=True, slots=True)
class Remote:
    """Where a repository is. `url` is what git is told, without any secret; a local path may be a relative one."""

    scheme: Scheme
    host: str
    port: int
    path: str
    url: str

    @property
    def bare_host(self) -> str:
        """The host without the brackets of an IPv6 address."""
        return self.host.strip("[]")

    @property
    def web_host(self) -> str:
        """The host's usual name."""
        return _SAME_HOST.get(self.host, self.host)

    @property
    def web(self) -> str:
        """Where people see the repository, if its host shows repositories at all."""
        is_usual = self.scheme == "ssh" or self.port == _PORTS[self.scheme]
        scheme, port = ("http" if self.scheme == "http" else "https"), ("" if is_usual else f":{self.port}")
        path = self.path.strip("/").removesuffix(".git").rstrip("/")
        return f"{scheme}://{self.web_host}{port}/{path}"


def parse_remote(url: str) -> Remote:
    """Take an address apart; raise ValueError with the remedy for all that is not plainly an address."""
    if _COMMAND_TRANSPORT.match(url):
        raise ValueError(f"runs a program to reach the repository, which is never done; {_KNOWN}")
    if url.startswith("-") or not url.isprintable() or url != url.strip():
        raise ValueError(f"is no address; {_KNOWN}")
    if url.lower().startswith("file://"):
        return _local(_path_of_file_url(url))
    if "://" in url:
        return _with_scheme(url)
    if ":" in url.partition("/")[0]:
        return _short_ssh(url)
    return _local(url)


def is_branch(name: str) -> bool:
    """Tell whether git can have a branch of this name, and we can name it to git."""
    return _NO_BRANCH.search(name) is None


def masked(text: str) -> str:
    """Return a text without the user names and passwords that addresses in it hold."""
    return _CREDENTIALS.sub("//***@", text)


def _with_scheme(url: str) -> Remote:
    found = _ADDRESS.fullmatch(url)
    if not found:
        raise ValueError(f"is no address that we understand; {_KNOWN}")
    name, user, host, port, path = found.groups()
    scheme = _SCHEMES.get(name.lower())
    if scheme is None:
        raise ValueError(f"{name}:// is not supported; {_KNOWN}")
    if user is not None and scheme != "ssh":
        raise ValueError("holds credentials; take them out and put the token into the variable GIT_TOKEN")
    if user is not None and not re.fullmatch(_USER, user):
        raise ValueError("holds more than a user name before the @; a key's path belongs into `ssh_key_env`'s variable")
    number = int(port) if port else _PORTS[scheme]
    if not 0 < number < 65_536:
        raise ValueError(f"port {number} does not exist; correct it")
    at, colon = (f"{user}@" if user else ""), (f":{port}" if port else "")
    return Remote(scheme, host.lower(), number, path, f"{scheme}://{at}{host.lower()}{colon}/{path}")


def _short_ssh(url: str) -> Remote:
    found = _SHORT_SSH.fullmatch(url)
    if not found:
        raise ValueError(f"is no address that we understand; {_KNOWN}")
    _, host, path = found.groups()
    return Remote("ssh", host.lower(), _PORTS["ssh"], path, url)


def _path_of_file_url(url: str) -> str:
    host, slash, path = url[len("file://") :].partition("/")
    if host not in ("", "localhost") or not slash:
        raise ValueError("names another machine; write file:///path for a folder on this one")
    return unquote(f"/{path}")


def _local(path: str) -> Remote:
    if not path or "\0" in path:
        raise ValueError(f"is no address; {_KNOWN}")
    return Remote("file", "", 0, path, path)
