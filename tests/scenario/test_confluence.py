"""Confluence from the server to the answer, through the command line: what changes there is right after one sync."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.scenario.conftest import Commands
from tests.wire.confluence import ConfluenceServer, Wiki, serve

CODE = "<h2>Alarm</h2><p>The alarm code of the archive is {}.</p>"
QUESTION = "What is the alarm code of the archive?"
FILLER = ("Lunch is served at noon.", "Bicycles stand in the yard.", "The printer needs blue paper.", "Plants: Monday.")


@dataclass(frozen=True)
class Site:
    """A wiki, its server, and the commands of a bot that reads it."""

    wiki: Wiki
    server: ConfluenceServer
    commands: Commands
    name: str

    def command(self, *arguments: str) -> Any:
        secrets = {"CONFLUENCE_EMAIL": self.server.email, "CONFLUENCE_TOKEN": self.server.token}
        return self.commands.json(*arguments, **secrets, ANSWERDESK_ANSWER__THRESHOLD="0.3")

    def sync(self, *arguments: str) -> Any:
        outcome = self.command("sync", *arguments)["sources"][self.name]
        assert outcome["error"] is None
        return outcome

    def found(self, question: str, *reader: str) -> set[str]:
        return {hit["document"] for hit in self.command("search", question, *reader)["hits"]}


@pytest.fixture
def site(commands: Commands) -> Iterator[Site]:
    wiki = Wiki()
    for name in ("ann", "bob"):
        wiki.add_user(name, name=name.title(), email=f"{name}@example.com")
    wiki.add_group("g-staff", "staff", ["ann", "bob"])
    wiki.add_space("DOCS", groups=["g-staff"])
    wiki.add_space("BOARD", users=["ann"])
    for number, text in enumerate(FILLER):
        wiki.add_page("DOCS", f"Filler {number}", f"<p>{text}</p>")
    with serve(wiki, "cloud") as server:
        name = commands.configured_name
        commands.configure(
            f'[[sources]]\nname = "{name}"\nkind = "confluence"\nurl = "{server.url}"\ndeployment = "cloud"\n'
            'spaces = ["DOCS", "BOARD"]\nallow_private = true\n'
        )
        yield Site(wiki, server, commands, name)


ANN, BOB, NOBODY = ("--as", "ann@example.com"), ("--as", "Bob@example.com"), ()


def test_a_deleted_page_is_found_by_no_search_and_cited_by_no_answer(site: Site) -> None:
    """S22."""
    page = site.wiki.add_page("DOCS", "Archive", CODE.format("AX-77"))
    site.sync()
    before = site.command("ask", QUESTION, *ANN)
    site.wiki.trash(page)

    counts = site.sync()

    after = site.command("ask", QUESTION, *ANN)
    assert (before["decision"], before["citations"][0]["document"]) == ("answer", page)
    assert before["citations"][0]["url"] == f"{site.server.url}/spaces/DOCS/pages/{page}#Alarm"
    assert counts["deleted"] == 1
    assert page not in site.found(QUESTION, *ANN)
    assert "AX-77" not in json.dumps(after)
    assert site.command("status")["retracted_answers"] >= 1


def test_what_a_reader_may_not_see_is_as_if_it_were_not_there(site: Site) -> None:
    """S19, S26."""
    page = site.wiki.add_page("DOCS", "Archive", CODE.format("AX-77"))
    site.wiki.restrict(page, users=["ann"])
    site.sync()

    seen = {reader: site.command("ask", QUESTION, *reader) for reader in (ANN, BOB, NOBODY, ("--as", "eve@x.org"))}
    site.wiki.purge(page)
    site.sync()
    gone = site.command("ask", QUESTION, *BOB)

    assert "AX-77" in seen[ANN]["text"]
    for reply in list(seen.values())[1:]:
        assert "Archive" not in json.dumps(reply)
        assert "AX-77" not in json.dumps(reply)
    told = ("decision", "reason", "citations", "answerer", "language")
    assert [seen[BOB][key] for key in told] == [gone[key] for key in told]


def test_access_that_is_taken_away_is_gone_after_one_sync_and_costs_no_fetch(site: Site) -> None:
    """S20, S21."""
    closed = site.wiki.add_page("DOCS", "Closed", "<p>Closed shelf.</p>")
    site.wiki.restrict(closed, users=["ann"])
    parents = [site.wiki.add_page("DOCS", f"Keys {number}", "<p>About keys.</p>") for number in range(4)]
    pages = [site.wiki.add_page("DOCS", f"Archive {n}", CODE.format(f"AX-{n}"), parent=parents[n]) for n in range(4)]
    site.sync()
    before = site.found(QUESTION, *BOB)
    calls = len(site.server.requests)
    site.wiki.restrict(pages[0], users=["ann"])
    site.wiki.restrict(parents[1], users=["ann"])
    site.wiki.move(pages[2], parent=closed)

    counts = site.sync()

    assert set(pages) <= before
    assert site.found(QUESTION, *BOB) & set(pages) == {pages[3]}
    assert set(pages) <= site.found(QUESTION, *ANN)
    assert (counts["changed"], counts["deleted"]) == (4, 0)
    assert not [call for call in site.server.requests[calls:] if "body-format" in call.query]


def test_who_leaves_a_group_or_loses_a_space_finds_nothing_of_it_after_one_sync(site: Site) -> None:
    """S20, S21."""
    moved = site.wiki.add_page("DOCS", "Archive", CODE.format("AX-1"))
    site.wiki.add_page("DOCS", "Attic", CODE.format("AX-2"))
    site.sync()
    site.wiki.move(moved, space="BOARD")
    site.sync()
    after_the_move = (moved in site.found(QUESTION, *BOB), moved in site.found(QUESTION, *ANN))
    site.wiki.set_members("g-staff", ["ann"])

    site.sync()

    assert after_the_move == (False, True)
    assert site.found(QUESTION, *BOB) == set()


def test_two_sources_with_the_same_ids_are_kept_apart(site: Site) -> None:
    """S45."""
    page = site.wiki.add_page("DOCS", "Archive", CODE.format("AX-77"))
    table = (site.commands.folder / "answerdesk.toml").read_text(encoding="utf-8")
    second = table.replace(f'"{site.name}"', f'"{site.name}-2"').replace('"DOCS", "BOARD"', '"DOCS"')
    site.commands.configure(f"{table}\n{second}")
    site.command("sync")
    hits = [(hit["source"], hit["document"]) for hit in site.command("search", QUESTION, *ANN)["hits"]]
    site.commands.configure(table)

    assert {(site.name, page), (f"{site.name}-2", page)} <= set(hits)
    assert {hit["source"] for hit in site.command("search", QUESTION, *ANN)["hits"]} == {site.name}


def test_a_wiki_that_suddenly_shows_little_is_asked_about(site: Site) -> None:
    """F34."""
    pages = [site.wiki.add_page("DOCS", f"Page {number}", f"<p>Shelf {number}.</p>") for number in range(20)]
    site.sync()
    for page in pages[:15]:
        site.wiki.trash(page)

    refused = site.command("sync")["sources"][site.name]
    kept = site.command("status")
    confirmed = site.sync("--confirm-deletes")

    assert "15 of 24 documents are missing" in refused["error"]
    assert f"--source {site.name} --confirm-deletes" in refused["error"]
    assert next(one["documents"] for one in kept["sources"] if one["name"] == site.name) == 24
    assert confirmed["deleted"] == 15


def test_a_wrong_token_is_named_by_its_setting_and_nothing_is_lost(site: Site) -> None:
    """S35, S36."""
    site.wiki.add_page("DOCS", "Archive", CODE.format("AX-77"))
    site.sync()
    secrets = {"CONFLUENCE_EMAIL": site.server.email, "CONFLUENCE_TOKEN": "canary-5e21"}

    refused = site.commands.run("sync", "--json", **secrets, ANSWERDESK_LOG__LEVEL="debug")

    assert refused.returncode == 1
    assert "CONFLUENCE_TOKEN" in json.loads(refused.stdout)["sources"][site.name]["error"]
    assert "canary-5e21" not in refused.stdout + refused.stderr
    assert "AX-77" in site.command("ask", QUESTION, *ANN)["text"]
