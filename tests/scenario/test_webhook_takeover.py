"""A ticket system takes over: asked in Slack, answered there, and known again when the bot dies in between."""

import asyncio
import itertools
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.core.phrases import phrase
from tests.scenario.conftest import Site
from tests.scenario.slack_bot import PLATFORM as ON_SLACK
from tests.scenario.takeover_office import SEEN_WITHIN_S, SlackAsker
from tests.scenario.whole_bot import EXPIRES, IN_DAYS, READY_WITHIN_S, WholeBot, settle_in
from tests.wire.bot_process import BotProcess
from tests.wire.slack import BOT_TOKEN, TEAM, SlackServer, slack_at_work
from tests.wire.webhook_desk import SECRET, TicketSystem, ticket_system_at_work

QUESTION = "Who feeds the office cat on Sundays?"
DESK = """
[[desks]]
name = "it"
title = "IT"
kind = "webhook"
url = "{url}"
local = true
port = {port}
people = {{ "webhook:ann" = "Ann" }}
only_people = true
"""
ANN = {"id": "ann", "name": "Ann Lee"}
numbers = itertools.count(1)


@dataclass(frozen=True)
class Helpdesk(WholeBot):
    """One bot on Slack, and the ticket system that is its desk."""

    slack: SlackServer
    system: TicketSystem
    url: str

    def asker(self) -> SlackAsker:
        """Return somebody new."""
        user = f"U0ASK{next(numbers):03d}"
        self.slack.workspaces[TEAM].add_user(user).locale = "en-US"
        return SlackAsker(self.slack, user)

    def told(self, kind: str, ticket: int | None = None) -> list[dict[str, Any]]:
        """Return what the ticket system was told of a kind."""
        told = [one for one in self.system.messages if one["type"] == f"ticket.{kind}"]
        return [one for one in told if ticket in (None, one["ticket"])]

    def asked(self, asker: SlackAsker) -> int:
        """Have somebody ask what no page knows; return the number of the ticket."""
        before = len(self.told("card"))
        asker.asks(QUESTION)
        self.sees(lambda: len(self.told("card")) > before)
        return int(self.told("card")[-1]["ticket"])

    def does(self, ticket: int, action: str, text: str = "", *, name: str = "", **more: object) -> tuple[int, str]:
        """Tell the bot what Ann did there; return the status, and what came of it."""
        body = {"ticket": ticket, "action": action, "text": text, "actor": ANN, **more}
        response = asyncio.run(self.system.tell(self.url, name or f"act{next(numbers)}", body))
        return response.status_code, str(response.json()["came"])

    def is_back(self) -> None:
        """Wait until the bot has died, start it again, and wait until nothing is left to do."""
        assert self.bot.died(READY_WITHIN_S)
        self.bot.dies_at("")
        self.bot.start()
        self.sees(lambda: self.slack.socket_mode.open)
        self.sees(self.is_settled)

    def sees(self, condition: Any) -> None:
        """Wait until something is so."""
        self.slack.wait_until(lambda: bool(condition()), SEEN_WITHIN_S)


@contextmanager
def helpdesk(folder: Path, home: Path, database_url: str) -> Iterator[Helpdesk]:
    """Start the bot, and wait until it listens."""
    with slack_at_work() as slack, ticket_system_at_work() as system, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        taken.close()
        platform = ON_SLACK.format(api_url=slack.api_url, slack="") + DESK.format(url=system.url, port=port)
        settle_in(folder, platform=platform, answer="", burst_s=0.2, more="")
        secrets = {
            "SLACK_BOT_TOKEN": BOT_TOKEN,
            "SLACK_APP_TOKEN": slack.app_token,
            "DESK_WEBHOOK_SECRET": SECRET,
        }
        bot = BotProcess(folder, home, database_url, secrets)
        try:
            bot.sync()
            bot.start()
            slack.wait_until(lambda: slack.socket_mode.open, READY_WITHIN_S)
            yield Helpdesk(bot, slack, system, f"http://127.0.0.1:{port}/desk")
        finally:
            bot.kill()


@pytest.fixture(scope="module")
def office(site: Site) -> Iterator[Helpdesk]:
    """One bot for all dialogs: each has an asker of its own."""
    with helpdesk(*site) as at_work:
        yield at_work


def test_a_person_takes_over_there_and_gives_back(office: Helpdesk) -> None:
    asker = office.asker()
    ticket = office.asked(asker)

    card = office.told("card", ticket)[0]
    assert QUESTION in card["text"]
    assert [each["action"] for each in card["actions"]][:1] == ["claim"]
    assert office.does(ticket, "claim") == (200, "done")
    assert office.does(ticket, "reply", "Bob does.", name=f"reply{ticket}") == (200, "done")
    office.sees(lambda: asker.read()[-1].endswith("Bob does."))
    assert "Ann" in asker.read()[-1]
    assert office.does(ticket, "edit", "Bob and Eve do.", edits=f"reply{ticket}") == (200, "done")
    office.sees(lambda: asker.read()[-1].endswith("Bob and Eve do."))

    asker.says(EXPIRES)
    office.sees(lambda: [one for one in office.told("follow_up", ticket) if EXPIRES in one["text"]])
    assert not any(IN_DAYS in text for text in asker.read())

    assert office.does(ticket, "return") == (200, "done")
    office.sees(lambda: asker.read()[-1] == phrase("asker_returned", "en"))
    asker.says(EXPIRES)
    office.sees(lambda: IN_DAYS in asker.read()[-1])
    office.sees(lambda: office.told("refresh", ticket) and office.told("refresh", ticket)[-1]["replaces"] == card["id"])


def test_what_comes_twice_or_from_somebody_else_changes_nothing(office: Helpdesk) -> None:
    asker = office.asker()
    ticket = office.asked(asker)
    office.sees(asker.read)
    before = asker.read()

    first = office.does(ticket, "note", "for us alone", name=f"n{ticket}")
    second = office.does(ticket, "reply", "Eve says.", name=f"n{ticket}")
    stranger = office.does(ticket, "reply", "Eve says.", actor={"id": "eve", "name": "Ann"})
    unknown = office.does(10**6, "reply", "A.")

    assert (first, second, stranger, unknown) == (
        (200, "done"), (200, "known"), (403, "refused"), (404, "unknown"),
    )  # fmt: skip
    kinds = office.rows(f"select kind from ticket_event where ticket_id = {ticket} order by id")
    assert kinds == [("note",), ("refused",)]
    assert asker.read() == before
    assert SECRET not in office.bot.log.read_text(encoding="utf-8")


@pytest.mark.parametrize("step", ["begun", "sent"])
def test_each_side_has_one_of_each_when_the_bot_dies_in_between(office: Helpdesk, step: str) -> None:
    asker = office.asker()
    office.bot.dies_at(step)
    asker.asks(QUESTION)
    office.is_back()
    ticket = office.told("card")[-1]["ticket"]

    assert (len(office.told("card", ticket)), len(asker.read())) == (1, 1)

    office.bot.dies_at(step)
    office.does(ticket, "reply", "Bob does.", name=f"reply{ticket}")
    office.is_back()

    assert office.does(ticket, "reply", "Bob does.", name=f"reply{ticket}") == (200, "known")
    assert [text.endswith("Bob does.") for text in asker.read()] == [False, True]
