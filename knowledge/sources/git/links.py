"""Where people see a file of the repository, at the lines of a passage."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from knowledge.links import without_lines
from knowledge.sources.formats import MARKDOWN
from knowledge.sources.git.remote import Remote
from knowledge.sources.git.settings import GitSettings, Host
from knowledge.sources.text_files import PLACE

_HOSTS: Mapping[str, Host] = {
    "github.com": "github",
    "gitlab.com": "gitlab",
    "bitbucket.org": "bitbucket",
    "codeberg.org": "gitea",
    "gitea.com": "gitea",
}
# {source} asks a host for the lines of a file that it would otherwise show rendered, without lines.
_FORMS: Mapping[Host, str] = {
    "github": "{web}/blob/{branch}/{path}{source}#L{start_line}-L{end_line}",
    "gitlab": "{web}/-/blob/{branch}/{path}{source}#L{start_line}-{end_line}",
    "bitbucket": "{web}/src/{branch}/{path}{source}#lines-{start_line}:{end_line}",
    "gitea": "{web}/src/branch/{branch}/{path}{source}#L{start_line}-L{end_line}",
}
_AS_SOURCE: Mapping[Host, str] = {
    "github": "?plain=1",
    "gitlab": "?plain=1",
    "bitbucket": "",
    "gitea": "?display=source",
}


@dataclass(frozen=True, slots=True)
class Links:
    """Makes addresses; they keep the places of `knowledge.links`. Without a template there are none."""

    template: str | None
    as_source: str = ""

    def of(self, path: str, kind: str, *, has_lines: bool = True) -> str | None:
        """Return where a file of a media type is seen; without lines, as its host shows it to readers."""
        if self.template is None:
            return None
        as_source = self.as_source if has_lines and kind == MARKDOWN else ""
        address = self.template.replace("{source}", as_source).replace(PLACE, quote(path))
        return address if has_lines else without_lines(address)


def host_of(settings: GitSettings, remote: Remote) -> Host | None:
    """Return which kind of host a repository is on; None when nobody said and its name says nothing."""
    return settings.host or _HOSTS.get(remote.web_host)


def links_to(settings: GitSettings, remote: Remote, branch: str) -> Links:
    """Return how to link to the files of a branch."""
    if settings.link is not None:
        return Links(settings.link.replace("{branch}", quote(branch)))
    host = host_of(settings, remote)
    if host is None or remote.scheme == "file":
        return Links(None)
    template = _FORMS[host].replace("{branch}", quote(branch)).replace("{web}", quote(remote.web, safe=":/[]~%@+,="))
    return Links(template, _AS_SOURCE[host])
