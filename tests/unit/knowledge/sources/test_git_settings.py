"""Which addresses and branches are taken, what is said of others, and where links lead."""

import pytest
from pydantic import ValidationError

from knowledge.sources.formats import media_type
from knowledge.sources.git.links import links_to
from knowledge.sources.git.remote import parse_remote
from knowledge.sources.git.settings import GitSettings


def settings(**table: object) -> GitSettings:
    return GitSettings.model_validate({"name": "docs", "url": "https://github.com/o/r.git", **table})


def problem(**table: object) -> str:
    with pytest.raises(ValidationError) as caught:
        settings(**table)
    (error,) = caught.value.errors()
    return f"{error['input']} {error['msg']}"


def link(url: str, path: str = "docs/a.md", branch: str = "main", **table: object) -> str | None:
    chosen = settings(url=url, **table)
    return links_to(chosen, parse_remote(chosen.url), branch).of(path, media_type(path))


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://github.com/o/r.git", "https://github.com/o/r.git"),
        ("HTTPS://GitHub.com:8443/o/r", "https://github.com:8443/o/r"),
        ("ssh://git@host.example:2222/o/r.git", "ssh://git@host.example:2222/o/r.git"),
        ("ssh://[::1]/o/r.git", "ssh://[::1]/o/r.git"),
        ("git@host.example:o/r.git", "git@host.example:o/r.git"),
        ("host.example:/srv/r.git", "host.example:/srv/r.git"),
        ("/srv/r.git", "/srv/r.git"),
        ("repositories/r.git", "repositories/r.git"),
        ("file:///srv/my%20r.git", "/srv/my r.git"),
    ],
)
def test_addresses_are_taken_as_operators_write_them(url: str, told: str) -> None:
    assert parse_remote(settings(url=url).url).url == told


@pytest.mark.parametrize(
    "url",
    [
        "",
        "--upload-pack=touch /tmp/x",
        "-oProxyCommand=x",
        "ext::sh -c true",
        "fd::3",
        "git://github.com/o/r",
        "ftp://github.com/o/r",
        "https://-host/o/r",
        "ssh://-oProxyCommand=true/o/r",
        "-oProxyCommand=true:o/r",
        "git@host:-o/r",
        "https://host/--option",
        "https://host",
        "https://host:99999/o/r",
        "https://host/o/r#x",
        "https://host\\@other/o/r",
        "https://host/o r",
        "https://host/o\nr",
        "file://other/srv/r.git",
    ],
)
def test_an_address_that_is_not_plainly_one_is_refused(url: str) -> None:
    """S40: neither options nor programs as transports reach git."""
    assert any(remedy in problem(url=url) for remedy in ("write", "correct", "take them out"))


@pytest.mark.parametrize(
    "url",
    [
        "https://user:hunter2@host/o/r",
        "https://hunter2@host/o/r",
        "https://user:hunt/er2@host/o/r",
        "https://user:hunter2@host@other/o/r",
        "https://host/o/r?private_token=hunter2",
        "ssh://git:hunter2@host/o/r",
        "git:hunter2@host:o/r",
        "ftp://user:hunter2@host/o/r",
    ],
)
def test_a_password_in_an_address_is_refused_and_not_repeated(url: str) -> None:
    """S35: problems with settings are printed with their values."""
    assert "hunt" not in problem(url=url)
    assert "***" in problem(url=url)


@pytest.mark.parametrize("branch", ["main", "release/1.2", "ветка", "a-b_c", "@work"])
def test_names_of_branches_are_taken(branch: str) -> None:
    assert settings(branch=branch).branch == branch


@pytest.mark.parametrize(
    "branch", ["", "-x", "--upload-pack=x", "a..b", "a b", "a:b", "a*", "a.lock", "/a", "a/", "a//b", "@", "a@{1}"]
)
def test_what_no_branch_can_be_called_is_refused(branch: str) -> None:
    """S40."""
    assert "is no name of a branch" in problem(branch=branch)


@pytest.mark.parametrize("path", ["/etc", "../x", "docs/../../x", "a\nb"])
def test_a_folder_outside_the_repository_is_refused(path: str) -> None:
    assert "is no folder of the repository" in problem(path=path)


@pytest.mark.parametrize(
    "table",
    [
        {"audience": []},
        {"link": "https://x.example/"},
        {"link": "ftp://x.example/{path}"},
        {"host": "sourceforge"},
        {"token_env": "not a name"},
        {"max_files": 0},
        {"timeout_minutes": 0},
        {"x": 1},
    ],
)
def test_a_setting_without_sense_is_refused(table: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        settings(**table)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://github.com/o/r.git", "https://github.com/o/r/blob/main/docs/a.md?plain=1#L{start_line}-L{end_line}"),
        ("git@github.com:o/r.git", "https://github.com/o/r/blob/main/docs/a.md?plain=1#L{start_line}-L{end_line}"),
        (
            "ssh://git@ssh.github.com:443/o/r",
            "https://github.com/o/r/blob/main/docs/a.md?plain=1#L{start_line}-L{end_line}",
        ),
        (
            "https://gitlab.com/g/s/r.git",
            "https://gitlab.com/g/s/r/-/blob/main/docs/a.md?plain=1#L{start_line}-{end_line}",
        ),
        ("git@bitbucket.org:o/r.git", "https://bitbucket.org/o/r/src/main/docs/a.md#lines-{start_line}:{end_line}"),
        (
            "https://codeberg.org/o/r",
            "https://codeberg.org/o/r/src/branch/main/docs/a.md?display=source#L{start_line}-L{end_line}",
        ),
        ("https://git.example/o/r", None),
        ("/srv/r.git", None),
    ],
)
def test_links_lead_to_the_lines_on_the_host(url: str, expected: str | None) -> None:
    assert link(url) == expected


def test_without_lines_a_link_leads_to_what_readers_see() -> None:
    chosen = settings(url="https://github.com/o/r")
    links = links_to(chosen, parse_remote(chosen.url), "main")

    assert links.of("a.md", "text/markdown", has_lines=False) == "https://github.com/o/r/blob/main/a.md"


def test_a_host_of_ones_own_is_named_in_the_settings() -> None:
    expected = "https://git.example:8443/o/r/-/blob/main/a.txt#L{start_line}-{end_line}"

    assert link("https://git.example:8443/o/r.git", "a.txt", host="gitlab") == expected


def test_whatever_a_name_holds_stays_in_its_place() -> None:
    url = link("https://github.com/o/r", "a b/{end_line}?#%.txt", branch="x/{path}#1")

    assert (
        url
        == "https://github.com/o/r/blob/x/%7Bpath%7D%231/a%20b/%7Bend_line%7D%3F%23%25.txt#L{start_line}-L{end_line}"
    )


def test_a_template_of_ones_own_wins() -> None:
    url = link("https://github.com/o/r", "a b.md", link="https://docs.example/{branch}/{path}#{anchor}")

    assert url == "https://docs.example/main/a%20b.md#{anchor}"
