"""The desk that needs nothing but a terminal: tickets are read, taken, answered and ended there."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from bot.core.escalate import Handover
from bot.core.incoming import Place
from bot.core.messages import Checks, Rejected
from bot.core.offered import Reach
from bot.store.inbox import PostgresInbox
from bot.store.listening import PostgresListening
from bot.store.message_queue import open_message_queue
from bot.store.tickets import PostgresTickets
from knowledge.store.pool import Pool, open_pool
from knowledge.types import Evidence, Relevance
from tests.database.recount import rows
from tests.database.stored_messages import LIMITS, heard
from tests.fakes.evidence import hit
from tests.scenario.conftest import Commands

QUESTION = "Де змінити PIN-код?"
PAGE = "# PIN\n\nYou change your PIN at any machine of the bank.\n"
REJECTED = (
    Rejected("You change it within 2 days.", Checks(valid=True, missing=("2 days",))),
    Rejected("You never change it.", Checks(valid=True, disagreement="negation", support=0.9)),
)


def done_in(database_url: str, work: Callable[[Pool], Awaitable[Any]]) -> Any:
    """Do something with the database."""

    async def do() -> Any:
        async with open_pool(database_url) as pool:
            return await work(pool)

    return asyncio.run(do())


@dataclass(frozen=True)
class Desk(Commands):
    """A terminal at a database of its own."""

    database_url: str = ""

    def run(self, *arguments: str, text: str | None = None, **environment: str) -> CompletedProcess[str]:
        return super().run(*arguments, text=text, DATABASE_URL=self.database_url, **environment)

    def at_a_keyboard(self, *arguments: str, **environment: str) -> str:
        """Run a command whose standard input is a terminal, and return what it printed."""
        ours, theirs = os.openpty()
        known = {**os.environ, "ANSWERDESK_HOME": str(self.home), "DATABASE_URL": self.database_url, **environment}
        command = [sys.executable, "-m", "bot", *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=known, stdin=theirs, capture_output=True, text=True, timeout=60, check=False
        )
        os.close(ours)
        os.close(theirs)
        return done.stdout

    def do(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement that returns rows."""
        return list(done_in(self.database_url, lambda pool: rows(pool, statement)))

    def events(self) -> list[tuple[Any, ...]]:
        """Return what happened."""
        return self.do("select kind, to_state, text, details ->> 'name' from ticket_event order by id")


@pytest.fixture
def desk(commands: Commands, database_url: str) -> Desk:
    """A terminal, and one ticket of a question asked in Slack."""
    done_in(database_url, lambda pool: _hand_over(pool, database_url, commands.configured_name))
    return Desk(commands.folder, commands.home, commands.configured_name, database_url)


async def _hand_over(pool: Pool, database_url: str, source: str) -> None:
    async def leave(number: int) -> None:
        """Leave messages alone."""

    incoming = heard("1", QUESTION, place=Place("slack", "T1", "C1"), wire={"name": "Ada"})
    async with open_message_queue(database_url, pool, leave) as queue:
        inbox = PostgresInbox(pool, queue.enqueue, limits=LIMITS)
        await inbox.store(incoming, is_volunteer=False)
        question = await inbox.take(1)
    assert question is not None
    passages = [
        replace(hit("You change your PIN at any machine of the bank.", document="pin.md"), source=source),
        replace(hit("Nobody may read this any more.", document="gone.md"), source=source),
    ]
    evidence = [Evidence(passage, Relevance(0.41)) for passage in passages]
    handover = Handover(
        QUESTION, "uk", "below_threshold", Relevance(0.41), Relevance(0.65), evidence, "f", message=1, rejected=REJECTED
    )
    assert (await PostgresTickets(pool).open(handover)).number == 1


def test_a_ticket_is_listed_and_shown_with_all_that_may_be_read(desk: Desk) -> None:
    (desk.folder / "docs/pin.md").write_text(PAGE, encoding="utf-8")
    desk.run("sync", "--no-wait")

    listed = desk.run("tickets")
    shown = desk.run("tickets", "show", "1")

    assert "PIN-код?" in listed.stdout
    for told in (
        "ticket 1  open", QUESTION, "Ada (slack:U1) in slack, public C1, in uk", "I was only 41 % sure",
        "0.410 of 0.650", "PIN", "pin.md:", "You change your PIN at any machine of the bank.",
        "1 left out that may not be read here", "next: answerdesk tickets claim|reply|ask|note|close 1",
    ):  # fmt: skip
        assert told in shown.stdout, told
    # What a model has worded stands on all that it was given.
    for hidden in ("Nobody may read this", "gone.md", "within 2 days"):
        assert hidden not in shown.stdout


def test_a_ticket_is_taken_noted_on_answered_and_closed(desk: Desk) -> None:
    done = [
        desk.run("tickets", "claim", "1", "--name", "Ann Lee"),
        desk.run("tickets", "note", "1", "ask the bank first", "--name", "Ann Lee"),
        desk.run("tickets", "reply", "1", "-", "--name", "Ann Lee", text="У банкоматі.\nБудь-якому. 🙂\n"),
        desk.run("tickets", "close", "1", "--name", "Ann Lee"),
    ]
    shown = desk.run("tickets", "show", "1").stdout

    assert [each.returncode for each in done] == [0, 0, 0, 0], [each.stderr for each in done]
    assert "the bot is silent in that conversation" in done[0].stdout
    assert "no bot runs that is connected to slack" in done[2].stdout
    assert desk.events() == [
        ("claim", "claimed", "", "Ann Lee"),
        ("note", "claimed", "ask the bank first", "Ann Lee"),
        ("reply", "answered", "У банкоматі.\nБудь-якому. 🙂", "Ann Lee"),
        ("close", "closed", "", "Ann Lee"),
    ]
    assert "Ann Lee took it (open → claimed)" in shown
    assert "Ann Lee replied (claimed → answered)\n      “У банкоматі." in shown
    assert "next: answerdesk tickets reopen|note 1" in shown


def test_what_is_said_is_brought_by_a_running_bot(desk: Desk) -> None:
    reach = Reach(True, None, None, {})
    done_in(desk.database_url, lambda pool: PostgresListening(pool).tell("slack", "p", reach))

    done = desk.run("tickets", "reply", "1", "At any machine.")

    assert "a running bot brings it to slack now" in done.stdout
    said = "select channel, wire ->> 'errand', state from message where origin = 'errand'"
    assert desk.do(said) == [("C1", "reply", "waiting")]


def test_without_a_text_the_editor_is_opened(desk: Desk, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\n{ echo "From the editor."; cat "$1"; } > "$1.new" && mv "$1.new" "$1"\n')
    editor.chmod(0o755)

    done = desk.at_a_keyboard("tickets", "reply", "1", EDITOR=str(editor), VISUAL="")

    assert "your answer is stored" in done
    assert desk.events()[0][:3] == ("reply", "answered", "From the editor.")


def test_what_cannot_be_done_is_refused_with_the_remedy(desk: Desk) -> None:
    desk.do("update ticket set state = 'claimed', owner = 'slack:U9', owner_name = 'Bob' returning 1")
    cases = [
        (["show", "99"], 1, "there is no ticket 99; `answerdesk tickets --state all` lists them"),
        (["claim", "1"], 1, "Bob has ticket 1 already"),
        (["reopen", "1"], 1, "ticket 1 is claimed: that makes no sense any more. Next: answerdesk tickets reply"),
        (["reply", "1"], 2, "nothing to say: write `answerdesk tickets reply 1 TEXT`"),
    ]
    done = [(desk.run("tickets", *arguments), code, why) for arguments, code, why in cases]

    for each, code, why in done:
        assert (each.returncode, why in each.stderr) == (code, True), each.stderr
    assert desk.events() == []


def test_programs_get_one_document(desk: Desk) -> None:
    claimed = desk.json("tickets", "claim", "1")
    listed = desk.json("tickets", "--state", "claimed")["tickets"]
    shown = desk.json("tickets", "show", "1")

    assert (claimed["came"], claimed["state"], claimed["owner"]) == ("done", "claimed", shown["owner"])
    assert [(each["id"], each["question"]) for each in listed] == [(1, QUESTION)]
    assert (shown["asker"], shown["left_out"], [event["kind"] for event in shown["events"]]) == (
        "Ada (slack:U1)", 2, ["claim"],
    )  # fmt: skip
    assert "choose among: active, open" in desk.json("tickets", "--state", "new")["error"]


def test_somebody_is_forgotten_by_the_operator(desk: Desk) -> None:
    refused = desk.run("forget", "--user", "slack:U1", text="n\n")
    done = desk.run("forget", "--user", "slack:U1", "--yes")
    wrong = desk.run("forget", "--user", "Ada", "--yes")

    assert (refused.returncode, done.returncode, wrong.returncode) == (1, 0, 2)
    assert "their tickets under way are closed: 1" in refused.stdout
    assert "erased: the words of 1 messages" in done.stdout
    assert desk.do("select state, question, is_forgotten from ticket") == [("closed", "", True)]
    assert "have been forgotten" in desk.run("tickets", "reopen", "1").stderr
