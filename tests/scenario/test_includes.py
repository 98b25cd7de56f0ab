"""A page with templates, from its folder to the answer, through the command line."""

from pathlib import Path
from typing import Any

import pytest

from tests.scenario.conftest import Commands

PAGE = (
    "# Access to {var(company)}\n\n{ifdef(private)}Ask the admin.{/ifdef}\n\n"
    "## Reset the PIN\n\n{include(/_includes/pin.md)}\n"
)
QUESTION = "How many digits does the new VPN PIN have?"


@pytest.fixture
def folder(commands: Commands, tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    (folder / "_includes").mkdir(parents=True)
    (folder / "vpn.md").write_text(PAGE, encoding="utf-8")
    (folder / "vpn.meta.json").write_text('{"title": "VPN of {var(company)}"}', encoding="utf-8")
    (folder / "_includes/pin.md").write_text("Open the portal. The new VPN PIN has eight digits.\n", encoding="utf-8")
    commands.configure(
        f'[[sources]]\nname = "{commands.configured_name}"\nkind = "folder"\npath = "{folder}"\n'
        'exclude = ["**/_*/**"]\nvariables = {company = "Example Works"}\n'
    )
    return folder


def synced(commands: Commands) -> Any:
    return commands.json("sync")["sources"][commands.configured_name]


def test_an_answer_comes_from_what_a_page_includes_and_follows_its_changes(commands: Commands, folder: Path) -> None:
    first = synced(commands)
    before = commands.json("ask", QUESTION, ANSWERDESK_ANSWER__THRESHOLD="0.3")
    (folder / "_includes/pin.md").write_text("The new VPN PIN has nine digits.\n", encoding="utf-8")
    second, third = synced(commands), synced(commands)
    after = commands.json("ask", QUESTION, ANSWERDESK_ANSWER__THRESHOLD="0.3")

    assert (first["added"], second["changed"], third["unchanged"]) == (1, 1, 1)
    assert "eight digits" in before["text"]
    assert before["citations"][0]["title"] == "VPN of Example Works"
    assert "nine digits" in after["text"]


def test_a_missing_include_is_noted_and_keeps_no_page_from_being_found(commands: Commands, folder: Path) -> None:
    (folder / "_includes/pin.md").unlink()

    outcome = synced(commands)

    assert (outcome["added"], outcome["failed"]) == (1, 0)
    assert "an included file is missing: _includes/pin.md: vpn.md" in outcome["notes"]
