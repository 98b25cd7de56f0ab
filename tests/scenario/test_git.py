"""A Git repository from the remote to the answer, through the command line."""

from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.scenario.conftest import Commands
from tests.wire.git import Remote, make_remote

VPN = "# VPN\n\n## Reset the PIN\n\nOpen the portal. The new VPN PIN has eight digits.\n"
PIANO = "# Piano\n\nThe piano of the club room is tuned by Klangwerk in May.\n"
QUESTION = "How many digits does the new VPN PIN have?"


@pytest.fixture
def remote(commands: Commands, tmp_path: Path) -> Remote:
    remote = make_remote(tmp_path / "remote.git", {"vpn.md": VPN, "piano.md": PIANO, "bin/tool.sh": "#!/bin/sh\n"})
    commands.configure(
        f'[[sources]]\nname = "{commands.configured_name}"\nkind = "git"\nurl = "{remote.folder}"\n'
        'link = "https://git.example/{branch}/{path}#L{start_line}-L{end_line}"\n'
    )
    return remote


def asked(commands: Commands, question: str) -> Any:
    return commands.json("ask", question, ANSWERDESK_ANSWER__THRESHOLD="0.3")


def synced(commands: Commands) -> dict[str, int]:
    outcome = commands.json("sync")["sources"][commands.configured_name]
    assert (outcome["error"], outcome["failed"]) == (None, 0)
    return {key: outcome[key] for key in ("added", "changed", "unchanged", "deleted")}


def test_an_answer_leads_to_the_lines_in_the_repository(commands: Commands, remote: Remote) -> None:
    synced(commands)

    (cited, *_) = asked(commands, QUESTION)["citations"]

    assert (cited["document"], cited["author"]) == ("vpn.md", "Ann")
    assert cited["url"] == "https://git.example/main/vpn.md#L5-L5"
    assert cited["updated_at"].startswith("2023-11-14")


def test_what_happens_in_the_repository_is_right_after_one_sync(
    commands: Commands, remote: Remote, database_server: str
) -> None:
    first = synced(commands)
    asked(commands, QUESTION)
    remote.commit({"vpn.md": None, "it/vpn.md": VPN})
    renamed = synced(commands)
    moved = asked(commands, QUESTION)["citations"][0]["document"]
    remote.commit({"it/vpn.md": VPN}, from_scratch=True)
    rewritten = synced(commands)
    gone = asked(commands, "Who tunes the piano of the club room?")
    remote.commit({"it/vpn.md": VPN.replace("eight", "nine")})
    edited = synced(commands)

    assert first == {"added": 2, "changed": 0, "unchanged": 0, "deleted": 0}
    assert renamed == {"added": 0, "changed": 1, "unchanged": 1, "deleted": 0}
    assert moved == "it/vpn.md"
    assert rewritten == {"added": 0, "changed": 0, "unchanged": 1, "deleted": 1}
    assert "Klangwerk" not in gone["text"]
    assert edited == {"added": 0, "changed": 1, "unchanged": 0, "deleted": 0}
    with psycopg.connect(database_server) as connection:
        marks = connection.execute(
            "select path, retracted from citation where source = %s", [commands.configured_name]
        ).fetchall()
    assert set(marks) >= {("it/vpn.md", "changed")}
